package warzonegames_test

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire/warzone/internal/gamelist"
	"github.com/lobbywire/lobbywire/warzone/internal/gamestest"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
)

// hosts are what a Checker connects to. Its fields may be changed while all goroutines wait.
type hosts struct {
	mu      sync.Mutex
	errs    map[netip.AddrPort]error // of hosts that do not answer
	slow    map[netip.AddrPort]bool  // take 10 s
	checked map[netip.AddrPort][]time.Time
	changes []string

	running, peak map[string]int // checks, by address, by prefix and in total
}

// check starts a Checker of all games until the test ends.
func (h *hosts) check(t *testing.T, g *warzonegames.Games) {
	h.errs, h.slow = make(map[netip.AddrPort]error), make(map[netip.AddrPort]bool)
	h.checked = make(map[netip.AddrPort][]time.Time)
	h.running, h.peak = make(map[string]int), make(map[string]int)
	t.Cleanup(g.ForLobbies().Check(gamelist.Checker[warzonegames.Entry]{
		Has:   func(*warzonegames.Entry) bool { return true },
		Check: h.answer,
		Changed: func(e warzonegames.Entry, err error) {
			h.mu.Lock()
			defer h.mu.Unlock()
			h.changes = append(h.changes, fmt.Sprintf("%s %v %v", e.Game.Name, e.Unreachable, err))
		},
	}))
}

func (h *hosts) answer(ctx context.Context, e warzonegames.Entry) error {
	prefix, _ := e.Key.Addr().Prefix(24)
	counted := []string{"all", "address " + e.Key.Addr().String(), "prefix " + prefix.String()}
	h.mu.Lock()
	h.checked[e.Key] = append(h.checked[e.Key], time.Now())
	for _, of := range counted {
		h.running[of]++
		h.peak[of] = max(h.peak[of], h.running[of])
	}
	err, slow := h.errs[e.Key], h.slow[e.Key]
	h.mu.Unlock()
	if slow {
		select {
		case <-time.After(10 * time.Second):
		case <-ctx.Done():
			err = ctx.Err()
		}
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, of := range counted {
		h.running[of]--
	}
	return err
}

// set sets what the host of a game answers from now on.
func (h *hosts) set(e warzonegames.Entry, err error) {
	synctest.Wait()
	h.mu.Lock()
	defer h.mu.Unlock()
	h.errs[e.Key] = err
}

// delay makes the host of a game take longer to answer than checks allow.
func (h *hosts) delay(e warzonegames.Entry) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.slow[e.Key] = true
}

// checksOf returns how often a game was checked.
func (h *hosts) checksOf(e warzonegames.Entry) int {
	synctest.Wait()
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.checked[e.Key])
}

// wantChanges checks the changes since the last call.
func (h *hosts) wantChanges(t *testing.T, want ...string) {
	t.Helper()
	synctest.Wait()
	h.mu.Lock()
	defer h.mu.Unlock()
	if !slices.Equal(h.changes, want) {
		t.Errorf("changes %q, want %q", h.changes, want)
	}
	h.changes = nil
}

var errRefused = &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}

// verified returns a game that its lobby has connected to.
func verified(i int) warzonegames.Entry {
	e := gamestest.At(i)
	e.Verified = true
	return e
}

// A game that does not answer for minutes is withheld, and is listed again when it answers.
func TestSilentGamesAreWithheld(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var g warzonegames.Games
		var h hosts
		h.check(t, &g)
		closes := gamestest.Add(t, &g, verified(1))
		gamestest.Add(t, &g, verified(2))
		time.Sleep(time.Hour)
		if n := h.checksOf(closes); n < 23 || n > 30 {
			t.Errorf("checked %d times in an hour", n)
		}
		gamestest.WantWithheld(t, &g, only("Game 1", "Game 2"), nil)
		h.wantChanges(t)

		h.set(closes, errRefused)
		before := h.checksOf(closes)
		for h.checksOf(closes) == before {
			time.Sleep(time.Second)
		}
		time.Sleep(2*time.Minute + 55*time.Second) // of three more checks, one is not due yet
		synctest.Wait()
		gamestest.WantWithheld(t, &g, only("Game 1", "Game 2"), nil)
		time.Sleep(time.Minute)
		synctest.Wait()
		gamestest.WantWithheld(t, &g, only("Game 2"), only("Game 1"))
		h.wantChanges(t, "Game 1 true dial tcp: connection refused")

		// Its host is connected, and changes the game.
		if e, err := g.Update(closes.ID, func(e *warzonegames.Entry) {
			e.Game.CurrentPlayers, e.Unreachable, e.Withheld = 3, false, false
		}); err != nil || !e.Unreachable || !e.Withheld || e.Game.CurrentPlayers != 3 {
			t.Errorf("updated to %+v, %v", e, err)
		}
		g.Review()
		time.Sleep(time.Hour)
		synctest.Wait()
		gamestest.WantWithheld(t, &g, only("Game 2"), only("Game 1"))
		h.wantChanges(t)

		h.set(closes, nil)
		time.Sleep(80 * time.Second)
		synctest.Wait()
		gamestest.WantWithheld(t, &g, only("Game 1", "Game 2"), nil)
		h.wantChanges(t, "Game 1 false <nil>")
	})
}

// A game that misses a few checks, as one whose backlog is full, stays listed. So do all games
// while the lobby itself cannot connect.
func TestFewMissedChecksHideNoGame(t *testing.T) {
	own := []error{syscall.EMFILE, syscall.ENFILE, syscall.ENOBUFS, syscall.ENOMEM, syscall.EADDRNOTAVAIL,
		syscall.EACCES, syscall.EPERM, syscall.ENETDOWN, syscall.ENETUNREACH}
	synctest.Test(t, func(t *testing.T) {
		var g warzonegames.Games
		var h hosts
		h.check(t, &g)
		busy, broken := gamestest.Add(t, &g, verified(1)), gamestest.Add(t, &g, verified(2))
		for n := range 400 {
			at := h.checksOf(busy)
			h.set(busy, errRefused)
			if at%4 == 3 {
				h.set(busy, nil)
			}
			h.set(broken, &net.OpError{Op: "dial", Err: own[n%len(own)]})
			time.Sleep(20 * time.Second)
		}
		synctest.Wait()
		gamestest.WantWithheld(t, &g, only("Game 1", "Game 2"), nil)
		h.wantChanges(t)
		if n := h.checksOf(busy); n < 80 {
			t.Errorf("checked %d times", n)
		}
	})
}

// A game that nobody has connected to yet is checked, too, and is then Verified. One that has never
// answered stays listed.
func TestCheckVerifiesGamesThatAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, nodes := gamestest.Nodes(t, 2)
		var h hosts
		h.check(t, nodes[0])
		open, closed := gamestest.At(1), gamestest.At(2)
		open.Source, closed.Source = warzonegames.SourceText, warzonegames.SourceText
		open.Expires, closed.Expires = time.Now().Add(time.Hour), time.Now().Add(time.Hour)
		open, closed = gamestest.Add(t, nodes[0], open), gamestest.Add(t, nodes[0], closed)
		h.set(closed, errRefused)
		time.Sleep(30 * time.Minute)
		synctest.Wait()
		if n := h.checksOf(closed); n < 11 || n > 15 {
			t.Errorf("checked %d times", n)
		}
		b.Flush()
		for _, g := range nodes {
			if e, _ := g.FindID(open.ID); !e.Verified || e.Withheld {
				t.Errorf("the open port: %+v", e)
			}
			if e, _ := g.FindID(closed.ID); e.Verified || e.Withheld {
				t.Errorf("the closed port: %+v", e)
			}
		}
	})
}

// Games that are hidden by Admit, or are being played, are not connected to.
func TestHiddenAndPlayedGamesAreNotChecked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rules := new(gamestest.Banned)
		g := warzonegames.Games{Admit: rules.Admit}
		var h hosts
		h.check(t, &g)
		bad, played := verified(1), verified(2)
		played.Started = true
		bad, played = gamestest.Add(t, &g, bad), gamestest.Add(t, &g, played)
		h.set(bad, errRefused)
		time.Sleep(10 * time.Minute)
		n := h.checksOf(bad)
		h.wantChanges(t, "Game 1 true dial tcp: connection refused")
		rules.Set("Game 1")
		g.Review()
		time.Sleep(time.Hour)
		if h.checksOf(bad) != n || h.checksOf(played) != 0 {
			t.Errorf("checked a banned game %d times more, and one that is played %d times", h.checksOf(bad)-n,
				h.checksOf(played))
		}
		h.set(bad, nil)
		rules.Set()
		g.Review()
		time.Sleep(3 * time.Minute)
		h.wantChanges(t, "Game 1 false <nil>")
		if e, _ := g.FindID(bad.ID); e.Withheld {
			t.Errorf("%+v", e)
		}
	})
}

// A game that is withheld on one node is withheld on all, also when its host moves, and when
// its host opens it again, unless the lobby has connected to it.
func TestWithheldIsHiddenOnAllNodes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, nodes := gamestest.Nodes(t, 3)
		var h, elsewhere hosts
		h.check(t, nodes[0])
		elsewhere.check(t, nodes[1])
		e := verified(1)
		e.Source, e.Expires = warzonegames.SourceHTTP, time.Now().Add(time.Hour)
		e = gamestest.Add(t, nodes[0], e)
		b.Flush()
		h.set(e, errRefused)
		elsewhere.set(e, errRefused)
		time.Sleep(8 * time.Minute)
		synctest.Wait()
		b.Flush()
		for _, g := range nodes {
			gamestest.WantWithheld(t, g, nil, only("Game 1"))
		}
		if n := elsewhere.checksOf(e); n > 0 {
			t.Errorf("another node has checked the game %d times", n)
		}

		moved := func(e *warzonegames.Entry) { e.Game.CurrentPlayers++ }
		if _, err := nodes[1].ForLobbies().Adopt(e.ID, moved); err != nil {
			t.Fatal(err)
		}
		time.Sleep(5 * time.Second)
		synctest.Wait()
		b.Flush()
		n := h.checksOf(e)
		for _, g := range nodes {
			gamestest.WantWithheld(t, g, nil, only("Game 1"))
		}
		elsewhere.set(e, nil)
		time.Sleep(2 * time.Minute)
		synctest.Wait()
		b.Flush()
		for _, g := range nodes {
			gamestest.WantWithheld(t, g, only("Game 1"), nil)
		}
		if h.checksOf(e) != n {
			t.Error("the first node checks the game")
		}
	})
}

func TestWithheldGameOpensAgain(t *testing.T) {
	for _, isVerified := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			var g warzonegames.Games
			var h hosts
			h.check(t, &g)
			e := gamestest.At(1)
			e.Source, e.Expires = warzonegames.SourceJSON, time.Now().Add(time.Hour)
			added := gamestest.Add(t, &g, e)
			time.Sleep(2 * time.Minute)
			h.set(added, errRefused)
			for range 20 {
				time.Sleep(30 * time.Second) // opening it often does not delay the checks
				gamestest.Add(t, &g, e)
			}
			gamestest.WantWithheld(t, &g, nil, only("Game 1"))
			h.wantChanges(t, "Game 1 true dial tcp: connection refused")

			e.Verified, e.Unreachable = isVerified, !isVerified
			if added = gamestest.Add(t, &g, e); added.Unreachable == isVerified {
				t.Errorf("%+v", added)
			}
			if isVerified {
				gamestest.WantWithheld(t, &g, only("Game 1"), nil)
				time.Sleep(3 * time.Minute)
				gamestest.WantWithheld(t, &g, only("Game 1"), nil) // it counts from 0
			}
		})
	}
	var g warzonegames.Games
	e := verified(1)
	e.Unreachable = true
	if e = gamestest.Add(t, &g, e); e.Unreachable {
		t.Error("a lobby has withheld a game")
	}
}

// Games that accept connections and never answer do not keep others from being checked, and
// the number of checks is limited.
func TestChecksAreBounded(t *testing.T) {
	for _, tt := range []struct {
		prefixes, of int // games
		least        int // checks of another game in 21 minutes
		peak         int // at the same time
	}{
		{6, 100, 8, 6 * 14},
		{100, 12, 8, 256},
	} {
		synctest.Test(t, func(t *testing.T) {
			g := warzonegames.Games{Limits: warzonegames.Limits{MaxPerAddress: 100}}
			var h hosts
			h.check(t, &g)
			for i := range tt.prefixes * tt.of {
				e := verified(i/tt.of<<8 + i%tt.of/2) // two of an address
				e.Key = netip.AddrPortFrom(e.Key.Addr(), 2100+uint16(i%2))
				h.delay(gamestest.Add(t, &g, e))
			}
			other := gamestest.Add(t, &g, verified(1<<21))
			time.Sleep(21 * time.Minute)
			if n := h.checksOf(other); n < tt.least {
				t.Errorf("another game was checked %d times", n)
			}
			h.mu.Lock()
			defer h.mu.Unlock()
			for of, peak := range h.peak {
				limit := 16
				if of == "all" {
					limit = tt.peak
				}
				if peak > limit {
					t.Errorf("%s: %d checks at the same time", of, peak)
				}
			}
			if n := len(h.checked); n != tt.prefixes*tt.of+1 {
				t.Errorf("%d games were checked", n)
			}
		})
	}
}

func TestChecksOfAnAddressAreLimited(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var g warzonegames.Games
		var h hosts
		h.check(t, &g)
		for port := range uint16(64) {
			e := verified(1)
			e.Key = netip.AddrPortFrom(e.Key.Addr(), 2100+port)
			h.delay(gamestest.Add(t, &g, e))
		}
		time.Sleep(10 * time.Minute)
		h.mu.Lock()
		defer h.mu.Unlock()
		if h.peak["all"] != 8 || len(h.checked) != 64 {
			t.Errorf("%d checks at the same time, of %d games", h.peak["all"], len(h.checked))
		}
	})
}

// After stop, no check runs.
func TestNoCheckRunsAfterStop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var g warzonegames.Games
		e := gamestest.Add(t, &g, verified(1))
		begun, ended := 0, 0
		stop := g.ForLobbies().Check(gamelist.Checker[warzonegames.Entry]{
			Has: func(*warzonegames.Entry) bool { return true },
			Check: func(ctx context.Context, _ warzonegames.Entry) error {
				begun++
				<-ctx.Done()
				ended++
				return ctx.Err()
			},
			Changed: func(warzonegames.Entry, error) { t.Error("changed") },
		})
		time.Sleep(time.Hour)
		stop()
		if begun != 1 || ended != 1 {
			t.Errorf("%d checks have begun, %d have ended", begun, ended)
		}
		stop()
		time.Sleep(time.Hour)
		if now, _ := g.FindID(e.ID); begun != 1 || now.Withheld {
			t.Errorf("%d checks, %+v", begun, now)
		}
	})
}
