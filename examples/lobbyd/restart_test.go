//go:build unix

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/test/suite"
	"github.com/lobbywire/lobbywire/warzone"
	"github.com/lobbywire/lobbywire/warzone/warzonenet"
	"github.com/lobbywire/lobbywire/warzone/wzhttp/wzhttpnet"
	"github.com/lobbywire/lobbywire/warzone/wzproposal/proposalnet"
)

// A survivor is a lobbyd in another process, which is killed and started again at the same
// addresses.
type survivor struct {
	running
	args    []string
	sockets map[string]*os.File
	now     *process
}

// newSurvivor opens the sockets of a lobbyd.
func newSurvivor(t *testing.T, args ...string) *survivor {
	t.Helper()
	s := &survivor{
		running: running{addr: make(map[string]string)},
		args:    withGameSpy(t, args...),
		sockets: make(map[string]*os.File),
	}
	for name, network := range map[string]string{
		"gameagent": "udp", "gameagent-legacy": "udp", "gameagent-list": "tcp", "gamespy": "udp", "gamespy-list": "tcp",
		"warzone": "tcp",
		"text":    "tcp", "binary": "tcp", "json": "tcp", "bomberman": "tcp", "web": "tcp", "metrics": "tcp",
	} {
		s.sockets[name], s.addr[name] = opened(t, network)
	}
	return s
}

// start starts lobbyd and waits until it serves.
func (s *survivor) start(t *testing.T) {
	t.Helper()
	s.spawn(t)
	s.awaitServing(t)
}

func (s *survivor) spawn(t *testing.T) {
	t.Helper()
	t.Cleanup(func() { // so that no goodbye to a lobbyd that has ended waits for an answer
		for _, f := range s.sockets {
			f.Close()
		}
	})
	s.now = spawn(t, s.sockets, s.args...)
}

func (s *survivor) awaitServing(t *testing.T) {
	t.Helper()
	if got := s.now.notified(t); got != "READY=1" {
		t.Fatalf("notified %q", got)
	}
}

// end ends lobbyd with a signal.
func (s *survivor) end(t *testing.T, with os.Signal) {
	t.Helper()
	if err := s.now.Process.Signal(with); err != nil {
		t.Fatal(err)
	}
	for s.now.logs.Scan() {
	}
	s.now.Wait()
}

// listed returns the listed servers of the API, as "family name".
func (s *survivor) listed(t *testing.T) []string {
	t.Helper()
	all, err := serversIn([]byte(s.get(t, "/api/servers")))
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// serversIn returns the servers in an answer of the API, sorted.
func serversIn(answer []byte) (all []string, err error) {
	var got struct {
		Servers []struct{ Family, Name, Address string }
	}
	if err := json.Unmarshal(answer, &got); err != nil {
		return nil, err
	}
	for _, one := range got.Servers {
		name := one.Name
		if one.Family == "gameagent" && name == "" {
			name = one.Address // its name comes from a query
		}
		all = append(all, one.Family+" "+name)
	}
	slices.Sort(all)
	return all, nil
}

func (s *survivor) wantListed(t *testing.T, want ...string) {
	t.Helper()
	slices.Sort(want)
	eventually(t, func() string {
		if got := s.listed(t); !slices.Equal(got, want) {
			return fmt.Sprintf("listed %q, want %q", got, want)
		}
		return ""
	})
}

func (s *survivor) wantReady(t *testing.T) {
	t.Helper()
	eventually(t, func() string {
		if got := s.metric(t, "lobbyd_ready"); got != "1" {
			return "not ready"
		}
		return ""
	})
}

// hostOnce runs a Warzone host that never returns to a lobby, but answers it, as the game up
// to 4.6 does, until the listener is closed.
func hostOnce(t *testing.T, lobby, name string) (ln net.Listener) {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var was atomic.Bool
	h := &warzonenet.Host{Addr: lobby, Dial: func(ctx context.Context, network, addr string) (net.Conn, error) {
		if was.Swap(true) {
			return nil, errors.New("never again")
		}
		return new(net.Dialer).DialContext(ctx, network, addr)
	}}
	err = h.Set(warzone.Game{
		Version: warzone.Version4, Name: name, Size: warzone.SizeOfGame, MaxPlayers: 4,
		HostPort: uint16(ln.Addr().(*net.TCPAddr).Port),
	})
	if err != nil {
		t.Fatal(err)
	}
	inBackground(t, func() { answerAlive(ln, h) })
	inBackground(t, func() { h.Run(t.Context()) })
	t.Cleanup(func() { h.Close() })
	t.Cleanup(func() { ln.Close() })
	return ln
}

// answerAlive answers lobbies about the game of a host until ln is closed.
func answerAlive(ln net.Listener, h *warzonenet.Host) {
	for {
		c, err := ln.Accept()
		if err != nil {
			return
		}
		request := make([]byte, warzone.AliveSize)
		if _, err := io.ReadFull(c, request); err == nil {
			c.Write(h.RespondAlive(request, nil))
		}
		c.Close()
	}
}

// hosted are the servers and games of hostAll.
type hosted struct {
	listed              []string // as in survivor.listed
	native, legacy, spy netip.AddrPort
	http                *wzhttpnet.Host
}

// hostAll registers a server or game with each protocol.
func (s *survivor) hostAll(t *testing.T) (h hosted) {
	t.Helper()
	h.native = register(t, &s.running)
	h.legacy = registerLegacy(t, s.addr["gameagent-legacy"])
	h.spy = registerGameSpy(t, &s.running, "Duel")
	h.http = hostHTTP(t, "http://"+s.addr["web"]+lobbyPath, "over HTTP")
	hostOnce(t, s.addr["warzone"], "stays")
	for _, p := range []proposalnet.Proposal{proposalnet.Text, proposalnet.Binary, proposalnet.JSON} {
		g := &proposalnet.Host{Addr: s.addr[p.String()], Proposal: p}
		if err := g.Set(proposalnet.Game{Port: 3001 + uint16(p), Name: "as " + p.String()}); err != nil {
			t.Fatal(err)
		}
		inBackground(t, func() { g.Run(t.Context()) })
		t.Cleanup(func() { g.Close() })
	}
	registerBomberman(t, &s.running, "bombs")
	h.listed = []string{"gameagent Awesome Server", "gamespy2 Duel", "bomberman bombs", "warzone stays",
		"warzone over HTTP", "warzone as text", "warzone as binary", "warzone as json", "gameagent " + h.native.String()}
	slices.Sort(h.listed)
	return h
}

// A lobbyd that is killed and started again at once lists the same servers and games, in
// all families, and does not lose them later. A check unlists hosts that have gone
// meanwhile.
func TestRestartListsTheSameServers(t *testing.T) {
	t.Parallel()
	s := newSurvivor(t, "-data", t.TempDir())
	s.start(t)
	at := s.hostAll(t)
	goes := hostOnce(t, s.addr["warzone"], "goes")
	all := append(at.listed, "warzone goes")
	s.wantListed(t, all...)
	<-time.After(time.Second) // changes of the last second may be lost

	s.end(t, os.Kill)
	goes.Close()
	silent, err := net.Listen("tcp", goes.Addr().String()) // the check waits until the list was seen
	if err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	s.start(t)
	s.wantListed(t, all...)
	s.wantGameAgent(t, at.native)
	s.wantGameAgent(t, at.legacy)
	s.wantGameSpy(t, at.spy)
	s.wantWarzone(t, "stays")
	s.wantBomberman(t, "bombs")
	t.Logf("listed after %v", time.Since(began))

	silent.Close()
	s.wantListed(t, at.listed...)
	s.wantReady(t)
	if s := at.http.Status(); s.Standing != lobbywire.StandingListed {
		t.Errorf("the host of 4.7: %v", s)
	}
	// Again, with entries that were restored before.
	signals := []os.Signal{syscall.SIGTERM, os.Kill, syscall.SIGTERM, os.Kill}
	for _, with := range signals[:suite.Pick(1, 4)] {
		s.end(t, with)
		s.start(t)
		s.wantListed(t, at.listed...)
	}
	s.wantReady(t)
	s.wantListed(t, at.listed...)
}

// A second lobbyd with the same data directory does not start.
func TestDataInUseIsRefused(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	start(t, append(anywhere(), "-data", dir)...)
	code, said := fails(t, append(anywhere(), "-data", dir)...)
	if code != exitFailed || !strings.Contains(said, "another lobbyd uses it; use another one with -data") {
		t.Errorf("%d, %s", code, said)
	}
}

// The default data directory is the state directory of systemd, or else of the user.
// Without a usable one, lobbyd runs.
func TestDefaultDataIsTheStateDirectory(t *testing.T) {
	for _, tt := range []struct {
		systemd, state, home string
		offset               int
		want                 string
	}{
		{"/var/lib/lobbyd:/var/lib/other", "/s", "/home/a", 0, "/var/lib/lobbyd"},
		{"/var/lib/lobbyd", "/s", "/home/a", 100, "/var/lib/lobbyd/+100"},
		{"", "/s", "/home/a", 0, "/s/lobbyd"},
		{"", "relative", "/home/a", 0, "/home/a/.local/state/lobbyd"},
		{"", "", "/home/a", 100, "/home/a/.local/state/lobbyd+100"},
	} {
		t.Setenv("STATE_DIRECTORY", tt.systemd)
		t.Setenv("XDG_STATE_HOME", tt.state)
		t.Setenv("HOME", tt.home)
		c := config{Offset: tt.offset}
		if got, err := c.dataDir(); got != tt.want || err != nil {
			t.Errorf("%+v: %q, %v", tt, got, err)
		}
	}
	t.Setenv("HOME", "/dev/null")
	l := start(t, append(anywhere(), "-data", "")...)
	if got := l.get(t, "/readyz"); got != "ready\n" {
		t.Error(got)
	}
}
