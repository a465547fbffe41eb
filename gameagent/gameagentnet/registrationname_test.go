package gameagentnet_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net"
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/gameagent/gameagentnet"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1/gamespy1net"
	"github.com/lobbywire/lobbywire/internal/test/nettest"
)

// A registration that is made by name follows the name of its master in both forms. The old
// address gets a goodbye in the form that has one, and then nothing, not even answers.
func TestRegistrationFollowsTheNameOfItsMaster(t *testing.T) {
	movedTo := netip.MustParseAddrPort("192.0.2.99:9005")
	for _, legacy := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			network := new(nettest.Network)
			var address atomic.Pointer[netip.Addr] // of the name; nil if it is not found
			move := func(to netip.AddrPort) {
				addr := to.Addr()
				address.Store(&addr)
			}
			old, moved := newScribe(t, network, masterHost), newScribe(t, network, movedTo)
			pc, err := network.Listen(gameHost)
			if err != nil {
				t.Fatal(err)
			}
			s := newServer(t, duel())
			var log bytes.Buffer
			s.LegacyKey, s.Logger = gamespy1.SeriousSamKey, slog.New(slog.NewTextHandler(&log, nil))
			r := &gameagentnet.Registration{Server: s, Addr: "master.example:9005", Legacy: legacy, Conn: pc}
			r.SetLookup(func(_ context.Context, _, host string) ([]netip.Addr, error) {
				if a := address.Load(); a != nil {
					return []netip.Addr{*a}, nil
				}
				return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
			})
			served, ran := make(chan error, 1), make(chan error, 1)
			go func() { served <- s.Serve(pc) }()
			go func() { ran <- r.Run(t.Context()) }()

			time.Sleep(time.Minute)
			var notFound *net.DNSError
			if st := r.Status(); !errors.As(st.Err, &notFound) || r.Stats().Sent > 0 {
				t.Errorf("legacy %v: %v before the name is found", legacy, st)
			}
			move(masterHost)
			time.Sleep(time.Minute)
			if notes, listed := old.read(); len(notes) == 0 || listed == legacy {
				t.Errorf("legacy %v: %q, listed %v", legacy, notes, listed)
			}
			if st := r.Status(); legacy != (st.Standing == lobbywire.StandingUnconfirmed) {
				t.Errorf("legacy %v: %v", legacy, st)
			}

			move(movedTo)
			time.Sleep(150 * time.Second)
			notes, _ := old.read()
			if n := len(notes); legacy &&
				(n == 0 || !strings.Contains(notes[n-1], `statechanged`)) {
				t.Errorf("legacy %v: no goodbye in %q", legacy, notes)
			}
			time.Sleep(time.Hour)
			if notes, _ := old.read(); len(notes) > 0 {
				t.Errorf("legacy %v: the old address gets %q", legacy, notes)
			}
			if notes, listed := moved.read(); len(notes) < 24 || listed == legacy {
				t.Errorf("legacy %v: the new address gets %q, listed %v", legacy, notes, listed)
			}
			native, _ := gameagent.Challenge{Challenge: 5}.AppendBinary(nil)
			for _, challenge := range []string{string(native), `\secure\abcdef`, `\echo\hello`} {
				if got, _ := s.Respond(masterHost, []byte(challenge), nil); len(got) > 0 {
					t.Errorf("legacy %v: %q of the old address is answered with %q", legacy, challenge, got)
				}
			}
			if err := s.Shutdown(t.Context()); err != nil {
				t.Error(err)
			}
			<-served
			if err := <-ran; !errors.Is(err, lobbywire.ErrClosed) {
				t.Errorf("legacy %v: Run returned %v", legacy, err)
			}
			if strings.Count(log.String(), "\n") != 3 || strings.Count(log.String(), "level=WARN") != 1 {
				t.Errorf("legacy %v: log %s", legacy, &log)
			}
		})
	}
}

// A native master that does not answer is reported, until it does.
func TestRegistrationReportsASilentMaster(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer(t, duel())
		r := &gameagentnet.Registration{Server: s, Addr: masterHost.String()}
		for range 2 {
			if err := r.Status().Err; err != nil {
				t.Errorf("error %v before the first join was repeated", err)
			}
			r.Tick(time.Now(), nil)
			time.Sleep(3 * time.Second)
		}
		if err := r.Status().Err; !errors.Is(err, lobbywire.ErrTimeout) {
			t.Errorf("a silent master: error %v", err)
		}
		challenge, _ := gameagent.Challenge{Challenge: 5}.AppendBinary(nil)
		s.Respond(masterHost, challenge, nil)
		if st := r.Status(); st.Standing != lobbywire.StandingListed {
			t.Errorf("after a challenge: %v", st)
		}
	})
}

// A server whose legacy master's name has a dead address is listed at the next one in time.
func TestLegacyRegistrationLeavesADeadAddress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		network := new(nettest.Network)
		at := netip.MustParseAddrPort("192.0.2.9:27900")
		m := &gamespy1net.Master{Dial: network.Dial}
		s := newServer(t, duel())
		var serving sync.WaitGroup
		serve := func(addr netip.AddrPort, serve func(pc net.PacketConn) error) net.PacketConn {
			pc, err := network.Listen(addr)
			if err != nil {
				t.Fatal(err)
			}
			serving.Go(func() { serve(pc) })
			return pc
		}
		serve(at, m.Serve)
		r := &gameagentnet.Registration{Server: s, Addr: "master.example:27900", Legacy: true, Conn: serve(gameServer, s.Serve)}
		r.SetLookup(func(context.Context, string, string) ([]netip.Addr, error) {
			return []netip.Addr{at.Addr().Prev(), at.Addr()}, nil
		})
		serving.Go(func() { r.Run(t.Context()) })
		time.Sleep(10 * time.Second)
		expectListed(t, m, gameServer)
		time.Sleep(time.Hour)
		expectListed(t, m, gameServer)
		s.Close()
		m.Close()
		serving.Wait()
	})
}
