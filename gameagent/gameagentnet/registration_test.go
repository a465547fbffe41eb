package gameagentnet_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/gameagent/gameagentnet"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1/gamespy1net"
	"github.com/lobbywire/lobbywire/internal/test/nettest"
)

var (
	gameHost   = netip.MustParseAddrPort("192.0.2.9:25601")
	masterHost = netip.MustParseAddrPort("192.0.2.53:9005")
)

// A scribe acts as a master: it records all requests with their time, and sends
// challenges as the original does.
type scribe struct {
	pc    net.PacketConn
	start time.Time

	mu       sync.Mutex
	notes    []string
	nonce    int32
	listed   bool
	deaf     bool
	refusing int // answers to challenges that are lost
}

func newScribe(t *testing.T, network *nettest.Network, addr netip.AddrPort) *scribe {
	t.Helper()
	pc, err := network.Listen(addr)
	if err != nil {
		t.Fatal(err)
	}
	m := &scribe{pc: pc, start: time.Now()}
	done := make(chan struct{})
	go func() {
		defer close(done)
		buf := make([]byte, 2048)
		for {
			n, from, err := pc.ReadFrom(buf)
			if err != nil {
				return
			}
			m.take(buf[:n], from)
		}
	}()
	t.Cleanup(func() {
		pc.Close()
		<-done
	})
	return m
}

// take handles a datagram of a server.
func (m *scribe) take(b []byte, from net.Addr) {
	m.mu.Lock()
	defer m.mu.Unlock()
	text, _, _ := strings.Cut(string(b), ";players;")
	m.notes = append(m.notes, fmt.Sprintf("%v %s", time.Since(m.start).Round(time.Second), text))
	if m.deaf || b[0] == '\\' {
		return
	}
	right := fmt.Sprintf("0;challenge;%d", m.nonce)
	switch {
	case b[0] == '0' && m.nonce != 0 && text == right && m.refusing > 0:
		m.refusing--
	case b[0] == '0' && m.nonce != 0 && text == right:
		m.listed = true
	case b[0] == 'q' || m.nonce == 0:
		m.listed = false
		m.nonce = 1000 + int32(len(m.notes))
		c, _ := gameagent.Challenge{Challenge: m.nonce}.AppendBinary(nil)
		m.pc.WriteTo(c, from)
	}
}

// forget drops all servers, as a restart does.
func (m *scribe) forget() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.nonce, m.listed = 0, false
}

// read returns the requests since the last call, and whether the server is listed.
func (m *scribe) read() ([]string, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	notes := m.notes
	m.notes = nil
	return notes, m.listed
}

// expect compares the requests.
func (m *scribe) expect(t *testing.T, listed bool, want ...string) {
	t.Helper()
	synctest.Wait()
	got, is := m.read()
	if !slices.Equal(got, want) || is != listed {
		t.Errorf("got %q, listed %v, want %q, %v", got, is, want, listed)
	}
}

// register runs a server at gameHost that registers at masterHost.
func register(t *testing.T, network *nettest.Network) (s *gameagentnet.Server, ended chan error, cancel func()) {
	t.Helper()
	pc, err := network.Listen(gameHost)
	if err != nil {
		t.Fatal(err)
	}
	s = newServer(t, duel())
	r := &gameagentnet.Registration{Server: s, Addr: masterHost.String(), Conn: pc}
	served := make(chan struct{})
	go func() {
		s.Serve(pc)
		close(served)
	}()
	ctx, cancel := context.WithCancel(t.Context())
	ended = make(chan error, 1)
	go func() { ended <- r.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		s.Close()
		<-served
	})
	return s, ended, cancel
}

// fill sets a state with n players.
func fill(t *testing.T, s *gameagentnet.Server, n int) {
	t.Helper()
	state := duel()
	state.NumPlayers = n
	if err := s.Set(state); err != nil {
		t.Fatal(err)
	}
}

func TestRegistrationSendsHeartbeats(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		network := new(nettest.Network)
		m := newScribe(t, network, masterHost)
		s, ended, cancel := register(t, network)
		m.expect(t, true, "0s q", "0s 0;challenge;1001")
		time.Sleep(400 * time.Second)
		m.expect(t, true, "5s 0;challenge;1001", "2m30s 0;challenge;0", "5m0s 0;challenge;0")
		fill(t, s, 3)
		m.expect(t, true, "6m40s u")
		for n := range 100 {
			fill(t, s, 3+n)
		}
		m.expect(t, true)
		time.Sleep(10 * time.Second)
		m.expect(t, true, "6m41s u")
		fill(t, s, 102) // no change
		state := duel()
		state.NumPlayers = 102
		state.Players[0].Frags = new(int32(99))
		if err := s.Set(state); err != nil {
			t.Fatal(err)
		}
		time.Sleep(10 * time.Second)
		m.expect(t, true)
		fill(t, s, 2)
		m.expect(t, true, "7m0s u")
		cancel()
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Errorf("Run returned %v", err)
		}
		time.Sleep(time.Hour)
		fill(t, s, 200)
		m.expect(t, true)
	})
}

// The master gets the current state.
func TestRegistrationTellsTheState(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer(t, duel())
		r := &gameagentnet.Registration{Server: s, Addr: masterHost.String()}
		now := time.Now()
		if b := r.Tick(now, nil); string(b) != "q" || r.Status().Standing != lobbywire.StandingStarting {
			t.Errorf("first %q, status %v", b, r.Status())
		}
		for _, challenge := range []int32{870699779, -5, 0} {
			c, err := gameagent.Challenge{Challenge: challenge}.AppendBinary(nil)
			if err != nil {
				t.Fatal(err)
			}
			b := one(t, nettest.Answers(s.Respond(masterHost, c, nil)))
			m, err := strict.ParseHeartbeat(b)
			if err != nil || m.Challenge != challenge || *m.Players != 2 || m.Product != "serioussamse" ||
				m.Level != "Yodeller" {
				t.Errorf("%q: %+v, %v", b, m, err)
			}
		}
		if s, sent := r.Status(), r.Stats().Sent; s.Standing != lobbywire.StandingListed || sent != 4 {
			t.Errorf("%v, sent %d", s, sent)
		}
	})
}

// A master that does not answer gets joins less and less often, and no changes.
func TestRegistrationSendsASilentMasterFewerJoins(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer(t, duel())
		r := &gameagentnet.Registration{Server: s, Addr: masterHost.String()}
		start := time.Now()
		var sent []string
		for time.Since(start) < 400*time.Second {
			sent = append(sent, fmt.Sprintf("%v %s", time.Since(start), r.Tick(time.Now(), nil)))
			if err := r.Status().Err; (err != nil) != (len(sent) > 1) || err != nil && !errors.Is(err, lobbywire.ErrTimeout) {
				t.Errorf("status after %q: %v", sent, r.Status())
			}
			time.Sleep(time.Until(r.Next()))
		}
		want := []string{"0s q", "3s q", "9s q", "21s q", "45s q", "1m33s q", "3m9s q", "5m39s q"}
		if !slices.Equal(sent, want) {
			t.Errorf("unanswered joins %q, want %q", sent, want)
		}
		r.Tick(time.Now(), nil)
		fill(t, s, 3)
		if b := r.Tick(time.Now(), nil); len(b) > 0 {
			t.Errorf("a change is sent to a master that does not know the server: %q", b)
		}
		s.Respond(masterHost, []byte{1, 1, 2, 3, 4}, nil)
		if st := r.Status(); st.Standing != lobbywire.StandingListed {
			t.Errorf("after a challenge: %v", st)
		}
		if b := r.Leave(nil); len(b) > 0 {
			t.Errorf("left with %q", b)
		}
	})
}

// The server is listed again by a master that has restarted, that was down at first,
// or that did not receive the answer to its challenge.
func TestRegistrationIsListedAfterLosses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		network := new(nettest.Network)
		m := newScribe(t, network, masterHost)
		m.deaf = true
		m.refusing = 1
		register(t, network)
		time.Sleep(4 * time.Second)
		m.expect(t, false, "0s q", "3s q")
		m.mu.Lock()
		m.deaf = false
		m.mu.Unlock()
		time.Sleep(6 * time.Second)
		m.expect(t, false, "9s q", "9s 0;challenge;1001")
		time.Sleep(5 * time.Second)
		m.expect(t, true, "14s 0;challenge;1001")
		m.forget()
		time.Sleep(150 * time.Second)
		m.expect(t, true, "2m39s 0;challenge;0", "2m39s 0;challenge;1001", "2m44s 0;challenge;1001")
	})
}

// Renew lists the server at a master that has started again, without waiting for the next
// heartbeat.
func TestRenewIsListedWithoutWaiting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer(t, duel())
		r := &gameagentnet.Registration{Server: s, Addr: masterHost.String()}
		serve := func(m *gamespy1net.Master) {
			request := r.Tick(time.Now(), nil)
			for len(request) > 0 {
				answers, _ := m.Respond(gameServer, request, nil)
				request = nil
				if len(answers) > 0 {
					request = nettest.Answers(s.Respond(masterHost, answers[0], nil))[0]
				}
			}
		}
		before, after := new(gamespy1net.Master), new(gamespy1net.Master)
		serve(before)
		expectListed(t, before, gameServer)
		time.Sleep(10 * time.Second)
		serve(after) // repeats its answer, which the master does not know
		expectListed(t, after)
		r.Renew()
		serve(after)
		expectListed(t, after, gameServer)
	})
}

// Challenges come from the port of the master, and are whole.
func TestRegistrationAnswersItsMasterOnly(t *testing.T) {
	s := newServer(t, duel())
	challenge := []byte{1, 1, 2, 3, 4}
	r := &gameagentnet.Registration{Server: s, Addr: masterHost.String()}
	r.Tick(time.Now(), nil)
	if got, _ := s.Respond(netip.AddrPortFrom(masterHost.Addr(), 9006), challenge, nil); len(got) > 0 {
		t.Errorf("another port is answered with %q", got)
	}
	if got, _ := s.Respond(masterHost, challenge[:4], nil); len(got) > 0 {
		t.Errorf("a short challenge is answered with %q", got)
	}
}

// Forged challenges do not keep a server from answering its master, which may have
// removed it after a forged join.
func TestForgedChallengesHideNobody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer(t, crowd(3, 8))
		r := &gameagentnet.Registration{Server: s, Addr: masterHost.String()}
		r.Tick(time.Now(), nil)
		var m gamespy1net.Master
		enlist(t, &m, gameServer)
		forged := []byte("s\x01\x02\x03\x04")
		const rate = 990 // forged challenges a second; the server answers 1000
		for i := range rate * 20 {
			s.Respond(masterHost, forged, nil)
			time.Sleep(time.Second / rate)
			if i%rate > 0 {
				continue
			}
			for _, challenge := range nettest.Answers(m.Respond(gameServer, join, nil)) {
				answers, _ := s.Respond(masterHost, challenge, nil)
				if len(answers) != 1 {
					t.Fatalf("%d s: the challenge of the master is not answered", i/rate)
				}
				m.Respond(gameServer, answers[0], nil)
			}
			expectListed(t, &m, gameServer)
		}
	})
}

func TestRegistrationSetNeedsAServer(t *testing.T) {
	if err := new(gameagentnet.Registration).Set(gameagentnet.State{}); err == nil {
		t.Error("a state is set without a Server")
	}
}
