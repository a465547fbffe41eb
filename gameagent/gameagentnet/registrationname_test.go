package gameagentnet_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/gameagent/gameagentnet"
	"github.com/lobbywire/lobbywire/internal/test/nettest"
)

// A registration that is made by name follows the name of its master. The old address then gets
// nothing, not even answers.
func TestRegistrationFollowsTheNameOfItsMaster(t *testing.T) {
	movedTo := netip.MustParseAddrPort("192.0.2.99:9005")
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
		s.Logger = slog.New(slog.NewTextHandler(&log, nil))
		r := &gameagentnet.Registration{Server: s, Addr: "master.example:9005", Conn: pc}
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
			t.Errorf("%v before the name is found", st)
		}
		move(masterHost)
		time.Sleep(time.Minute)
		if notes, listed := old.read(); len(notes) == 0 || !listed {
			t.Errorf("%q, listed %v", notes, listed)
		}
		if st := r.Status(); st.Standing != lobbywire.StandingListed {
			t.Errorf("%v", st)
		}

		move(movedTo)
		time.Sleep(150 * time.Second)
		old.read()
		time.Sleep(time.Hour)
		if notes, _ := old.read(); len(notes) > 0 {
			t.Errorf("the old address gets %q", notes)
		}
		if notes, listed := moved.read(); len(notes) < 24 || !listed {
			t.Errorf("the new address gets %q, listed %v", notes, listed)
		}
		challenge, _ := gameagent.Challenge{Challenge: 5}.AppendBinary(nil)
		if got, _ := s.Respond(masterHost, challenge, nil); len(got) > 0 {
			t.Errorf("the old address is answered with %q", got)
		}
		if err := s.Shutdown(t.Context()); err != nil {
			t.Error(err)
		}
		<-served
		if err := <-ran; !errors.Is(err, lobbywire.ErrClosed) {
			t.Errorf("Run returned %v", err)
		}
		if strings.Count(log.String(), "\n") != 3 || strings.Count(log.String(), "level=WARN") != 1 {
			t.Errorf("log %s", &log)
		}
	})
}

// A master that does not answer is reported, until it does.
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
