package laws

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net"
	"net/netip"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/test/nettest"
	"github.com/lobbywire/lobbywire/internal/test/suite"
)

// A server whose master's name moves leaves the old address, where the master still runs. The old
// one then gets nothing, not even answers.
func (l Registration) leavesTheOldAddress(t *testing.T) {
	bubble(t, func(t *testing.T, n *nettest.Network) {
		var at atomic.Pointer[netip.AddrPort]
		var sent, sentToOld atomic.Int64
		moved := netip.AddrPortFrom(masterAt.Addr().Next(), masterAt.Port())
		n.Route = func(p nettest.Packet) []nettest.Packet {
			if p.From == home {
				sent.Add(1)
			}
			if p.To == masterAt {
				sentToOld.Add(1)
			}
			return []nettest.Packet{p}
		}
		first, listedFirst := l.Master(n)
		second, listed := l.Master(n)
		serve(t, n, masterAt, first)
		serve(t, n, moved, second)
		var log bytes.Buffer
		s, w := l.byName(t, n, slog.New(slog.NewTextHandler(&log, nil)), func() []netip.Addr {
			if a := at.Load(); a != nil {
				return []netip.Addr{a.Addr()}
			}
			return nil
		})
		time.Sleep(time.Minute)
		if _, ok := errors.AsType[*net.DNSError](w.of.Status().Err); !ok || sent.Load() > 0 {
			t.Errorf("before the name is found: %v, %d sent", w.of.Status(), sent.Load())
		}
		at.Store(&masterAt)
		time.Sleep(time.Minute)
		if got := listedFirst(); !slices.Equal(got, []netip.AddrPort{home}) {
			t.Errorf("%v are listed", got)
		}
		at.Store(&moved)
		time.Sleep(150 * time.Second)
		sentToOld.Store(0)
		time.Sleep(time.Hour)
		if got := listedFirst(); len(got) > 0 || sentToOld.Load() > 0 {
			t.Errorf("the old address lists %v, and has got %d datagrams", got, sentToOld.Load())
		}
		if got := listed(); !slices.Equal(got, []netip.AddrPort{home}) {
			t.Errorf("%v are listed at the new address", got)
		}
		_, s2, r2 := l.newServer(t, n, stranger)
		challenge := l.Challenged(t, s2, r2)
		if got, _ := s.Respond(masterAt, challenge, nil); len(got) > 0 {
			t.Errorf("the old address is answered with %q", got)
		}
		w.end()
		if text := log.String(); strings.Count(text, "\n") != 3 || strings.Count(text, "level=WARN") != 1 {
			t.Errorf("log %s", text)
		}
	})
}

// A registration that lacks something has an error: it neither panics nor sends.
func (l Registration) refusesMisuse(t *testing.T) {
	bubble(t, func(t *testing.T, n *nettest.Network) {
		pc, err := n.Listen(home)
		if err != nil {
			t.Fatal(err)
		}
		const name = "master.example:27900" // for Run only
		all := map[string]Registered{"without fields": l.Zero}
		_, all["without Conn"] = l.Server(t, Setup{Master: name})
		for _, addr := range []string{"", ":27900", "192.0.2.1", "192.0.2.1:0", "[2001:db8::1]:27900",
			"master.example:0", "master.example:http", name} {
			_, all[addr] = l.Server(t, Setup{Conn: pc, Master: addr})
		}
		for what, r := range all {
			if m, err := r.Master(); err == nil {
				t.Errorf("%q: the master is %v", what, m)
			}
			if b := r.Tick(time.Now(), nil); len(b) > 0 || r.Status().Err == nil {
				t.Errorf("%q: Tick sends %q, status %v", what, b, r.Status())
			}
			if what != name {
				if err := r.Run(t.Context()); err == nil || errors.Is(err, lobbywire.ErrClosed) {
					t.Errorf("%q: Run returned %v", what, err)
				}
			}
			if b := r.Leave(nil); len(b) > 0 {
				t.Errorf("%q: Leave sends %q", what, b)
			}
			if err := r.Close(); err != nil {
				t.Errorf("%q: Close: %v", what, err)
			}
		}
	})
}

// A registration runs once at a time, again after its end, and not after Close. It ends with
// its server and its socket.
func (l Registration) runsOnceAtATime(t *testing.T) {
	bubble(t, func(t *testing.T, n *nettest.Network) {
		var sent atomic.Int64
		n.Route = func(p nettest.Packet) []nettest.Packet {
			if p.To == masterAt {
				sent.Add(1)
			}
			return nil
		}
		_, _, r := l.newServer(t, n, home)
		for range 2 {
			sent.Store(0)
			ctx, cancel := context.WithCancel(t.Context())
			ended := run(ctx, r)
			synctest.Wait()
			if s := r.Status(); s.Standing == lobbywire.StandingLeft || sent.Load() == 0 {
				t.Errorf("%v while it runs, %d sent", s, sent.Load())
			}
			if err := r.Run(ctx); err == nil || errors.Is(err, context.Canceled) {
				t.Errorf("a second Run returned %v", err)
			}
			cancel()
			if err := <-ended; !errors.Is(err, context.Canceled) {
				t.Errorf("Run returned %v", err)
			}
			if s := r.Status(); s.Standing != lobbywire.StandingLeft {
				t.Errorf("%v after Run", s)
			}
		}
		ended := run(t.Context(), r)
		synctest.Wait()
		if err := r.Close(); err != nil {
			t.Error(err)
		}
		for _, err := range []error{<-ended, r.Run(t.Context())} {
			if !errors.Is(err, lobbywire.ErrClosed) {
				t.Errorf("Run returned %v after Close", err)
			}
		}

		_, s, r := l.newServer(t, n, netip.AddrPortFrom(home.Addr(), 1))
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		if err := r.Run(t.Context()); !errors.Is(err, lobbywire.ErrClosed) {
			t.Errorf("Run returned %v after Close of the server", err)
		}
		pc, _, r := l.newServer(t, n, netip.AddrPortFrom(home.Addr(), 2))
		pc.Close()
		if err := r.Run(t.Context()); !errors.Is(err, net.ErrClosed) {
			t.Errorf("Run over a closed socket returned %v", err)
		}
	})
}

// A game with a loop of its own may call Tick at any rate. After Leave there is nothing to do.
func (l Registration) ticksAtAnyRate(t *testing.T) {
	bubble(t, func(t *testing.T, n *nettest.Network) {
		_, _, r := l.newServer(t, n, home)
		for start := time.Now(); time.Since(start) < 400*time.Second; time.Sleep(50 * time.Millisecond) {
			due := !r.Next().After(time.Now())
			if b := r.Tick(time.Now(), nil); due != (len(b) > 0) {
				t.Errorf("at %v: due %v, sent %q", time.Since(start), due, b)
			}
		}
		r.Leave(nil)
		if b := r.Leave(r.Tick(time.Now().Add(time.Hour), []byte("dst"))); string(b) != "dst" {
			t.Errorf("after Leave: %q", b)
		}
		if m, err := r.Master(); m != masterAt || err != nil || !r.Next().After(time.Now()) {
			t.Errorf("after Leave: master %v, %v, next %v", m, err, r.Next())
		}
	})
}

// A server answers the challenges of masters at which it registers, and those in limited numbers.
func (l Registration) answersItsMaster(t *testing.T) {
	bubble(t, func(t *testing.T, n *nettest.Network) {
		_, s, r := l.newServer(t, n, home)
		_, other, _ := l.newServer(t, n, stranger)
		challenge := l.Challenged(t, s, r)
		answers := func(s Responder, from netip.AddrPort) int {
			return len(nettest.Answers(s.Respond(from, challenge, nil)))
		}
		mapped := netip.AddrPortFrom(netip.AddrFrom16(masterAt.Addr().As16()), masterAt.Port())
		for _, from := range []netip.AddrPort{masterAt, mapped} {
			if answers(s, from) != 1 {
				t.Errorf("%v is not answered", from)
			}
		}
		if answers(s, stranger) > 0 || answers(other, masterAt) > 0 {
			t.Error("a stranger is answered")
		}
		time.Sleep(time.Minute)
		answered := 0
		for range 2000 {
			answered += answers(s, masterAt)
		}
		if answered != 1000 {
			t.Errorf("%d of 2000 challenges at once are answered", answered)
		}
		time.Sleep(time.Minute)
		r.Leave(nil)
		if answers(s, masterAt) > 0 {
			t.Error("the master is answered after Leave")
		}
	})
}

// Serve and Run share a socket, bound to an address or to all. The name of the master is looked up.
func (l Registration) runsOverSockets(t *testing.T) {
	for _, tt := range []struct{ bound, master string }{{"127.0.0.1:0", "127.0.0.1"}, {":0", "localhost"}} {
		t.Run(tt.master, func(t *testing.T) {
			if tt.master == "localhost" {
				suite.Localhost(t)
			}
			masterConn, err := net.ListenPacket("udp4", "127.0.0.1:0")
			if err != nil {
				t.Skip(err)
			}
			pc, err := net.ListenPacket("udp", tt.bound)
			if err != nil {
				t.Fatal(err)
			}
			m, _ := l.Master(nil)
			serveOn(t, masterConn, m)
			_, port, _ := net.SplitHostPort(masterConn.LocalAddr().String())
			isListed := make(chan struct{}, 10)
			s, r := l.Server(t, Setup{Conn: pc, Master: net.JoinHostPort(tt.master, port),
				Changed: func(s lobbywire.RegistrationStatus) {
					if s.Standing == lobbywire.StandingListed {
						isListed <- struct{}{}
					}
				}})
			served, ran := serveOn(t, pc, s), run(t.Context(), r)
			select {
			case <-isListed:
			case <-time.After(time.Minute):
				t.Errorf("not listed: %v", r.Status())
			}
			if at, err := r.Master(); err != nil || at.String() != masterConn.LocalAddr().String() {
				t.Errorf("the master is %v, %v", at, err)
			}
			if err := s.Shutdown(t.Context()); err != nil {
				t.Error(err)
			}
			for _, err := range []error{<-served, <-ran} {
				if !errors.Is(err, lobbywire.ErrClosed) {
					t.Errorf("Serve or Run returned %v", err)
				}
			}
		})
	}
}
