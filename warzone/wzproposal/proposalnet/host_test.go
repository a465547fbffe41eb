package proposalnet

import (
	"context"
	"errors"
	"math"
	"net"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/warzone/internal/gamestest"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
	"github.com/lobbywire/lobbywire/warzone/wzproposal"
)

// host returns a host of "A game".
func (n *lobbyNet) host(f wireForm, from string) *Host {
	n.t.Helper()
	h := &Host{Addr: f.addr.String(), Proposal: f.Proposal, Dial: n.from(from)}
	fatalIf(n.t, h.Set(Game{Port: 2100, Name: "A game", Map: "Rush", MaxPlayers: 4}))
	return h
}

// run runs a host until the test ends or end is called.
func (n *lobbyNet) run(h *Host) (end func()) {
	n.t.Helper()
	why := errors.New("over")
	ctx, cancel := context.WithCancelCause(n.t.Context())
	ended := make(chan error, 1)
	go func() { ended <- h.Run(ctx) }()
	end = func() {
		cancel(why)
		if err := <-ended; err != why {
			n.t.Errorf("%v: Run returned %v", h.Proposal, err)
		}
		ended <- why
	}
	n.t.Cleanup(end)
	synctest.Wait()
	return end
}

// forget removes all games.
func (n *lobbyNet) forget() {
	for e := range n.games.All() {
		n.games.Remove(e.ID)
	}
}

// The first change is sent at once, and the next ones with a pause. A game that the lobby has
// forgotten is opened again. Stats counts.
func TestHostAnnouncesChanges(t *testing.T) {
	for _, f := range wireForms() {
		synctest.Test(t, func(t *testing.T) {
			n := newLobbyNet(t)
			lobby := n.serve(f, lobbywire.ConnLimits{})
			h := n.host(f, "198.51.100.7")
			end := n.run(h)
			if got, want := h.Stats(), (HostStats{Announced: 1}); got != want {
				t.Errorf("%v: %+v, want %+v", f, got, want)
			}
			set := func(name string) { fatalIf(t, h.Set(Game{Port: 2100, Name: name, Map: "Rush", MaxPlayers: 4})) }
			time.Sleep(changeEvery)
			set("Changed")
			synctest.Wait()
			n.wantNames(f, "Changed")
			before := lobby.Stats()
			for range 1000 {
				set("Changing")
				set("Changed again")
				time.Sleep(time.Millisecond)
			}
			time.Sleep(changeEvery)
			n.wantNames(f, "Changed again")
			after := lobby.Stats()
			if got := after.Added + after.Updated - before.Added - before.Updated; got > 3 {
				t.Errorf("%v: %d changes were sent", f, got)
			}
			n.forget()
			n.wantNames(f)
			time.Sleep(f.life/4 + 10*time.Second)
			n.wantNames(f, "Changed again")
			end()
		})
	}
}

// A started game is listed as such until the next Set, also by a lobby that has forgotten it.
// The JSON proposal cannot express it.
func TestStartedGameStaysStarted(t *testing.T) {
	for _, f := range wireForms()[:2] {
		synctest.Test(t, func(t *testing.T) {
			n := newLobbyNet(t)
			n.serve(f, lobbywire.ConnLimits{})
			h := n.host(f, "2001:db8::7")
			end := n.run(h)
			wantStarted := func(want bool) {
				t.Helper()
				for e := range n.games.All() {
					if e.Started == want {
						return
					}
				}
				t.Errorf("%v: no game with started %v", f, want)
			}
			wantStarted(false)
			time.Sleep(changeEvery)
			fatalIf(t, h.Set(Game{Port: 2100, Name: "A game", Status: wzproposal.StatusStarted}))
			synctest.Wait()
			wantStarted(true)
			time.Sleep(time.Hour)
			wantStarted(true)
			n.forget()
			time.Sleep(f.life/4 + 10*time.Second)
			wantStarted(true)

			// The next one is at another port; the one before is closed.
			fatalIf(t, h.Set(Game{Port: 2101, Name: "The next"}))
			synctest.Wait()
			wantStarted(false)
			n.wantNames(f, "The next")
			end()
			n.wantNames(f)
		})
	}
}

// A host whose game is refused reports it and tries again.
func TestHostTriesAgain(t *testing.T) {
	for _, f := range wireForms() {
		synctest.Test(t, func(t *testing.T) {
			n := newLobbyNet(t)
			n.games.Limits.MaxGames = 1
			other := n.add(scriptedAddr, warzonegames.Entry{Game: gamestest.Named("Other")})
			n.serve(f, lobbywire.ConnLimits{})
			h := n.host(f, "198.51.100.7")
			told := make(chan error, 100)
			h.Changed = func(s lobbywire.RegistrationStatus) { told <- s.Err }
			end := n.run(h)
			var refused *LobbyError
			if err := <-told; !errors.As(err, &refused) ||
				refused.Text != "There are too many games in this lobby: 1 are allowed." {
				t.Errorf("%v: %v", f, err)
			}
			time.Sleep(time.Minute)
			if got := h.Stats().Failures; got < 3 || got > 7 || len(told) > 0 {
				t.Errorf("%v: tried %d times in a minute, told %d times again", f, got, len(told))
			}
			n.games.Remove(other.ID)
			time.Sleep(2 * time.Minute)
			n.wantNames(f, "A game")
			end()
			n.wantNames(f)
		})
	}
}

// Close does not wait long for a lobby that has confirmed nothing: a lobby that is silent
// or cannot be reached. It takes 5 seconds if the lobby has confirmed the game.
func TestHostClosesSoon(t *testing.T) {
	for _, f := range wireForms() {
		confirms := func() func(c net.Conn) {
			first := true
			return func(c net.Conn) {
				if first {
					c.Write(f.opened)
				}
				first = false
				silent(c)
			}
		}
		unreachable := func(ctx context.Context, _, _ string) (net.Conn, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		}
		closing := 5 * time.Second
		if f.Proposal == JSON {
			closing = silence
		}
		for _, tt := range []struct {
			name  string
			lobby func(c net.Conn)
			dial  dialFunc
			after time.Duration // since Run
			took  time.Duration // at most
		}{
			{"a silent lobby", silent, nil, time.Second, unconfirmed},
			{"a silent lobby, between attempts", silent, nil, 6 * time.Second, unconfirmed},
			{"unreachable", silent, unreachable, time.Second, unconfirmed},
			{"confirmed", confirms(), nil, time.Second, closing},
		} {
			t.Run(f.String()+" "+tt.name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					n := newLobbyNet(t)
					n.script(tt.lobby)
					h := n.host(f, "198.51.100.7")
					h.Addr = scriptedAddr.String()
					if tt.dial != nil {
						h.Dial = tt.dial
					}
					ended := make(chan error, 1)
					go func() { ended <- h.Run(t.Context()) }()
					time.Sleep(tt.after)
					start := time.Now()
					fatalIf(t, h.Close())
					if got := time.Since(start); got > tt.took || tt.name == "confirmed" && got != tt.took {
						t.Errorf("Close took %v, want %v", got, tt.took)
					}
					<-ended
				})
			})
		}
	}
}

// SetView takes any View, and the game stays listed.
func TestHostListsAnyView(t *testing.T) {
	for _, f := range wireForms() {
		synctest.Test(t, func(t *testing.T) {
			n := newLobbyNet(t)
			n.serve(f, lobbywire.ConnLimits{})
			h := n.host(f, "198.51.100.7")
			defer n.run(h)()
			for i, tt := range []struct {
				view lobbywire.View
				want Game
			}{
				{
					lobbywire.View{Name: "Duel", Map: "Rush", Port: 2101, Max: new(8), Players: new(3), Mode: "ctf",
						Version: "4.3"},
					Game{Port: 2101, Name: "Duel", Map: "Rush", MaxPlayers: 8},
				},
				{
					lobbywire.View{Name: "a\tb\xff" + strings.Repeat("\xe4", 100), Map: strings.Repeat("x", 1000),
						Max: new(-1)},
					Game{Port: 2100, Name: "a?bÿ" + strings.Repeat("ä", 59), Map: strings.Repeat("x", 64)},
				},
				{
					lobbywire.View{Name: "Man\ty", Max: new(math.MaxInt), Roster: make([]lobbywire.Player, 300)},
					Game{Port: 2100, Name: "Man?y", MaxPlayers: math.MaxInt32},
				},
			} {
				if changed := h.SetView(tt.view); (len(changed) > 0) != (i > 0) {
					t.Errorf("%v, view %d: changed %q", f, i, changed)
				}
				time.Sleep(2 * time.Second)
				l, err := (&Client{Proposal: f.Proposal, Dial: n.from("203.0.113.1")}).List(t.Context(),
					f.addr.String())
				fatalIf(t, err)
				want := tt.want
				if f.Proposal == JSON {
					want.Port = 2100
				}
				if f.Proposal == JSON && want.MaxPlayers == 0 {
					want.MaxPlayers = 8 // an update cannot remove it
				}
				ignore := cmpopts.IgnoreFields(Game{}, "Host", "Status")
				if diff := cmp.Diff([]Game{want}, l.Games, ignore); diff != "" {
					t.Errorf("%v, view %d (-want +got):\n%s", f, i, diff)
				}
			}
		})
	}
}
