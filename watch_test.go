package lobbywire_test

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire"
)

// rounds is a list whose answers follow each other; the last one is repeated.
func rounds(protocol string, answers ...lobbywire.ListResult) lobbywire.List {
	asked := 0
	return lobbywire.List{Addr: "master", Lister: listFunc(func(_ context.Context, addr string) lobbywire.ListResult {
		r := answers[min(asked, len(answers)-1)]
		asked++
		r.Protocol, r.Master = protocol, addr
		return r
	})}
}

// servers is an answer of a list.
func servers(all ...lobbywire.Listed) lobbywire.ListResult { return lobbywire.ListResult{Servers: all} }

// told describes a Row.
func told(r event) string {
	text := fmt.Sprintf("%d %s", r.Number, r.View.Name)
	if r.Number == 0 {
		text = "list"
	}
	if r.Contested {
		text += " contested"
	}
	if r.Gone {
		text += " gone"
	}
	if r.End.Partial || r.Answer != nil && r.Answer.Partial {
		text += " partial"
	}
	if r.Err != nil {
		text += ", " + r.Err.Error()
	}
	return text
}

// watch returns what the rounds until a time yield, each with its time.
func watch(t *testing.T, until time.Duration, every time.Duration, sources ...lobbywire.Source) (all []string) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), until)
		defer cancel()
		start := time.Now()
		for row := range watched(ctx, every, sources...) {
			all = append(all, fmt.Sprintf("%v %s", time.Since(start), told(row)))
		}
		if took := time.Since(start); took != until {
			t.Errorf("ended after %v", took)
		}
	})
	return all
}

// Numbers last, and only changes are yielded: of views, errors of lists, and ends.
func TestWatchYieldsChanges(t *testing.T) {
	one, two := claim("One", "192.0.2.1:2100"), claim("Two", "192.0.2.2:2100")
	fuller := one
	fuller.View.Players = new(3)
	got := watch(t, 65*time.Second, 10*time.Second, lobbywire.Source{List: rounds("warzone",
		servers(one, two), // at 0 s
		servers(two, one),
		servers(fuller, two),
		lobbywire.ListResult{Err: errors.New("down")}, // at 30 s
		lobbywire.ListResult{Servers: []lobbywire.Listed{fuller}, Partial: true},
		servers(fuller),
		servers(fuller, two), // at 60 s
	)})
	want := []string{
		"0s 1 One", "0s 2 Two", "0s list",
		"20s 1 One",
		"30s list, down",
		"40s list partial",
		"50s list", "50s 2 Two gone",
		"1m0s 3 Two",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Servers that are queried keep their number when they change their name, and their View
// when they stop answering.
func TestWatchQueriesAgain(t *testing.T) {
	answers := map[string]lobbywire.View{"192.0.2.1:7": {Name: "One"}}
	asked := 0
	s := lobbywire.Source{Scanner: scripted{"sqp", "", time.Second, answers},
		Targets: func(yield func(netip.AddrPort) bool) {
			asked++
			switch asked {
			case 2:
				answers["192.0.2.1:7"] = lobbywire.View{Name: "Renamed"}
			case 3:
				clear(answers)
			case 5:
				answers["192.0.2.2:7"] = lobbywire.View{Name: "Two"}
			}
			for _, at := range []string{"192.0.2.1:7", "192.0.2.2:7"} {
				if !yield(netip.MustParseAddrPort(at)) {
					return
				}
			}
		}}
	want := []string{
		"1s 1 One", "1s 2 , no answer in time",
		"31s 1 Renamed",
		"1m1s 1 Renamed, no answer in time",
		"2m1s 2 Two",
	}
	if diff := cmp.Diff(want, watch(t, 130*time.Second, 0, s)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Rows that Browse yields again in each round, when it finds out that they are contested,
// are changes only at the end of the first such round.
func TestWatchKnowsClaims(t *testing.T) {
	honest, evil := claim("Honest", "192.0.2.1:2100"), claim("Evil", "192.0.2.1:2100")
	got := watch(t, 29*time.Second, 7*time.Second, lobbywire.Source{List: rounds("warzone", servers(honest))},
		lobbywire.Source{List: rounds("bomberman", servers(), servers(evil), servers(evil), servers())})
	var shown []string
	for _, line := range got {
		first := line == "7s 2 Evil" // only if the second list of this round comes first
		if !first && !strings.HasSuffix(line, "list") {
			shown = append(shown, line)
		}
	}
	want := []string{"0s 1 Honest", "7s 1 Honest contested", "7s 2 Evil contested", "21s 1 Honest",
		"21s 2 Evil contested gone"}
	slices.Sort(shown)
	slices.Sort(want)
	if diff := cmp.Diff(want, shown); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// A server that is silent shows what its list says now, and not what it said first.
func TestWatchShowsTheLatestList(t *testing.T) {
	before, after := claim("Before", "192.0.2.1:2100"), claim("After", "192.0.2.1:2100")
	before.Query = netip.MustParseAddrPort("192.0.2.1:7777")
	after.Query = before.Query
	near := netip.MustParseAddr("192.0.2.9")
	got := watch(t, 50*time.Second, 0, lobbywire.Source{
		List: rounds("sqp", lobbywire.ListResult{MasterIP: near, Servers: []lobbywire.Listed{before}},
			lobbywire.ListResult{MasterIP: near, Servers: []lobbywire.Listed{after}}),
		Scanner: scripted{"sqp", "", time.Second, nil},
	})
	want := []string{"0s list", "1s 1 Before, no answer in time", "31s 1 After, no answer in time"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// However often its caller wants it, a master is asked at most every 5 seconds, and twice a minute
// by default.
func TestWatchSparesMasters(t *testing.T) {
	for every, want := range map[time.Duration]int{100 * time.Millisecond: 12, 0: 2, 20 * time.Second: 3} {
		asked := 0
		l := lobbywire.List{Addr: "master", Lister: listFunc(func(context.Context, string) lobbywire.ListResult {
			asked++
			return lobbywire.ListResult{}
		})}
		watch(t, time.Minute-time.Second, every, lobbywire.Source{List: l})
		if asked != want {
			t.Errorf("every %v: asked %d times in a minute, want %d", every, asked, want)
		}
	}
}

// A round that the end of ctx cuts finds no server gone.
func TestWatchEndsWithinARound(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 40*time.Second)
		defer cancel()
		answers := map[string]lobbywire.View{"192.0.2.1:7": {Name: "One"}, "192.0.2.2:7": {Name: "Two"}}
		asked, rows := 0, 0
		for row := range watched(ctx, 0, lobbywire.Source{Scanner: scripted{"sqp", "", time.Second, answers},
			Targets: func(yield func(netip.AddrPort) bool) {
				asked++
				if asked > 1 {
					<-ctx.Done()
				}
				_ = yield(netip.MustParseAddrPort("192.0.2.1:7")) && yield(netip.MustParseAddrPort("192.0.2.2:7"))
			}}) {
			rows++
			if row.Gone {
				t.Errorf("gone: %s", told(row))
			}
		}
		if asked != 2 || rows != 2 {
			t.Errorf("%d rows in %d rounds", rows, asked)
		}
	})
}

// Lists that name a server differently, or without anything that identifies it, keep the
// numbers of their servers.
func TestWatchTellsServersApart(t *testing.T) {
	nameless := func(players int) lobbywire.Listed { return lobbywire.Listed{View: lobbywire.View{Players: &players}} }
	got := watch(t, 17*time.Second, time.Second, // which is less than the shortest interval
		lobbywire.Source{List: rounds("warzone", servers(claim("A", "192.0.2.1:1"), nameless(1), nameless(2)))},
		lobbywire.Source{List: rounds("warzone", servers(claim("B", "192.0.2.1:1")))})
	if len(got) < 6 || len(got) > 8 ||
		slices.ContainsFunc(got, func(line string) bool { return !strings.HasPrefix(line, "0s ") }) {
		t.Errorf("%q", got)
	}
}

// Lists that disagree about a server have a row each, with one number in all rounds, whichever
// comes first and whichever fails.
func TestWatchKeepsClaimsApart(t *testing.T) {
	honest, evil := claim("Rush", "192.0.2.1:1"), claim("Rush", "192.0.2.1:1")
	evil.View.Map = "EVIL"
	lists := func(name string, l lobbywire.Listed, isLate, fails func() bool) lobbywire.Source {
		return lobbywire.Source{List: lobbywire.List{Addr: name,
			Lister: listFunc(func(context.Context, string) lobbywire.ListResult {
				if isLate() {
					time.Sleep(time.Second)
				}
				r := lobbywire.ListResult{Protocol: "warzone", Master: name, Servers: []lobbywire.Listed{l}}
				if fails() {
					r.Servers, r.Err = nil, errors.New("down")
				}
				return r
			})}}
	}
	maps := map[int]map[string]bool{}
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		start := time.Now()
		round := func() int { return int(time.Since(start) / time.Minute) }
		for r := range watched(ctx, time.Minute,
			lists("honest", honest, func() bool { return round()%2 == 0 }, func() bool { return round()%10 > 7 }),
			lists("evil", evil, func() bool { return round()%2 == 1 }, func() bool { return false })) {
			if r.Gone {
				t.Errorf("gone: %+v", r)
			}
			if r.Number > 0 {
				if maps[r.Number] == nil {
					maps[r.Number] = map[string]bool{}
				}
				maps[r.Number][r.View.Map] = true
			}
		}
	})
	if len(maps) != 2 || len(maps[1]) != 1 || len(maps[2]) != 1 {
		t.Errorf("the maps by row are %v", maps)
	}
}

// The end of the loop ends a round at once.
func TestWatchEndsWithItsLoop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		for range watched(t.Context(), 0, lobbywire.Source{List: hanging},
			lobbywire.Source{List: listOf(time.Second, "warzone", "lobby")}) {
			break
		}
		if took := time.Since(start); took != time.Second {
			t.Errorf("ended after %v", took)
		}
	})
}

// Refresh begins the next round early, but not within 5 s, of each Watch of the Browser. Its Rows
// have what the server has answered and what its list says.
func TestRefreshBeginsTheNextRound(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const query = "192.0.2.1:7777"
		b := lobbywire.Browser{Every: time.Hour, Sources: []lobbywire.Source{{
			List: rounds("sqp", lobbywire.ListResult{MasterIP: listIP,
				Servers: []lobbywire.Listed{queried(query, claim("Listed", "192.0.2.1:1"))}}),
			Scanner: scripted{"sqp", "", time.Second, map[string]lobbywire.View{query: {Name: "One"}}},
		}}}
		b.Refresh() // with no Watch
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Hour)
		defer cancel()
		start := time.Now()
		var at []time.Duration
		for row := range b.Watch(ctx) {
			at = append(at, time.Since(start))
			if row.Answer == nil || row.Answer.View.Name != "One" || row.Listed == nil || row.Listed.View.Name != "Listed" {
				t.Errorf("%+v", row)
			}
			switch len(at) {
			case 1:
				b.Refresh()
				b.Refresh()
			case 2:
				time.AfterFunc(time.Minute, b.Refresh)
			}
		}
		want := []time.Duration{time.Second, 6 * time.Second, 67 * time.Second, time.Hour + 67*time.Second}
		if diff := cmp.Diff(want, at); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}
