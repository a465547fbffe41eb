package warzonenet

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/warzone/internal/gamestest"
	"github.com/lobbywire/lobbywire/warzone/internal/hosting"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
	"github.com/lobbywire/lobbywire/warzone/wzjson"
	"github.com/lobbywire/lobbywire/warzone/wzproposal"
)

// An anyHost is any of the hosts of the proposals.
type anyHost struct {
	set   func(port uint16, name string) error
	start func() // nil if the proposal cannot tell
	run   func(ctx context.Context) error
	close func() error
	stats func() HostStats
}

func newAnyHost(s warzonegames.Source, dial dialFunc, announced func(err error)) anyHost {
	if s != warzonegames.SourceJSON {
		h := &ProposalHost{Addr: textAddr.String(), Dial: dial, Announced: announced}
		if s == warzonegames.SourceBinary {
			h.Addr, h.Encoding = binaryAddr.String(), wzproposal.Binary
		}
		return anyHost{func(port uint16, name string) error {
			return h.Set(wzproposal.OpenGame{Port: port, Name: name, Map: "Rush", MaxPlayers: 4})
		}, h.Start, h.Run, h.Close, h.Stats}
	}
	h := &JSONHost{Addr: jsonAddr.String(), Dial: dial, Announced: announced}
	return anyHost{func(_ uint16, name string) error {
		return h.Set(wzjson.Add{Name: name, Map: "Rush", MaxPlayers: 4})
	}, nil, h.Run, h.Close, h.Stats}
}

// keep runs a host until the test ends or end is called, and waits for it.
func (n *protocolsNet) keep(p protocol, from string, announced func(err error)) (k anyHost, end func()) {
	n.t.Helper()
	k = newAnyHost(p.source, n.from(from), announced)
	fatalIf(n.t, k.set(2100, "A game"))
	why := errors.New("over")
	ctx, cancel := context.WithCancelCause(n.t.Context())
	ended := make(chan error, 1)
	go func() { ended <- k.run(ctx) }()
	end = func() {
		cancel(why)
		if err := <-ended; err != why {
			n.t.Errorf("%v: Run returned %v", p.source, err)
		}
		ended <- why
	}
	n.t.Cleanup(end)
	synctest.Wait()
	return k, end
}

// A game stays listed with its latest state, through restarts of the lobby, until
// its host ends.
func TestProposalHosts(t *testing.T) {
	for _, p := range proposals() {
		synctest.Test(t, func(t *testing.T) {
			n := newProtocolsNet(t)
			lobby := n.serve(p, lobbywire.ConnLimits{})
			k, end := n.keep(p, "198.51.100.7", nil)
			n.wantNames(p, "A game")
			time.Sleep(time.Hour + 10*time.Second)
			n.wantNames(p, "A game")

			// A first change is sent at once, and the next ones with a pause.
			fatalIf(t, k.set(2100, "Changed"))
			synctest.Wait()
			n.wantNames(p, "Changed")
			before := updatesOf(lobby)
			for range 1000 {
				fatalIf(t, k.set(2100, "Changing"))
				fatalIf(t, k.set(2100, "Changed again"))
				time.Sleep(time.Millisecond)
			}
			time.Sleep(changeEvery)
			n.wantNames(p, "Changed again")
			if got := updatesOf(lobby) - before; got > 3 {
				t.Errorf("%v: %d changes told", p.source, got)
			}

			// The lobby forgets.
			for e := range n.games.All() {
				n.games.Remove(e.ID)
			}
			n.wantNames(p)
			time.Sleep(openEvery)
			n.wantNames(p, "Changed again")

			// The lobby goes and comes back with nothing.
			fatalIf(t, lobby.Close())
			time.Sleep(time.Hour)
			n.games = new(warzonegames.Games)
			n.serve(p, lobbywire.ConnLimits{})
			time.Sleep(hosting.MaxRetry * 3 / 2)
			n.wantNames(p, "Changed again")

			end()
			n.wantNames(p)
		})
	}
}

// updatesOf counts the requests that changed games.
func updatesOf(s server) uint64 {
	stats := s.(interface{ Stats() LobbyStats }).Stats()
	return stats.Added + stats.Updated
}

// A started game is listed as such until the next Set, also by a lobby that has
// forgotten it.
func TestProposalHostsStart(t *testing.T) {
	for _, p := range proposals()[:2] {
		synctest.Test(t, func(t *testing.T) {
			n := newProtocolsNet(t)
			n.serve(p, lobbywire.ConnLimits{})
			k, end := n.keep(p, "2001:db8::7", nil)
			wantStarted := func(want bool) {
				t.Helper()
				for e := range n.games.All() {
					if e.Started == want {
						return
					}
				}
				t.Errorf("%v: no game with started %v", p.source, want)
			}
			wantStarted(false)
			time.Sleep(changeEvery)
			k.start()
			synctest.Wait()
			wantStarted(true)
			time.Sleep(time.Hour)
			wantStarted(true)
			for e := range n.games.All() {
				n.games.Remove(e.ID)
			}
			time.Sleep(openEvery + 10*time.Second)
			wantStarted(true)

			// The next is at another port; that before is closed.
			fatalIf(t, k.set(2101, "The next"))
			synctest.Wait()
			wantStarted(false)
			n.wantNames(p, "The next")
			end()
			n.wantNames(p)
		})
	}
}

// A host whose game is refused reports it and tries again.
func TestProposalHostsAreRefused(t *testing.T) {
	for _, p := range proposals() {
		synctest.Test(t, func(t *testing.T) {
			n := newProtocolsNet(t)
			n.games.MaxGames = 1
			other, err := n.games.Add(warzonegames.Entry{Key: scriptedAddr, Game: gamestest.Named("Other")})
			fatalIf(t, err)
			n.serve(p, lobbywire.ConnLimits{})
			told := make(chan error, 100)
			_, end := n.keep(p, "198.51.100.7", func(err error) { told <- err })
			var refused *LobbyError
			if err := <-told; !errors.As(err, &refused) || refused.Text != "There are too many games in this lobby: 1 are allowed." {
				t.Errorf("%v: %v", p.source, err)
			}
			time.Sleep(time.Minute)
			if got := len(told); got < 2 || got > 6 {
				t.Errorf("%v: tried %d times again in a minute", p.source, got)
			}
			n.games.Remove(other.ID)
			time.Sleep(2 * time.Minute)
			n.wantNames(p, "A game")
			end()
			n.wantNames(p)
		})
	}
}

func TestProposalHostsMisused(t *testing.T) {
	for _, p := range proposals() {
		synctest.Test(t, func(t *testing.T) {
			n := newProtocolsNet(t)
			if err := newAnyHost(p.source, nil, nil).run(t.Context()); err != hosting.ErrNotSet {
				t.Errorf("%v: %v", p.source, err)
			}
			k, end := n.keep(p, "198.51.100.7", nil)
			if err := k.run(t.Context()); err == nil || !strings.Contains(err.Error(), "already running") {
				t.Errorf("%v: %v", p.source, err)
			}
			end()
			// Again after that.
			n.serve(p, lobbywire.ConnLimits{})
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			ended := make(chan error, 1)
			go func() { ended <- k.run(ctx) }()
			synctest.Wait()
			n.wantNames(p, "A game")
			if err := <-ended; err != context.DeadlineExceeded {
				t.Errorf("%v: %v", p.source, err)
			}
		})
	}
}

// Close ends Run, which closes the game, and Stats counts.
func TestProposalHostsClose(t *testing.T) {
	for _, p := range proposals() {
		synctest.Test(t, func(t *testing.T) {
			n := newProtocolsNet(t)
			n.serve(p, lobbywire.ConnLimits{})
			k := newAnyHost(p.source, n.from("198.51.100.7"), nil)
			fatalIf(t, k.set(2100, "A game"))
			ended := make(chan error, 1)
			go func() { ended <- k.run(t.Context()) }()
			synctest.Wait()
			n.wantNames(p, "A game")
			if got, want := k.stats(), (HostStats{Connects: 1, Sent: 1}); got != want {
				t.Errorf("%v: %+v, want %+v", p.source, got, want)
			}
			fatalIf(t, k.close())
			n.wantNames(p)
			if err := <-ended; err != lobbywire.ErrClosed {
				t.Errorf("%v: Run returned %v", p.source, err)
			}
			if err := k.run(t.Context()); err != lobbywire.ErrClosed {
				t.Errorf("%v: Run after Close returned %v", p.source, err)
			}
		})
	}
}
