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
	"github.com/lobbywire/lobbywire/internal/test/suite"
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

// A game with a loop of its own may call Tick at any rate.
func TestRegistrationTick(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer(t, duel())
		r := &gameagentnet.Registration{Server: s, Addr: masterHost.String()}
		start := time.Now()
		var sent []string
		for end := time.Now().Add(400 * time.Second); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
			due := !r.Next().After(time.Now())
			b := r.Tick(time.Now(), nil)
			if due != (len(b) > 0) {
				t.Errorf("at %v: due %v, sent %q", time.Since(start), due, b)
			}
			if len(b) > 0 {
				sent = append(sent, fmt.Sprintf("%v %s", time.Since(start), b))
			}
		}
		want := []string{"0s q", "3s q", "9s q", "21s q", "45s q", "1m33s q", "3m9s q", "5m39s q"}
		if !slices.Equal(sent, want) {
			t.Errorf("unanswered joins %q, want %q", sent, want)
		}
		fill(t, s, 3)
		if b := r.Tick(time.Now(), nil); len(b) > 0 {
			t.Errorf("a change is sent to a master that does not know the server: %q", b)
		}
		if b := r.Leave(nil); len(b) > 0 {
			t.Errorf("left with %q", b)
		}
		if b := r.Tick(time.Now().Add(time.Hour), []byte("dst")); string(b) != "dst" {
			t.Errorf("after leaving: %q", b)
		}
		if m, err := r.Master(); m != masterHost || err != nil || !r.Next().After(time.Now()) {
			t.Errorf("master %v, %v, next %v", m, err, r.Next())
		}
	})
}

// The server is listed again by a master that has restarted, that was down at first,
// or that did not receive the answer to its challenge.
func TestRegistrationHeals(t *testing.T) {
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
func TestRegistrationRenew(t *testing.T) {
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

// Only challenges of a master to which the server has registered are answered,
// and those in limited numbers.
func TestRegistrationAnswersItsMasterOnly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer(t, duel())
		challenge := []byte{1, 1, 2, 3, 4}
		if got, _ := s.Respond(masterHost, challenge, nil); len(got) > 0 {
			t.Error("answered before the first Tick")
		}
		r := &gameagentnet.Registration{Server: s, Addr: masterHost.String()}
		r.Tick(time.Now(), nil)
		mapped := netip.AddrPortFrom(netip.AddrFrom16(masterHost.Addr().As16()), masterHost.Port())
		for _, tt := range []struct {
			name string
			from netip.AddrPort
			req  []byte
			want int
		}{
			{"master", masterHost, challenge, 1},
			{"master in IPv6 form", mapped, challenge, 1},
			{"other port", netip.AddrPortFrom(masterHost.Addr(), 9006), challenge, 0},
			{"stranger", stranger, challenge, 0},
			{"too short", masterHost, challenge[:4], 0},
		} {
			if got := len(nettest.Answers(s.Respond(tt.from, tt.req, nil))); got != tt.want {
				t.Errorf("%s: %d answers, want %d", tt.name, got, tt.want)
			}
		}
		time.Sleep(time.Minute)
		n := 0
		for range 2000 {
			n += len(nettest.Answers(s.Respond(masterHost, challenge, nil)))
		}
		if n != 1000 {
			t.Errorf("%d of 2000 challenges at once were answered", n)
		}
		time.Sleep(time.Minute)
		r.Leave(nil)
		if got, _ := s.Respond(masterHost, challenge, nil); len(got) > 0 {
			t.Error("answered after Leave")
		}
	})
}

func TestRegistrationRefuses(t *testing.T) {
	s := new(gameagentnet.Server)
	pc, err := new(nettest.Network).Listen(gameHost)
	if err != nil {
		t.Fatal(err)
	}
	defer pc.Close()
	for _, addr := range []string{"", ":9005", "192.0.2.1", "192.0.2.1:0", "[2001:db8::1]:9005", "master.example:0",
		"master.example:http"} {
		r := &gameagentnet.Registration{Server: s, Addr: addr, Conn: pc}
		if m, err := r.Master(); err == nil {
			t.Errorf("%q is %v", addr, m)
		}
		if b := r.Tick(time.Now(), nil); len(b) > 0 {
			t.Errorf("%q is sent %q", addr, b)
		}
		if err := r.Run(t.Context()); err == nil || errors.Is(err, lobbywire.ErrClosed) {
			t.Errorf("%q: Run returned %v", addr, err)
		}
	}
	for _, r := range []*gameagentnet.Registration{
		{Addr: masterHost.String(), Conn: pc},
		{Addr: masterHost.String(), Server: s},
	} {
		if err := r.Run(t.Context()); err == nil {
			t.Error("Run has nothing to send, or nowhere to send from, and no error")
		}
	}
	r := &gameagentnet.Registration{Server: s, Addr: masterHost.String(), Conn: pc}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := r.Run(t.Context()); !errors.Is(err, lobbywire.ErrClosed) {
		t.Errorf("Run after Close of the Server returned %v", err)
	}
}

// A Registration can run once at a time, again after its end, and not after Close.
func TestRegistrationRunsAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		network := new(nettest.Network)
		m := newScribe(t, network, masterHost)
		pc, err := network.Listen(gameHost)
		if err != nil {
			t.Fatal(err)
		}
		s := newServer(t, duel())
		served := make(chan error, 1)
		go func() { served <- s.Serve(pc) }()
		r := &gameagentnet.Registration{Server: s, Addr: masterHost.String(), Conn: pc}
		ran := make(chan error, 1)
		for range 2 {
			ctx, cancel := context.WithCancel(t.Context())
			go func() { ran <- r.Run(ctx) }()
			synctest.Wait()
			if err := r.Run(ctx); err == nil || errors.Is(err, context.Canceled) {
				t.Errorf("a second Run returned %v", err)
			}
			cancel()
			if err := <-ran; !errors.Is(err, context.Canceled) {
				t.Errorf("Run returned %v", err)
			}
			if notes, listed := m.read(); len(notes) != 2 || !listed {
				t.Errorf("got %q, listed %v", notes, listed)
			}
			m.forget()
		}
		if err := r.Set(gameagentnet.State{Level: "Metropolis"}); err != nil {
			t.Error(err)
		}
		go func() { ran <- r.Run(t.Context()) }()
		synctest.Wait()
		if err := r.Close(); err != nil {
			t.Error(err)
		}
		if err := <-ran; !errors.Is(err, lobbywire.ErrClosed) {
			t.Errorf("Run returned %v after Close", err)
		}
		if err := r.Run(t.Context()); !errors.Is(err, lobbywire.ErrClosed) {
			t.Errorf("Run of a closed Registration returned %v", err)
		}
		s.Close()
		<-served
	})
}

// Host names are looked up.
func TestRegistrationByName(t *testing.T) {
	suite.Localhost(t)
	master, err := net.ListenPacket("udp4", "127.0.0.1:0")
	if err != nil {
		t.Skip(err)
	}
	defer master.Close()
	pc, err := net.ListenPacket("udp4", "127.0.0.1:0")
	if err != nil {
		t.Skip(err)
	}
	defer pc.Close()
	_, port, _ := net.SplitHostPort(master.LocalAddr().String())
	r := &gameagentnet.Registration{Server: new(gameagentnet.Server), Addr: net.JoinHostPort("localhost", port),
		Conn: pc}
	ran := make(chan error, 1)
	go func() { ran <- r.Run(t.Context()) }()
	buf := make([]byte, 2048)
	master.SetReadDeadline(time.Now().Add(time.Minute))
	if n, _, err := master.ReadFrom(buf); err != nil || string(buf[:n]) != "q" {
		t.Errorf("got %q, %v", buf[:n], err)
	}
	if m, err := r.Master(); err != nil || m.String() != master.LocalAddr().String() {
		t.Errorf("master %v, %v", m, err)
	}
	r.Close()
	<-ran
}

// Closing the socket ends Run.
func TestRegistrationOverAClosedSocket(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		network := new(nettest.Network)
		pc, err := network.Listen(gameHost)
		if err != nil {
			t.Fatal(err)
		}
		pc.Close()
		s := new(gameagentnet.Server)
		r := &gameagentnet.Registration{Server: s, Addr: masterHost.String(), Conn: pc}
		if err := r.Run(t.Context()); !errors.Is(err, net.ErrClosed) {
			t.Errorf("Run returned %v", err)
		}
	})
}

// Over real sockets, with Serve and Run on one of them.
func TestRegistrationOverSockets(t *testing.T) {
	master, err := net.ListenPacket("udp4", "127.0.0.1:0")
	if err != nil {
		t.Skip(err)
	}
	defer master.Close()
	for _, addr := range []string{"127.0.0.1:0", ":0"} {
		pc, err := net.ListenPacket("udp", addr)
		if err != nil {
			t.Skip(err)
		}
		s := newServer(t, duel())
		served, ran := make(chan error, 1), make(chan error, 1)
		r := &gameagentnet.Registration{Server: s, Addr: master.LocalAddr().String(), Conn: pc}
		go func() { served <- s.Serve(pc) }()
		go func() { ran <- r.Run(t.Context()) }()
		buf := make([]byte, 2048)
		master.SetReadDeadline(time.Now().Add(time.Minute))
		n, from, err := master.ReadFrom(buf)
		if err != nil || string(buf[:n]) != "q" {
			t.Fatalf("%s: got %q, %v", addr, buf[:n], err)
		}
		if _, err := master.WriteTo([]byte{1, 5, 0, 0, 0}, from); err != nil {
			t.Fatal(err)
		}
		n, from2, err := master.ReadFrom(buf)
		if m, parseErr := gameagent.ParseHeartbeat(buf[:n]); err != nil || parseErr != nil || m.Challenge != 5 ||
			from2.String() != from.String() {
			t.Errorf("%s: got %q from %v and %v, %v", addr, buf[:n], from, from2, err)
		}
		if err := s.Shutdown(t.Context()); err != nil {
			t.Error(err)
		}
		if err := <-served; !errors.Is(err, lobbywire.ErrClosed) {
			t.Errorf("Serve returned %v", err)
		}
		if err := <-ran; !errors.Is(err, lobbywire.ErrClosed) {
			t.Errorf("Run returned %v", err)
		}
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

// A Registration that lacks a field returns an error: it neither panics nor is
// silent.
func TestRegistrationMisuse(t *testing.T) {
	for name, tt := range map[string]struct {
		r    *gameagentnet.Registration
		want string
	}{
		"zero value": {&gameagentnet.Registration{}, "needs a Server"},
		"no Server":  {&gameagentnet.Registration{Addr: "192.0.2.1:9005"}, "needs a Server"},
		"no Addr":    {&gameagentnet.Registration{Server: new(gameagentnet.Server)}, "address of a master"},
		"a name": {&gameagentnet.Registration{Server: new(gameagentnet.Server), Addr: "master.example:9005"},
			"address of a master"},
	} {
		if b := tt.r.Tick(time.Now(), nil); len(b) > 0 {
			t.Errorf("%s: Tick sends %q", name, b)
		}
		if err := tt.r.Status().Err; err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: Tick: %v, want %s", name, err, tt.want)
		}
		if err := tt.r.Set(gameagentnet.State{}); (err != nil) != (tt.r.Server == nil) {
			t.Errorf("%s: Set: %v", name, err)
		}
		if err := tt.r.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "needs a Server") {
			t.Errorf("%s: Run: %v", name, err)
		}
		if b := tt.r.Leave(nil); len(b) > 0 {
			t.Errorf("%s: Leave sends %q", name, b)
		}
		if err := tt.r.Close(); err != nil {
			t.Errorf("%s: Close: %v", name, err)
		}
	}
}
