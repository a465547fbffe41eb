package gamespy2net_test

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
	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
	"github.com/lobbywire/lobbywire/gamespy2/qr2"
	"github.com/lobbywire/lobbywire/internal/test/nettest"
)

// A registration that is made by name follows the name of its master, which first is not
// found, and then moves. The old address no longer gets answers.
func TestRegistrationFollowsTheNameOfItsMaster(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		network := new(nettest.Network)
		var address atomic.Pointer[netip.Addr] // of the name; nil if it is not found
		movedTo := netip.MustParseAddrPort("192.0.2.2:27900")
		masters := []*gamespy2net.Master{newMaster(), newMaster()}
		var wait sync.WaitGroup
		conns := []net.PacketConn{listenOn(t, network, masterAt), listenOn(t, network, movedTo)}
		for i, m := range masters {
			wait.Go(func() { m.Serve(conns[i]) })
		}
		var log bytes.Buffer
		s := newServer(t, gamespy2net.ChallengeOffered, 2)
		s.Logger = slog.New(slog.NewTextHandler(&log, nil))
		conn := listenOn(t, network, serverAt)
		r := &gamespy2net.Registration{Server: s, Conn: conn, Addr: "master.example:27900", Game: "gmtest", Key: "HA6zkS"}
		r.SetLookup(func(_ context.Context, _, host string) ([]netip.Addr, error) {
			if a := address.Load(); a != nil && host == "master.example" {
				return []netip.Addr{*a}, nil
			}
			return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
		})
		wait.Go(func() { s.Serve(conn) })
		wait.Go(func() { r.Run(t.Context()) })
		move := func(to netip.AddrPort) {
			addr := to.Addr()
			address.Store(&addr)
		}

		time.Sleep(time.Minute)
		var notFound *net.DNSError
		if st := r.Status(); !errors.As(st.Err, &notFound) || r.Stats().Sent > 0 {
			t.Errorf("%v before the name is found", st)
		}
		move(masterAt)
		time.Sleep(time.Minute)
		wantListed(t, masters[0], serverAt)
		if st := r.Status(); st.Standing != lobbywire.StandingListed {
			t.Errorf("%v", st)
		}

		// Both masters run, and the name moves.
		move(movedTo)
		time.Sleep(3 * time.Minute)
		wantListed(t, masters[0])
		wantListed(t, masters[1], serverAt)
		challenge := wireBytes(t, qr2.Challenge{Key: instance, Text: "abcdef"})
		if got, _ := s.Respond(masterAt, challenge, nil); len(got) > 0 {
			t.Errorf("the old address gets %q", got)
		}
		if m, err := r.Master(); m != movedTo || err != nil {
			t.Errorf("master %v, %v", m, err)
		}

		// The master is silent, and so is its name for a while.
		if err := masters[1].Close(); err != nil {
			t.Error(err)
		}
		address.Store(nil)
		time.Sleep(10 * time.Minute)
		if st := r.Status(); st.Standing != lobbywire.StandingSilent {
			t.Errorf("%v while the master is silent", st)
		}
		move(masterAt)
		time.Sleep(3 * time.Minute)
		wantListed(t, masters[0], serverAt)
		if err := errors.Join(s.Close(), masters[0].Close()); err != nil {
			t.Error(err)
		}
		wait.Wait()
		if n := strings.Count(log.String(), "\n"); n != 8 || strings.Count(log.String(), "level=WARN") != 3 {
			t.Errorf("log %s", &log)
		}
	})
}

// One of two masters whose name is not found does not keep the server from the other.
func TestRegistrationAtOneOfTwoMasters(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		network := new(nettest.Network)
		m := newMaster()
		var wait sync.WaitGroup
		conn, masterConn := listenOn(t, network, serverAt), listenOn(t, network, masterAt)
		s := newServer(t, gamespy2net.ChallengeOffered, 2)
		wait.Go(func() { m.Serve(masterConn) })
		wait.Go(func() { s.Serve(conn) })
		for _, host := range []string{"nowhere.example", "master.example"} {
			r := &gamespy2net.Registration{Server: s, Conn: conn, Addr: host + ":27900", Game: "gmtest", Key: "HA6zkS"}
			r.SetLookup(func(ctx context.Context, _, host string) ([]netip.Addr, error) {
				if host == "nowhere.example" {
					<-ctx.Done()
					return nil, ctx.Err()
				}
				return []netip.Addr{masterAt.Addr()}, nil
			})
			wait.Go(func() { r.Run(t.Context()) })
		}
		time.Sleep(5 * time.Second)
		wantListed(t, m, serverAt)
		if err := errors.Join(s.Shutdown(t.Context()), m.Close()); err != nil {
			t.Error(err)
		}
		wait.Wait()
	})
}

// The log says at once that the master refuses the server, and once.
func TestRegistrationLogsARefusal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		network := new(nettest.Network)
		m := newMaster()
		var wait sync.WaitGroup
		conn, masterConn := listenOn(t, network, serverAt), listenOn(t, network, masterAt)
		var log bytes.Buffer
		s := newServer(t, gamespy2net.ChallengeOffered, 2)
		s.Logger = slog.New(slog.NewTextHandler(&log, nil))
		r := &gamespy2net.Registration{Server: s, Conn: conn, Addr: masterAt.String(), Game: "gmtest", Key: "WRONG1"}
		wait.Go(func() { m.Serve(masterConn) })
		wait.Go(func() { s.Serve(conn) })
		wait.Go(func() { r.Run(t.Context()) })
		time.Sleep(50 * time.Millisecond)
		synctest.Wait()
		if !strings.Contains(log.String(), "level=WARN") || !strings.Contains(log.String(), "refused by the master") {
			t.Errorf("log %s", &log)
		}
		time.Sleep(time.Hour)
		if err := errors.Join(s.Close(), m.Close()); err != nil {
			t.Error(err)
		}
		wait.Wait()
		if strings.Count(log.String(), "\n") != 1 {
			t.Errorf("log %s", &log)
		}
	})
}
