package laws

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/netip"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/registration"
	"github.com/lobbywire/lobbywire/internal/test/nettest"
	"github.com/lobbywire/lobbywire/internal/test/suite"
)

// A Registration keeps a server listed at a master over UDP, to be tested by Test.
type Registration struct {
	// Master returns a master in n, or with sockets if n is nil, and a function that returns the
	// servers that it lists.
	Master func(n *nettest.Network) (m Responder, listed func() []netip.AddrPort)

	// Server returns a server and its registration.
	Server func(t testing.TB, at Setup) (Responder, Registered)

	// Challenged begins the registration of a server, by Tick, and returns a challenge that the
	// master sends to it now.
	Challenged func(t testing.TB, s Responder, r Registered) (challenge []byte)

	Zero      Registered         // the zero value
	NoGoodbye bool               // servers that end stay listed for a while
	Unheard   lobbywire.Standing // at a master that never answers
	Times
}

// A Registered keeps a server in the list of a master, by Run or Tick.
type Registered interface {
	Registrant
	Tick(now time.Time, dst []byte) []byte
	Next() time.Time
	Leave(dst []byte) []byte
	Master() (netip.AddrPort, error)
	Close() error
}

// A Setup holds the settings of a server and its registration.
type Setup struct {
	Conn    net.PacketConn // of both
	Logger  *slog.Logger
	Master  string
	Lookup  registration.Lookup // of the name of the master
	Changed func(lobbywire.RegistrationStatus)
}

// Times are how long things take at most.
type Times struct {
	List  time.Duration // from the start of a server until it is listed
	Loss  time.Duration // the same over a network that loses every tenth datagram
	Again time.Duration // until a server is listed by a master that has restarted
}

// masterAt is the address of the master of a Registration.
var masterAt = netip.MustParseAddrPort("198.51.100.1:27900")

// Test runs the laws.
func (l Registration) Test(t *testing.T) {
	t.Run("listed", func(t *testing.T) { l.isListed(t, nil, l.List) })
	t.Run("losses", func(t *testing.T) {
		for seed := range suite.Pick[uint64](5, 20) {
			l.isListed(t, nettest.Faulty(seed, false), l.Loss)
		}
	})
	t.Run("restart", l.isListedAgain)
	t.Run("dead address", l.leavesADeadAddress)
	t.Run("moved name", l.followsTheName)
	t.Run("status", l.saysHowItStands)
	t.Run("left address", l.leavesTheOldAddress)
	t.Run("misuse", l.refusesMisuse)
	t.Run("runs", l.runsOnceAtATime)
	t.Run("ticks", l.ticksAtAnyRate)
	t.Run("challenges", l.answersItsMaster)
	t.Run("sockets", l.runsOverSockets)
}

// serve serves s until the test ends, and returns what Serve has returned.
func serve(t *testing.T, n *nettest.Network, at netip.AddrPort, s Responder) (ended <-chan error) {
	t.Helper()
	pc, err := n.Listen(at)
	if err != nil {
		t.Fatal(err)
	}
	return serveOn(t, pc, s)
}

func serveOn(t *testing.T, pc net.PacketConn, s Responder) (ended <-chan error) {
	done := make(chan error, 1)
	go func() { done <- s.Serve(pc) }()
	t.Cleanup(func() { s.Close() })
	return done
}

// newServer returns a server and its registration at masterAt.
func (l Registration) newServer(
	t *testing.T, n *nettest.Network, at netip.AddrPort,
) (net.PacketConn, Responder, Registered) {
	t.Helper()
	pc, err := n.Listen(at)
	if err != nil {
		t.Fatal(err)
	}
	s, r := l.Server(t, Setup{Conn: pc, Master: masterAt.String()})
	return pc, s, r
}

// start starts a server and its registration.
func (l Registration) start(t *testing.T, n *nettest.Network) (s Responder, served, ran <-chan error) {
	t.Helper()
	pc, s, r := l.newServer(t, n, home)
	return s, serveOn(t, pc, s), run(t.Context(), r)
}

// run runs r, and returns what Run has returned.
func run(ctx context.Context, r Registrant) (ended <-chan error) {
	done := make(chan error, 1)
	go func() { done <- r.Run(ctx) }()
	return done
}

// A server is listed in time. When it ends, its registration ends too and sends a
// goodbye, which may be lost.
func (l Registration) isListed(t *testing.T, route func(nettest.Packet) []nettest.Packet, within time.Duration) {
	bubble(t, func(t *testing.T, n *nettest.Network) {
		n.Route = route
		m, listed := l.Master(n)
		serve(t, n, masterAt, m)
		s, served, ran := l.start(t, n)
		time.Sleep(within)
		if got := listed(); !slices.Equal(got, []netip.AddrPort{home}) {
			t.Errorf("after %v: %v are listed", within, got)
		}
		if err := s.Shutdown(t.Context()); err != nil {
			t.Errorf("Shutdown: %v", err)
		}
		if err := <-served; !errors.Is(err, lobbywire.ErrClosed) {
			t.Errorf("Serve returned %v", err)
		}
		if err := <-ran; !errors.Is(err, lobbywire.ErrClosed) {
			t.Errorf("Run returned %v", err)
		}
		synctest.Wait()
		if got := listed(); route == nil && l.NoGoodbye != (len(got) > 0) {
			t.Errorf("after Shutdown: %v are listed", got)
		}
	})
}

// A master that restarts without its list soon lists the server again.
func (l Registration) isListedAgain(t *testing.T) {
	bubble(t, func(t *testing.T, n *nettest.Network) {
		first, _ := l.Master(n)
		ended := serve(t, n, masterAt, first)
		s, _, _ := l.start(t, n)
		time.Sleep(l.List)
		if err := first.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
		<-ended
		second, listed := l.Master(n)
		serve(t, n, masterAt, second)
		time.Sleep(l.Again)
		if got := listed(); !slices.Equal(got, []netip.AddrPort{home}) {
			t.Errorf("%v after the restart: %v are listed", l.Again, got)
		}
		if err := s.Shutdown(t.Context()); err != nil {
			t.Errorf("Shutdown: %v", err)
		}
	})
}

// byName starts a server that registers at the master with a name, and returns the status of that.
// find returns the addresses of the name.
func (l Registration) byName(
	t *testing.T, n *nettest.Network, logger *slog.Logger, find func() []netip.Addr,
) (Responder, *statusWatch) {
	t.Helper()
	pc, err := n.Listen(home)
	if err != nil {
		t.Fatal(err)
	}
	w := &statusWatch{t: t}
	lookup := func(context.Context, string, string) ([]netip.Addr, error) {
		if found := find(); found != nil {
			return found, nil
		}
		return nil, &net.DNSError{Err: "no such host", Name: "master.example", IsNotFound: true}
	}
	s, r := l.Server(t, Setup{Conn: pc, Logger: logger, Master: "master.example:27900", Lookup: lookup,
		Changed: w.changed})
	serveOn(t, pc, s)
	w.run(r)
	return s, w
}

// A server whose master's name has a dead address is listed at the next one in time.
func (l Registration) leavesADeadAddress(t *testing.T) {
	bubble(t, func(t *testing.T, n *nettest.Network) {
		m, listed := l.Master(n)
		serve(t, n, masterAt, m)
		l.byName(t, n, nil, func() []netip.Addr { return []netip.Addr{masterAt.Addr().Prev(), masterAt.Addr()} })
		time.Sleep(10*time.Second + l.List)
		if got := listed(); !slices.Equal(got, []netip.AddrPort{home}) {
			t.Errorf("%v are listed", got)
		}
	})
}

// A server whose master has moved to another address of its name is listed there in time.
func (l Registration) followsTheName(t *testing.T) {
	bubble(t, func(t *testing.T, n *nettest.Network) {
		var at atomic.Pointer[netip.AddrPort]
		at.Store(&masterAt)
		first, _ := l.Master(n)
		ended := serve(t, n, masterAt, first)
		l.byName(t, n, nil, func() []netip.Addr { return []netip.Addr{at.Load().Addr()} })
		time.Sleep(4 * time.Minute)
		if err := first.Close(); err != nil {
			t.Error(err)
		}
		<-ended
		second, listed := l.Master(n)
		moved := netip.AddrPortFrom(masterAt.Addr().Next(), masterAt.Port())
		serve(t, n, moved, second)
		at.Store(&moved)
		time.Sleep(time.Minute + l.List)
		if got := listed(); !slices.Equal(got, []netip.AddrPort{home}) {
			t.Errorf("%v are listed", got)
		}
	})
}

// The status says whether the name of the master is found, whether the master answers, and whether
// it lists the server.
func (l Registration) saysHowItStands(t *testing.T) {
	bubble(t, func(t *testing.T, n *nettest.Network) {
		var isFound atomic.Bool
		_, w := l.byName(t, n, nil, func() []netip.Addr {
			if !isFound.Load() {
				return nil
			}
			return []netip.Addr{masterAt.Addr()}
		})
		time.Sleep(time.Minute)
		w.want(lobbywire.StandingUnreachable)
		isFound.Store(true)
		time.Sleep(5 * time.Minute)
		w.want(l.Unheard)
		m, _ := l.Master(n)
		serve(t, n, masterAt, m)
		time.Sleep(10 * time.Minute)
		w.want(lobbywire.StandingListed)
		w.end()
	})
}
