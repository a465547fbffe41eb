package bombermannet_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/bomberman"
	"github.com/lobbywire/lobbywire/bomberman/bombermannet"
	"github.com/lobbywire/lobbywire/internal/test/nettest"
)

// runRegistrar runs r until the test ends.
func runRegistrar(t *testing.T, r *bombermannet.Registrar) {
	t.Helper()
	ended := make(chan error, 1)
	go func() { ended <- r.Run(t.Context()) }()
	t.Cleanup(func() {
		r.Close()
		if err := <-ended; err != lobbywire.ErrClosed && err != context.Canceled {
			t.Errorf("Run: %v", err)
		}
	})
}

func set(t *testing.T, r *bombermannet.Registrar, s bomberman.Server) {
	t.Helper()
	if err := r.Set(s); err != nil {
		t.Fatal(err)
	}
	synctest.Wait()
}

func TestRegistrarTellsWhatIsSet(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var m bombermannet.ManagementServer
		network := start(t, &m)
		r := &bombermannet.Registrar{Addr: managementAddr.String(), Dial: network.Dial}
		if err := r.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "Set") {
			t.Errorf("before Set: %v", err)
		}
		if err := new(bombermannet.Registrar).Run(t.Context()); err == nil || !strings.Contains(err.Error(), "Addr") {
			t.Errorf("without Addr: %v", err)
		}
		client := connect(t, network)
		set(t, r, listed("A", 1, 0, 4, true, 1))
		runRegistrar(t, r)
		synctest.Wait()
		client.expectList(listed("A", 1, 0, 4, true, 1))

		// Only the latest state is sent, once a second.
		for i := range 100 {
			set(t, r, listed("A", 1, i, 4, true, 1))
		}
		client.expectList(listed("A", 1, 0, 4, true, 1))
		time.Sleep(time.Second)
		synctest.Wait()
		client.expectList(listed("A", 1, 99, 4, true, 1))
		if got := r.Stats(); got.Sent != 2 || r.Status().Standing != lobbywire.StandingListed {
			t.Errorf("while registered: got %+v, %v", got, r.Status())
		}

		// An unchanged or invalid state is not sent.
		time.Sleep(time.Minute)
		set(t, r, listed("A", 1, 99, 4, true, 1))
		if err := r.Set(listed("", 1, 1, 4, true, 1)); !errors.Is(err, lobbywire.ErrInvalid) {
			t.Errorf("without a name: %v", err)
		}
		if err := r.Set(listed("A", 1, 1, 5, true, 1)); !errors.Is(err, lobbywire.ErrInvalid) {
			t.Errorf("of 5 players: %v", err)
		}
		synctest.Wait()
		if got := r.Stats().Sent; got != 2 {
			t.Errorf("%d sent", got)
		}
		set(t, r, listed("B", 2, 3, 2, false, 2))
		client.expectList(listed("B", 2, 3, 2, false, 2))

		r.Close()
		synctest.Wait()
		client.expectList()
		if got := r.Stats(); got.Connects != 1 || r.Status().Standing != lobbywire.StandingLeft || m.Stats().Discarded != 0 {
			t.Errorf("when closed: got %+v, %+v", got, m.Stats())
		}
		if err := r.Run(t.Context()); err != lobbywire.ErrClosed {
			t.Errorf("Run after Close: %v", err)
		}
	})
}

// A server that closes each connection at once is contacted at growing intervals.
func TestRegistrarIsRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := &bombermannet.ManagementServer{}
		m.Limits.MaxPerAddress = 1
		network := start(t, m)
		other := connectFrom(t, network, "127.0.0.1")
		other.send(register("A", 1))
		other.list()
		r := &bombermannet.Registrar{Addr: managementAddr.String(), Dial: network.Dial}
		set(t, r, listed("A", 1, 0, 4, true, 1))
		var told []lobbywire.Standing
		r.Changed = func(s lobbywire.RegistrationStatus) { told = append(told, s.Standing) }
		runRegistrar(t, r)
		time.Sleep(10 * time.Minute)
		synctest.Wait()
		if got := r.Stats(); got.Connects < 10 || got.Connects > 25 {
			t.Errorf("got %+v after ten minutes of refusal", got)
		}
		isOther := func(s lobbywire.Standing) bool { return s != lobbywire.StandingUnreachable }
		if len(told) < 1 || slices.ContainsFunc(told[1:], isOther) { // the first write may have succeeded
			t.Errorf("told %v", told)
		}
	})
}

// A server may send anything, and need not read.
func TestRegistrarSurvivesAStrangeServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		network := new(nettest.Streams)
		l, err := network.Listen(managementAddr)
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		r := &bombermannet.Registrar{Addr: managementAddr.String(), Dial: network.Dial, Every: time.Nanosecond}
		set(t, r, listed("A", 1, 0, 4, true, 1))
		runRegistrar(t, r)
		c, err := l.Accept()
		if err != nil {
			t.Fatal(err)
		}
		server := newLine(t, c)
		for _, b := range goldens(t) {
			server.raw(string(b))
		}
		for range 100 {
			server.raw(strings.Repeat("4294967296{", 1000))
		}
		time.Sleep(24 * time.Hour)
		if s := r.Status(); s.Standing != lobbywire.StandingListed || r.Stats().Failures != 0 {
			t.Errorf("%v, %+v", s, r.Stats())
		}

		begin := time.Now()
		for i := range 1000 {
			if err := r.Set(listed("A", 1, i, 4, true, 1)); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Millisecond)
		}
		time.Sleep(10 * time.Second)
		synctest.Wait()
		if got := r.Stats(); got.Failures == 0 {
			t.Errorf("got %+v after %v without reading", got, time.Since(begin))
		}
	})
}
