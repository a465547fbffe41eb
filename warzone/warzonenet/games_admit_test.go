package warzonenet

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/netip"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/warzone"
)

// banned are the names that Admit refuses.
type banned struct{ names atomic.Pointer[[]string] }

func (b *banned) set(names ...string) { b.names.Store(&names) }

func (b *banned) admit(e Entry) bool {
	names := b.names.Load()
	return names == nil || !slices.Contains(*names, e.Game.Name)
}

// wantWithheld checks the names of listed and withheld games in every list. All
// games must be of version 4 and not have started.
func wantWithheld(t *testing.T, g *Games, listed, withheld []string) {
	t.Helper()
	var all [2][]string // listed, withheld
	for e := range g.All() {
		at := 0
		if e.Withheld {
			at = 1
		}
		all[at] = append(all[at], e.Game.Name)
		byKey, _ := g.Find(e.Key)
		if byID, _ := g.FindID(e.ID); byKey != e || byID != e {
			t.Errorf("%+v, found by key %+v, by ID %+v", e, byKey, byID)
		}
	}
	for i, want := range [][]string{listed, withheld} {
		slices.Sort(all[i])
		if !slices.Equal(all[i], want) {
			t.Errorf("withheld %v: %q, want %q", i == 1, all[i], want)
		}
	}
	var shown []string
	for _, page := range g.list(warzone.LayoutVersioned).pages {
		for record := range slices.Chunk(page, warzone.GameSize) {
			game, err := warzone.ParseGame(record)
			fatalIf(t, err)
			shown = append(shown, game.Name)
		}
	}
	slices.Sort(shown)
	if !slices.Equal(shown, listed) {
		t.Errorf("list %q, want %q", shown, listed)
	}
	if st := g.Stats(); st.Listed != len(listed) || st.Withheld != len(withheld) {
		t.Errorf("stats %+v, want %d and %d", st, len(listed), len(withheld))
	}
}

func only(names ...string) []string { return names }

// A withheld game is in no list of any protocol, whether it was withheld before or after
// the first list.
func TestWithheldFromAllProtocols(t *testing.T) {
	for _, opens := range protocols() {
		for _, asked := range []bool{false, true} {
			t.Run(fmt.Sprintf("%v, asked before: %v", opens.source, asked), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					rules := new(banned)
					rules.set("Bad")
					n := newProtocolsNet(t)
					n.games.Admit = rules.admit
					want := func(names ...string) {
						t.Helper()
						for _, lists := range protocols() {
							n.wantNames(lists, names...)
						}
					}
					for _, p := range protocols() {
						n.serve(p, lobbywire.ConnLimits{})
					}
					if asked {
						want()
					}
					opens.host(t, n.from("198.51.100.7"), "Bad")
					want()
					opens.host(t, n.from("198.51.100.8"), "Good")
					want("Good")
					wantWithheld(t, n.games, only("Good"), only("Bad"))

					rules.set()
					want("Good")
					n.games.Review()
					want("Good", "Bad")
					rules.set("Good")
					n.games.Review()
					want("Bad")
					rules.set("Bad", "Good")
					n.games.Review()
					want()
				})
			})
		}
	}
}

// Lists of 112-byte games do not show it either.
func TestWithheldFromListsOfRecords(t *testing.T) {
	g := new(Games)
	rules := new(banned)
	g.Admit = rules.admit
	game := recordOf(warzone.Layout21, "Bad")
	addGame(t, g, Entry{Key: netip.MustParseAddrPort("198.51.100.7:9999"), Game: game})
	for _, names := range [][]string{nil, {"Bad"}, nil} {
		rules.set(names...)
		g.Review()
		for _, l := range []warzone.Layout{warzone.Layout20, warzone.Layout21, warzone.LayoutVersioned} {
			if got := g.list(l).count; got != 1-len(names) {
				t.Errorf("%v banned: %d games in a list of %v", names, got, l)
			}
		}
	}
}

// The host of a withheld game gets the usual answers.
func TestWithheldGameOfVersion4(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rules := new(banned)
		rules.set("Bad")
		l := &Lobby{Games: &Games{Admit: rules.admit}}
		n := startLobby(t, l)
		var id uint32
		n.listen(hostAddr+":2101", alive(&id))
		h := n.connect(hostAddr)
		id = h.id()
		game := gameOfVersion(warzone.Version4, "Bad")
		game.GameID = id
		h.send(warzone.AddGame{Game: game})
		h.wantStatus(warzone.StatusOK)
		game.CurrentPlayers = 2
		h.send(warzone.Update{Game: game})
		h.wantStatus(warzone.StatusOK)
		for range 10 {
			h.wantSilence(25 * time.Second)
			h.send(warzone.Keep{})
		}
		synctest.Wait()
		wantWithheld(t, n.games, nil, only("Bad"))
		if e, _ := n.games.FindID(id); !e.Verified || e.Game.CurrentPlayers != 2 || time.Since(e.Seen) > time.Second {
			t.Errorf("%+v", e)
		}
		if names := n.names(); len(names) > 0 {
			t.Errorf("listed %q", names)
		}

		game.Name = "Good"
		h.send(warzone.Update{Game: game})
		h.wantStatus(warzone.StatusOK)
		if m, _ := n.list(); len(m.Games) != 1 || m.Games[0].Name != "Good" || m.Games[0].CurrentPlayers != 2 {
			t.Errorf("listed %+v", m.Games)
		}
		game.Name = "Bad"
		h.send(warzone.Update{Game: game})
		h.wantStatus(warzone.StatusOK)
		wantWithheld(t, n.games, nil, only("Bad"))
		if st := l.Stats(); st.Added != 1 || st.Updated != 3 || st.Malformed != 0 {
			t.Errorf("%+v", st)
		}
		h.Close()
		synctest.Wait()
		wantWithheld(t, n.games, nil, nil)
	})
}

// The hosts of the proposals can change and close a withheld game as usual.
func TestWithheldGameOfAProposal(t *testing.T) {
	for _, p := range proposals() {
		synctest.Test(t, func(t *testing.T) {
			rules := new(banned)
			rules.set("Bad", "Worse")
			n := newProtocolsNet(t)
			n.games.Admit = rules.admit
			s := n.serve(p, lobbywire.ConnLimits{})
			c := n.connect("198.51.100.7", p.addr)
			var told uint64
			for _, name := range []string{"Bad", "Worse", "Good", "Bad"} {
				c.send(p.open(2100, name))
				if b := c.answer(); !p.opened(b) {
					t.Errorf("%v: %q", p.source, b)
				}
				told++
				if name == "Good" {
					n.wantNames(p, name)
					continue
				}
				n.wantNames(p)
				wantWithheld(t, n.games, nil, only(name))
			}
			if got := updatesOf(s); got != told {
				t.Errorf("%v: %d opened or updated, want %d", p.source, got, told)
			}
			time.Sleep(10*time.Minute + time.Second) // JSON games expire earlier
			wantWithheld(t, n.games, nil, nil)
		})
	}
}

// Games passes Admit the current entry and uses only its result.
func TestGamesAskAdmit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var asked []string
		g := &Games{MaxGames: 2, Admit: func(e Entry) bool {
			if e.Game.Host != e.Key.Addr().String() || e.Game.GameID != e.ID || !e.Seen.Equal(time.Now()) || e.Opened.IsZero() {
				t.Errorf("asked of %+v", e)
			}
			asked = append(asked, fmt.Sprintf("%s %v", e.Game.Name, e.Withheld))
			return e.Game.Name == "Good"
		}}
		named := func(name string, withheld bool) Entry {
			e := gameAt(1)
			e.Game.Name, e.Withheld = name, withheld
			return e
		}
		first := addGame(t, g, named("Bad", false))
		if !first.Withheld {
			t.Error("not told that it is withheld")
		}
		changes := g.Changes()
		g.Review()
		if g.Changes() != changes {
			t.Error("changed by the same rules")
		}
		if e, err := g.Update(first.ID, func(e *Entry) { e.Game.Name, e.Withheld = "Good", true }); err != nil || e.Withheld {
			t.Errorf("%+v, %v", e, err)
		}
		if e, err := g.Update(first.ID, func(e *Entry) { e.Game.Name, e.Withheld = "Bad", false }); err != nil || !e.Withheld {
			t.Errorf("%+v, %v", e, err)
		}
		g.Touch(first.ID, time.Time{})
		again := addGame(t, g, named("Good", true)) // in place of it
		wantWithheld(t, g, only("Good"), nil)
		if _, err := g.Update(again.ID, func(e *Entry) { e.Game.Version = 9 }); err == nil {
			t.Error("what cannot be written is taken")
		}
		if _, ok := g.FindID(first.ID); ok {
			t.Error("what it replaces is there")
		}
		want := []string{"Bad false", "Bad true", "Good true", "Bad false", "Good true"}
		if !slices.Equal(asked, want) {
			t.Errorf("asked of %q, want %q", asked, want)
		}

		// Withheld games count towards the limits.
		second := gameAt(2)
		second.Expires = time.Now().Add(time.Minute)
		addGame(t, g, second)
		if _, err := g.Add(gameAt(3)); !errors.Is(err, ErrFull) {
			t.Errorf("full: %v", err)
		}
		wantWithheld(t, g, only("Good"), only("Game 2"))
		time.Sleep(2 * time.Minute)
		wantWithheld(t, g, only("Good"), nil)
	})
}

// Each node applies its own rules to all games.
func TestStoreAndAdmit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, nodes := newNodes(t, 2)
		strict, lax := nodes[0], nodes[1]
		rules := new(banned)
		rules.set("Game 1", "Game 2")
		strict.Admit = rules.admit
		own := addGame(t, strict, gameAt(1))
		other := addGame(t, lax, gameAt(2))
		b.flush()
		wantWithheld(t, strict, nil, only("Game 1", "Game 2"))
		wantWithheld(t, lax, only("Game 1", "Game 2"), nil)
		if told := b.nodes[0].puts[0]; !told.Withheld {
			t.Errorf("told of %+v", told)
		}

		// Admit is called for changes from other nodes.
		time.Sleep(time.Second)
		_, err := lax.Update(other.ID, func(e *Entry) { e.Game.Name = "Game 3" })
		fatalIf(t, err)
		b.flush()
		wantWithheld(t, strict, only("Game 3"), only("Game 1"))
		rules.set("Game 3")
		strict.Review()
		b.flush()
		wantWithheld(t, strict, only("Game 1"), only("Game 3"))
		wantWithheld(t, lax, only("Game 1", "Game 3"), nil)

		// Withheld games expire as others do.
		for range 100 {
			time.Sleep(3 * time.Second)
			b.flush()
		}
		wantWithheld(t, strict, only("Game 1"), only("Game 3"))
		lax.Remove(other.ID)
		rules.set("Game 1")
		strict.Review()
		b.flush()
		wantWithheld(t, strict, nil, only("Game 1"))
		strict.Remove(own.ID)
		b.flush()
		wantWithheld(t, strict, nil, nil)
		wantWithheld(t, lax, nil, nil)
	})
}

// After any changes in any order, the list has exactly the admitted games, also if
// there are more than Review handles in one step.
func TestReviewOfAnything(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	rules := new(banned)
	g := &Games{Admit: rules.admit, MaxPerPrefix: 1 << 20, MaxListed: 1 << 20}
	v := newNameView(g)
	model := map[uint32]string{} // names
	anyName := func() string { return fmt.Sprint("n", r.IntN(9)) }
	for step := range 2000 {
		ids := slices.Sorted(maps.Keys(model))
		switch n := r.IntN(6); {
		case n < 4 || len(ids) == 0:
			e := gameAt(step)
			e.Game.Name = anyName()
			model[addGame(t, g, e).ID] = e.Game.Name
		case n == 4:
			id := ids[r.IntN(len(ids))]
			g.Remove(id)
			delete(model, id)
		default:
			id, name := ids[r.IntN(len(ids))], anyName()
			_, err := g.Update(id, func(e *Entry) { e.Game.Name = name })
			fatalIf(t, err)
			model[id] = name
		}
		if step%20 > 0 {
			continue
		}
		isBanned := map[string]bool{}
		for range r.IntN(9) {
			isBanned[anyName()] = true
		}
		rules.set(slices.Collect(maps.Keys(isBanned))...)
		g.Review()
		var listed, withheld []string
		for _, name := range model {
			if isBanned[name] {
				withheld = append(withheld, name)
			} else {
				listed = append(listed, name)
			}
		}
		slices.Sort(listed)
		slices.Sort(withheld)
		wantWithheld(t, g, listed, withheld)
		if rows := allOf(v); !slices.Equal(slices.Sorted(slices.Values(rows)), listed) {
			t.Fatalf("step %d: rows %q, want %q", step, rows, listed)
		}
	}
	const several = 512 // parts of a Review
	if len(model) < several {
		t.Errorf("only %d games", len(model))
	}
}

// Rules may change while games are added and removed and clients list them.
func TestReviewMeanwhile(t *testing.T) {
	rules := new(banned)
	g := &Games{Admit: rules.admit}
	v := newNameView(g)
	var hosts sync.WaitGroup
	for i := range 4 {
		hosts.Go(func() {
			for range 100 {
				e, err := g.Add(gameAt(i))
				if err != nil {
					t.Error(err)
				}
				if _, err := g.Update(e.ID, func(e *Entry) { e.Game.CurrentPlayers++ }); err != nil {
					t.Error(err)
				}
				g.list(warzone.LayoutVersioned)
				v.encoded()
			}
		})
	}
	for _, name := range slices.Repeat([]string{"Game 1", "Game 2"}, 100) {
		rules.set(name)
		g.Review()
	}
	hosts.Wait()
	wantWithheld(t, g, only("Game 0", "Game 1", "Game 3"), only("Game 2"))
}

// Admit does not make lists or changes allocate.
func TestAdmitAllocatesNothing(t *testing.T) {
	rules := new(banned)
	rules.set("Game 2")
	var want float64
	for i, admit := range []func(Entry) bool{nil, rules.admit} {
		g := &Games{Admit: admit}
		id := addGame(t, g, gameAt(1)).ID
		addGame(t, g, gameAt(2))
		g.list(warzone.LayoutVersioned)
		if got := testing.AllocsPerRun(100, func() { g.list(warzone.LayoutVersioned) }); got != 0 {
			t.Errorf("list: %v allocations", got)
		}
		got := testing.AllocsPerRun(100, func() { g.Update(id, func(e *Entry) { e.Game.CurrentPlayers ^= 1 }) })
		if i == 0 {
			want = got
		} else if got != want {
			t.Errorf("change: %v allocations, want %v", got, want)
		}
	}
}
