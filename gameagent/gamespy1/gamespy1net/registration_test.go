package gamespy1net_test

import (
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1/gamespy1net"
	"github.com/lobbywire/lobbywire/internal/test/nettest"
)

var (
	gameHost   = netip.MustParseAddrPort("192.0.2.9:25601")
	masterHost = netip.MustParseAddrPort("192.0.2.53:27900")
)

// beat is the heartbeat of the duel.
const beat = `\heartbeat\25601\gamename\serioussamse`

// A scribe acts as a master that never answers: it records what it gets, with the time.
type scribe struct {
	start time.Time

	mu    sync.Mutex
	notes []string
}

func newScribe(t *testing.T, network *nettest.Network, addr netip.AddrPort) *scribe {
	t.Helper()
	m := &scribe{start: time.Now()}
	network.Serve(t, addr, func(_ netip.AddrPort, req []byte) [][]byte {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.notes = append(m.notes, fmt.Sprintf("%v %s", time.Since(m.start).Round(time.Second), req))
		return nil
	})
	return m
}

// read returns the datagrams since the last call.
func (m *scribe) read() []string {
	synctest.Wait()
	m.mu.Lock()
	defer m.mu.Unlock()
	notes := m.notes
	m.notes = nil
	return notes
}

// expect compares the datagrams.
func (m *scribe) expect(t *testing.T, want ...string) {
	t.Helper()
	if got := m.read(); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// run serves s and runs r on a socket at gameHost.
func run(t *testing.T, network *nettest.Network, s *gamespy1net.Server, r *gamespy1net.Registration) (ran chan error) {
	t.Helper()
	pc, err := network.Listen(gameHost)
	if err != nil {
		t.Fatal(err)
	}
	r.Server, r.Conn = s, pc
	served := make(chan struct{})
	ran = make(chan error, 1)
	go func() {
		s.Serve(pc)
		close(served)
	}()
	go func() { ran <- r.Run(t.Context()) }()
	t.Cleanup(func() {
		s.Close()
		<-served
	})
	return ran
}

// fill sets a status with n players.
func fill(t *testing.T, s *gamespy1net.Server, n int) {
	t.Helper()
	status := duel()
	status.NumPlayers = new(n)
	if err := s.Set(status); err != nil {
		t.Fatal(err)
	}
}

func TestRegistrationSendsHeartbeats(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		network := new(nettest.Network)
		m := newScribe(t, network, masterHost)
		s := newServer(t, duel())
		ran := run(t, network, s, &gamespy1net.Registration{Addr: masterHost.String()})
		m.expect(t, "0s "+beat)
		fill(t, s, 3)
		time.Sleep(200 * time.Second)
		m.expect(t, "0s "+beat+`\statechanged`, "2m30s "+beat)
		fill(t, s, 4)
		m.expect(t, "3m20s "+beat+`\statechanged`)
		for n := range 100 {
			fill(t, s, 4+n)
		}
		m.expect(t)
		time.Sleep(10 * time.Second)
		m.expect(t, "3m21s "+beat+`\statechanged`)
		status := duel()
		status.NumPlayers, status.Players[0].Frags = new(103), new(int32(99)) // no change for lists
		status.Extra = []gamespy1.Pair{{Key: "teamscore_0", Value: "7"}}
		if err := s.Set(status); err != nil {
			t.Fatal(err)
		}
		time.Sleep(10 * time.Second)
		m.expect(t)
		if err := s.Shutdown(t.Context()); err != nil {
			t.Error(err)
		}
		if err := <-ran; !errors.Is(err, lobbywire.ErrClosed) {
			t.Errorf("Run returned %v", err)
		}
		m.expect(t, "3m40s "+beat+`\statechanged`)
	})
}

func TestRegistrationKeepsItsTimes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer(t, duel())
		r := &gamespy1net.Registration{Server: s, Addr: masterHost.String()}
		start := time.Now()
		var sent []string
		for end := start.Add(200 * time.Second); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
			if time.Since(start) == 10*time.Second {
				fill(t, s, 3)
			}
			if time.Since(start) == 20*time.Second {
				r.Renew()
			}
			if b := r.Tick(time.Now(), nil); len(b) > 0 {
				sent = append(sent, fmt.Sprintf("%v %s", time.Since(start), b))
			}
		}
		want := []string{"0s " + beat, "10s " + beat + `\statechanged`, "20s " + beat, "2m50s " + beat}
		if !slices.Equal(sent, want) || r.Stats().Sent != 4 {
			t.Errorf("sent %q, %+v, want %q", sent, r.Stats(), want)
		}
		r.Renew() // which the goodbye overtakes
		if b := r.Leave(nil); string(b) != beat+`\statechanged` {
			t.Errorf("left with %q", b)
		}
	})
}

// Only challenges and texts of a master to which the server has registered with a key are answered.
func TestRegistrationAnswersItsMasterOnly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer(t, duel())
		secure, echo := []byte(`\secure\ABCDEF`), []byte(`\echo\x`)
		keyless := &gamespy1net.Registration{Server: s, Addr: "192.0.2.54:27900"}
		keyless.Tick(time.Now(), nil)
		r := &gamespy1net.Registration{Server: s, Addr: masterHost.String(), Key: "made up"}
		r.Tick(time.Now(), nil)
		for _, tt := range []struct {
			name string
			from netip.AddrPort
			req  []byte
			want string
		}{
			{"challenge", masterHost, secure, `\validate\` + gamespy1.Validate("ABCDEF", "made up")},
			{"other port", netip.AddrPortFrom(masterHost.Addr(), 9006), echo, `\echo\x`},
			{"challenge of a stranger", stranger, secure, ""},
			{"text of a stranger", stranger, echo, ""},
			{"challenge of a master without a key", netip.MustParseAddrPort("192.0.2.54:27900"), secure, ""},
			{"text of a master without a key", netip.MustParseAddrPort("192.0.2.54:27900"), echo, ""},
		} {
			got := nettest.Answers(s.Respond(tt.from, tt.req, nil))
			if len(got) != 0 != (tt.want != "") || tt.want != "" && !strings.HasPrefix(string(got[0]), tt.want) {
				t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
			}
		}
		if st := keyless.Status(); st.Standing != lobbywire.StandingUnconfirmed {
			t.Errorf("without a key: %v", st)
		}
		if st := r.Status(); st.Standing != lobbywire.StandingListed {
			t.Errorf("with a key: %v", st)
		}
		time.Sleep(time.Minute)
		for range 2000 {
			s.Respond(masterHost, secure, nil)
		}
		if st := s.Stats(); st.Limited != 1000 {
			t.Errorf("%d challenges are counted as limited", st.Limited)
		}
	})
}

func TestRegistrationSetNeedsAServer(t *testing.T) {
	if err := new(gamespy1net.Registration).Set(gamespy1.Status{}); err == nil {
		t.Error("a status is set without a Server")
	}
}
