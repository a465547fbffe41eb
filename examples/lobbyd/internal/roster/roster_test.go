package roster_test

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/internal/oneport"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/catalogue"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/roster"
)

// serve runs a server with a player, and returns its query port.
func serve(t *testing.T) (*oneport.Server, netip.AddrPort) {
	t.Helper()
	pc, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := oneport.New(lobbywire.Rates{})
	at := pc.LocalAddr().(*net.UDPAddr).AddrPort()
	s.SetView(lobbywire.View{Name: "One", Game: "serioussamse", Max: new(8), Port: at.Port() - 1,
		Roster: []lobbywire.Player{{Name: "Angelo", Score: new(14), Ping: new(80)}}})
	done := make(chan struct{})
	go func() {
		defer close(done)
		s.Serve(pc)
	}()
	t.Cleanup(func() {
		s.Close()
		<-done
	})
	return s, at
}

// Players returns the players of servers of either form. Concurrent calls share one query.
func TestConcurrentPlayersShareAQuery(t *testing.T) {
	for _, source := range []string{"gameagent", "legacy"} {
		server, at := serve(t)
		e := &catalogue.Entry{ID: "one", Family: catalogue.GameAgent, Source: source, Query: at}
		var asker roster.Asker
		var asking sync.WaitGroup
		for range 20 {
			asking.Go(func() {
				got, err := asker.Players(t.Context(), e)
				if err != nil || len(got.Players) != 1 {
					t.Errorf("%s: got %+v, %v", source, got, err)
					return
				}
				p := got.Players[0]
				if diff := cmp.Diff([]any{"Angelo", 14, 80}, []any{p.Name, *p.Score, *p.Ping}); diff != "" {
					t.Errorf("%s:\n%s", source, diff)
				}
			})
		}
		asking.Wait()
		if got := server.Stats().Received; got > 2 {
			t.Errorf("%s: %d datagrams", source, got)
		}
	}
}

// Hidden servers, and servers that cannot be queried, are not queried. Servers of one
// machine are queried two at a time.
func TestHiddenServersAreNotQueried(t *testing.T) {
	var silent []netip.AddrPort
	for range 10 {
		pc, err := net.ListenPacket("udp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer pc.Close()
		silent = append(silent, pc.LocalAddr().(*net.UDPAddr).AddrPort())
	}
	var asker roster.Asker
	for _, e := range []*catalogue.Entry{
		{Family: catalogue.Warzone},
		{Family: catalogue.GameAgent, Query: silent[0], Quarantine: "absurd"},
	} {
		if _, err := asker.Players(t.Context(), e); !errors.Is(err, roster.ErrNoQuery) {
			t.Errorf("%+v: %v", e, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	results := make(chan error)
	for _, at := range silent {
		go func() {
			_, err := asker.Players(ctx, &catalogue.Entry{Family: catalogue.GameAgent, Query: at})
			results <- err
		}()
	}
	for range len(silent) - 2 {
		if err := <-results; !errors.Is(err, roster.ErrBusy) {
			t.Errorf("a third query of the machine: %v", err)
		}
	}
	cancel()
	for range 2 {
		if err := <-results; !errors.Is(err, context.Canceled) {
			t.Errorf("a silent port: %v", err)
		}
	}
}

// The number of kept answers is bounded, whichever servers visitors choose.
func TestAnswersAreBounded(t *testing.T) {
	var asker roster.Asker
	answered, busy := 0, 0
	start := time.Now()
	for i := range 600 {
		at := netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 0, byte(1 + i>>8), byte(i)}), 1) // where nothing listens
		_, err := asker.Players(t.Context(), &catalogue.Entry{Family: catalogue.GameSpy, Query: at})
		if errors.Is(err, roster.ErrBusy) {
			busy++
		} else {
			answered++
		}
	}
	if time.Since(start) >= roster.Fresh {
		t.Skip("the machine is so slow that the first answers have expired")
	}
	if answered != 512 || busy != 88 {
		t.Errorf("%d are answered, and %d refused", answered, busy)
	}
}
