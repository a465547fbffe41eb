//go:build linux

package safety_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/lobbywire/lobbywire/warzone/warzonegames"
	"github.com/lobbywire/lobbywire/warzone/wzhttp/wzhttpnet"
)

// room is the body of a game's host.
const room = `{"v":"4.7.0","netv":[16384,104],"name":"Go","host":{"name":"GoTester",` +
	`"pk":"AISvCVmVREY6hfgWZRpHqAjGVfi+3dF8zDRJmqd6Po4="},"map":["Sk-Rush",""],"players":{"cur":0,"max":4},` +
	`"specs":{"cur":1,"max":3},"ally":0,"lim":0}`

// An httpHost hosts a game in an HTTP lobby.
type httpHost struct {
	client            *http.Client
	url               string
	GameID, HostToken string // as the lobby answers
}

func newHTTPHost(from net.IP, addr string) *httpHost {
	dialer := &net.Dialer{LocalAddr: &net.TCPAddr{IP: from}}
	return &httpHost{
		client: &http.Client{Timeout: patience, Transport: &http.Transport{DialContext: dialer.DialContext}},
		url:    "http://" + addr + "/lobby/api/v1/game",
	}
}

// do sends a request about the game and returns the answer with the wanted status.
func (h *httpHost) do(ctx context.Context, method, path, body string, want int) ([]byte, error) {
	r, err := http.NewRequestWithContext(ctx, method, h.url+path, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	if h.HostToken != "" {
		r.Header.Set("Authorization", "HostToken "+h.HostToken)
	}
	answer, err := h.client.Do(r)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	b, err := io.ReadAll(answer.Body)
	if err == nil && answer.StatusCode != want {
		err = fmt.Errorf("%s: status %d: %s", method, answer.StatusCode, b)
	}
	return b, err
}

// create announces the game.
func (h *httpHost) create(ctx context.Context) error {
	b, err := h.do(ctx, http.MethodPost, "", room, http.StatusCreated)
	if err != nil {
		return err
	}
	return json.Unmarshal(b, h)
}

// lookAt lets the lobby check a port.
func (h *httpHost) lookAt(ctx context.Context, l net.Listener) error {
	body := fmt.Sprintf(`{"type":"tcp:ip4","host":"","port":%d}`, l.Addr().(*net.TCPAddr).Port)
	_, err := h.do(ctx, http.MethodPost, "/"+h.GameID+"/connection", body, http.StatusAccepted)
	return err
}

// remove ends the game and the connection.
func (h *httpHost) remove(ctx context.Context) {
	defer h.client.CloseIdleConnections()
	_, _ = h.do(ctx, http.MethodDelete, "/"+h.GameID, "", http.StatusNoContent) // the lobby forgets it anyway
}

// A countingStore counts its calls for each game.
type countingStore struct {
	mu    sync.Mutex
	total int
	puts  map[uint32]int
	start time.Time
}

func (s *countingStore) Put(e warzonegames.Entry) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.total++
	s.puts[e.ID]++
}

func (s *countingStore) Remove(uint32) {}

func (*countingStore) Expire(uint32)                                                {}
func (s *countingStore) Watch(func(warzonegames.Entry), func(uint32)) (stop func()) { return func() {} }

// judge returns an error if there were more than one put of a game in a second, or 1000 in
// total.
func (s *countingStore) judge() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	seconds := 2 + int(time.Since(s.start).Seconds())
	for id, n := range s.puts {
		if n > seconds {
			return fmt.Errorf("game %d was put %d times in %d s", id, n, seconds)
		}
	}
	if s.total == 0 || s.total > 1000*seconds {
		return fmt.Errorf("%d puts in %d s", s.total, seconds)
	}
	return nil
}

// attackedHosts starts an HTTP lobby. Its attackers change games that are not published,
// from 32 addresses, and let it check hosts in three prefixes that never answer.
func attackedHosts(t *testing.T) (targets []*target, end func() error) {
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	must(t, err)
	game, err := net.Listen("tcp4", "127.0.0.1:0") // of honest hosts
	must(t, err)
	store := &countingStore{puts: make(map[uint32]int), start: time.Now()}
	inner := &wzhttpnet.Lobby{Games: &warzonegames.Games{Store: store}, NoRates: true}
	lobby := httpLobby{inner.Server(nil), inner}
	var running sync.WaitGroup
	running.Go(func() { lobby.Serve(l) })
	running.Go(func() {
		for {
			c, err := game.Accept()
			if err != nil {
				return
			}
			c.Close()
		}
	})
	addr := l.Addr().String()
	s := &target{name: "wzhttpnet.Lobby, hosts", honest: func(ctx context.Context) error {
		h := newHTTPHost(net.IPv4(127, 0, 0, 1), addr)
		defer h.remove(ctx)
		if err := h.create(ctx); err != nil {
			return err
		}
		return h.lookAt(ctx, game)
	}}
	for i := range 32 {
		h := newHTTPHost(attacker(i), addr)
		s.attack = append(s.attack, func(ctx context.Context, sent *atomic.Int64) {
			defer h.client.CloseIdleConnections()
			err := h.create(ctx)
			for n := 0; err == nil && every(ctx, 50*time.Millisecond); n++ {
				change := fmt.Sprintf(`{"players":{"cur":%d,"max":4}}`, n%4)
				_, err = h.do(ctx, http.MethodPatch, "/"+h.GameID, change, http.StatusOK)
				sent.Add(1)
			}
		})
	}
	for i := range 60 {
		s.attack = append(s.attack, tarpit(net.IPv4(127, 0, byte(21+i%3), byte(10+i/3%5)), addr))
	}
	return []*target{s}, func() error {
		err := lobby.Close()
		game.Close()
		running.Wait()
		if err == nil {
			err = store.judge()
		}
		return err
	}
}

// tarpit lets the lobby connect to a port that never answers, again and again.
func tarpit(from net.IP, addr string) func(ctx context.Context, sent *atomic.Int64) {
	return func(ctx context.Context, sent *atomic.Int64) {
		l, err := net.ListenTCP("tcp4", &net.TCPAddr{IP: from})
		if err != nil {
			return
		}
		defer l.Close()
		for every(ctx, 100*time.Millisecond) {
			h := newHTTPHost(from, addr)
			if err := h.create(ctx); err != nil {
				h.client.CloseIdleConnections()
				continue
			}
			sent.Add(1)
			_ = h.lookAt(ctx, l) // refused, if there are too many already
			every(ctx, time.Second)
			h.remove(context.WithoutCancel(ctx))
		}
	}
}
