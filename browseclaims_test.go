package lobbywire_test

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire"
)

// A scripted is a Scanner for servers that answer with a View, or not at all.
type scripted struct {
	protocol, form string
	after          time.Duration
	answers        map[string]lobbywire.View // by query address
}

func (s scripted) ScanViews(ctx context.Context, targets iter.Seq[netip.AddrPort]) iter.Seq[lobbywire.ScanResult] {
	return func(yield func(lobbywire.ScanResult) bool) {
		time.Sleep(s.after)
		for at := range targets {
			r := lobbywire.ScanResult{Protocol: s.protocol, Form: s.form, Query: at, Err: lobbywire.ErrTimeout}
			if v, ok := s.answers[at.String()]; ok {
				r.View, r.Err = v, nil
			}
			if ctx.Err() != nil || !yield(r) {
				return
			}
		}
	}
}

func targetsOf(all ...string) iter.Seq[netip.AddrPort] {
	return func(yield func(netip.AddrPort) bool) {
		for _, s := range all {
			if !yield(at(s)) {
				return
			}
		}
	}
}

// claim is the entry of a list that says where players join.
func claim(name, join string) lobbywire.Listed {
	i := strings.LastIndexByte(join, ':')
	port, _ := strconv.ParseUint(join[i+1:], 10, 16)
	return lobbywire.Listed{View: lobbywire.View{Name: name, Host: strings.Trim(join[:i], "[]"), Port: uint16(port)}}
}

// on adds a map and a number of players to an entry.
func on(name string, players int, l lobbywire.Listed) lobbywire.Listed {
	l.View.Map, l.View.Players = name, &players
	return l
}

func queried(query string, l lobbywire.Listed) lobbywire.Listed {
	l.Query = at(query)
	return l
}

// Nobody takes the row of a server by claiming its address, whatever comes first.
func TestClaimsTakeNoRowOfAServer(t *testing.T) {
	honest := lobbywire.View{Name: "Honest", Port: 7777}
	const h = "192.0.2.1" // of the honest server
	sqp := func(after time.Duration, answers map[string]lobbywire.View, targets ...string) lobbywire.Source {
		return lobbywire.Source{Scanner: scripted{"sqp", "", after, answers}, Targets: targetsOf(targets...)}
	}
	list := func(after time.Duration, protocol, master string, servers ...lobbywire.Listed) lobbywire.Source {
		return lobbywire.Source{List: listOf(after, protocol, master, servers...)}
	}
	answers := func(query string, v lobbywire.View) map[string]lobbywire.View {
		return map[string]lobbywire.View{query: v}
	}
	const early, late = 1 * time.Second, 2 * time.Second
	for _, tt := range []struct {
		name    string
		sources []lobbywire.Source
		want    []string
	}{
		{"a list of another protocol, late", []lobbywire.Source{
			sqp(early, answers(h+":7778", honest), h+":7778"), list(late, "bomberman", "m", claim("Evil", h+":7777")),
		}, []string{"Evil@192.0.2.1:7777 contested bomberman<m", "Honest@192.0.2.1:7777 contested sqp?192.0.2.1:7778"}},
		{"a list of another protocol, early", []lobbywire.Source{
			list(early, "bomberman", "m", claim("Evil", h+":7777")), sqp(late, answers(h+":7778", honest), h+":7778"),
		}, []string{"Evil@192.0.2.1:7777 contested bomberman<m", "Honest@192.0.2.1:7777 contested sqp?192.0.2.1:7778"}},
		{"two lists of two protocols", []lobbywire.Source{
			list(early, "wztext", "evil", claim("Evil", h+":2100")), list(late, "warzone", "lobby", claim("Rush", h+":2100")),
		}, []string{"Evil@192.0.2.1:2100 contested wztext<evil", "Rush@192.0.2.1:2100 contested warzone<lobby"}},
		{"two lists of one protocol", []lobbywire.Source{
			list(early, "warzone", "evil", claim("Evil", h+":2100")), list(late, "warzone", "lobby", claim("Rush", h+":2100")),
		}, []string{"Evil@192.0.2.1:2100 contested warzone<evil", "Rush@192.0.2.1:2100 contested warzone<lobby"}},
		{"two lists that agree", []lobbywire.Source{
			list(early, "warzone", "a", claim("Rush", h+":2100")),
			list(late, "warzone", "b", claim("Rush", "[::ffff:192.0.2.1]:2100"), claim("", h+":2100")),
		}, []string{"Rush@192.0.2.1:2100 warzone<a warzone<b"}},
		{"an empty name first", []lobbywire.Source{
			list(early, "warzone", "evil", on("EVIL", 16, claim("", "[::ffff:192.0.2.1]:2100"))),
			list(late, "warzone", "lobby", on("Rush", 2, claim("Honest", h+":2100"))),
		}, []string{
			"/EVIL 16@192.0.2.1:2100 contested warzone<evil",
			"Honest/Rush 2@192.0.2.1:2100 contested warzone<lobby",
		}},
		{"an empty name last", []lobbywire.Source{
			list(early, "warzone", "lobby", on("Rush", 2, claim("Honest", h+":2100"))),
			list(late, "warzone", "evil", on("EVIL", 16, claim("", h+":2100"))),
		}, []string{
			"/EVIL 16@192.0.2.1:2100 contested warzone<evil",
			"Honest/Rush 2@192.0.2.1:2100 contested warzone<lobby",
		}},
		{"an equal name", []lobbywire.Source{
			list(early, "bomberman", "evil", on("EVIL", 16, claim("Honest", h+":2100"))),
			list(late, "bomberman", "m", on("Rush", 2, claim("Honest", h+":2100"))),
		}, []string{
			"Honest/EVIL 16@192.0.2.1:2100 contested bomberman<evil",
			"Honest/Rush 2@192.0.2.1:2100 contested bomberman<m",
		}},
		{"other players only", []lobbywire.Source{
			list(early, "wztext", "evil", on("Rush", 16, claim("Honest", h+":2100"))),
			list(late, "wztext", "m", on("Rush", 2, claim("Honest", h+":2100"))),
		}, []string{
			"Honest/Rush 16@192.0.2.1:2100 contested wztext<evil",
			"Honest/Rush 2@192.0.2.1:2100 contested wztext<m",
		}},
		{"claims of both kinds on an honest list", []lobbywire.Source{
			list(early, "warzone", "evil", claim("Evil", h+":2100")),
			list(late, "warzone", "lobby", claim("Rush", h+":2100"), claim("Evil", h+":2100")),
			list(2*late, "warzone", "third", claim("Rush", h+":2100")),
		}, []string{
			"Evil@192.0.2.1:2100 contested warzone<evil",
			"Rush@192.0.2.1:2100 contested warzone<lobby warzone<third",
		}},
		{"the address for players of a server that is not queried", []lobbywire.Source{
			list(early, "gamespy2", "evil", queried(h+":29900", claim("Honest", "203.0.113.9:16567"))),
			list(late, "gamespy2", "m", queried(h+":29900", claim("Honest", h+":16567"))),
		}, []string{"Honest@192.0.2.1:16567 gamespy2<m", "Honest@203.0.113.9:16567 gamespy2<evil"}},
		{"a silent server about which lists disagree", []lobbywire.Source{
			{List: listOf(early, "gamespy2", "evil", queried(h+":29900", claim("Evil", h+":16567"))),
				Scanner: scripted{protocol: "gamespy2"}},
			{List: listOf(late, "gamespy2", "m", queried(h+":29900", claim("Honest", h+":16567"))),
				Scanner: scripted{protocol: "gamespy2"}},
		}, []string{
			"Evil@192.0.2.1:16567 contested gamespy2<evil?192.0.2.1:29900 gamespy2<m?192.0.2.1:29900: no answer in time",
		}},
		{"a list that contradicts itself", []lobbywire.Source{
			list(early, "warzone", "a", claim("One", h+":2100"), claim("Two", h+":2100")),
		}, []string{"One@192.0.2.1:2100 warzone<a"}},
		{"an answer from where players join", []lobbywire.Source{
			list(early, "sqp", "evil", claim("Evil", h+":7777")), list(early, "bomberman", "m", claim("Bad", h+":7777")),
			sqp(late, answers(h+":7777", honest), h+":7777"),
		}, []string{"Bad@192.0.2.1:7777 contested bomberman<m", "Honest@192.0.2.1:7777 sqp<evil sqp?192.0.2.1:7777"}},
		{"the same, and the list is late", []lobbywire.Source{
			sqp(early, answers(h+":7777", honest), h+":7777"), list(late, "sqp", "evil", claim("Evil", h+":7777")),
			list(late, "bomberman", "m", claim("Bad", h+":7777")),
		}, []string{"Bad@192.0.2.1:7777 contested bomberman<m", "Honest@192.0.2.1:7777 sqp?192.0.2.1:7777 sqp<evil"}},
		{"another server of the same address, early", []lobbywire.Source{
			sqp(early, answers(h+":9999", lobbywire.View{Name: "Evil", Port: 7777}), h+":9999"),
			sqp(late, answers(h+":7778", honest), h+":7778"),
		}, []string{
			"Evil@192.0.2.1:7777 contested sqp?192.0.2.1:9999",
			"Honest@192.0.2.1:7777 contested sqp?192.0.2.1:7778",
		}},
		{"another server of the same address, when the honest one answers from its port", []lobbywire.Source{
			sqp(early, answers(h+":9999", lobbywire.View{Name: "Evil", Port: 7777}), h+":9999"),
			sqp(late, answers(h+":7777", honest), h+":7777"),
		}, []string{"Evil@192.0.2.1:7777 contested sqp?192.0.2.1:9999", "Honest@192.0.2.1:7777 sqp?192.0.2.1:7777"}},
		{"a server elsewhere that answers with the address", []lobbywire.Source{
			sqp(early, answers("203.0.113.9:7778", lobbywire.View{Name: "Evil", Host: h, Port: 7777}), "203.0.113.9:7778"),
			sqp(late, answers(h+":7777", honest), h+":7777"),
		}, []string{"Evil@192.0.2.1:7777 contested sqp?203.0.113.9:7778", "Honest@192.0.2.1:7777 sqp?192.0.2.1:7777"}},
		{"IPv4-mapped", []lobbywire.Source{
			sqp(early, answers("["+"::ffff:192.0.2.1]:7777", honest), "[::ffff:192.0.2.1]:7777"),
			list(late, "sqp", "evil", claim("Evil", "[::ffff:192.0.2.1]:7777")),
			list(late, "bomberman", "m", claim("Bad", "[::FFFF:c000:201]:7777")),
		}, []string{"Bad@192.0.2.1:7777 contested bomberman<m", "Honest@192.0.2.1:7777 sqp?192.0.2.1:7777 sqp<evil"}},
		{"names in other cases, and with a dot at their end", []lobbywire.Source{
			list(early, "bomberman", "a", claim("Duel", "Game.Example.org:1")),
			list(late, "bomberman", "b", claim("Evil", "game.example.org.:1")),
			list(late, "warzone", "c", claim("Bad", "GAME.EXAMPLE.ORG:1")),
		}, []string{
			"Bad@game.example.org:1 contested warzone<c", "Duel@game.example.org:1 contested bomberman<a",
			"Evil@game.example.org:1 contested bomberman<b",
		}},
		{"Unicode names", []lobbywire.Source{
			list(early, "bomberman", "a", claim("Duel", "münchen.example:1")),
			list(late, "bomberman", "b", claim("Evil", "MÜNCHEN.example:1")),
			list(late, "bomberman", "c", claim("Bad", "xn--mnchen-3ya.example:1")),
		}, []string{
			"Bad@xn--mnchen-3ya.example:1 bomberman<c", "Duel@münchen.example:1 contested bomberman<a",
			"Evil@münchen.example:1 contested bomberman<b",
		}},
		{"a query address that a hostile list names too", []lobbywire.Source{
			{List: listOf(early, "gamespy2", "evil", queried(h+":29900", claim("Evil", "203.0.113.9:16567"))),
				Scanner: scripted{"gamespy2", "", 0, answers(h+":29900", honest)}},
			list(late, "gamespy2", "m", queried(h+":29900", claim("Honest", h+":7777"))),
		}, []string{"Honest@192.0.2.1:7777 gamespy2<evil?192.0.2.1:29900 gamespy2?192.0.2.1:29900 gamespy2<m"}},
		{"a query address that a hostile list names, of a silent server", []lobbywire.Source{
			{List: listOf(early, "gamespy2", "evil", queried(h+":29900", claim("Evil", h+":16567"))),
				Scanner: scripted{protocol: "gamespy2"}},
			{List: listOf(late, "gamespy2", "m", queried(h+":29900", claim("Honest", h+":16567"))),
				Scanner: scripted{protocol: "gamespy2"}},
			list(late, "gamespy2", "n", queried(h+":29900", claim("Honest", h+":16567"))),
		}, []string{
			"Evil@192.0.2.1:16567 contested gamespy2<evil?192.0.2.1:29900 gamespy2<m?192.0.2.1:29900: no answer in time",
			"Honest@192.0.2.1:16567 contested gamespy2<n",
		}},
		{"an answer that ends a contest", []lobbywire.Source{
			list(early, "bomberman", "m", claim("Duel", h+":7777")),
			{List: listOf(early, "gamespy2", "evil", queried(h+":29900", claim("Evil", h+":7777"))),
				Scanner: scripted{protocol: "gamespy2"}},
			{Scanner: scripted{"gamespy2", "", late, answers(h+":29900", lobbywire.View{Name: "Reef", Port: 16567})},
				Targets: targetsOf(h + ":29900")},
		}, []string{
			"Duel@192.0.2.1:7777 bomberman<m",
			"Reef@192.0.2.1:16567 gamespy2<evil?192.0.2.1:29900 gamespy2?192.0.2.1:29900",
		}},
		{"servers without an address", []lobbywire.Source{
			list(early, "gamespy2", "m", lobbywire.Listed{View: lobbywire.View{Name: "A"}},
				lobbywire.Listed{View: lobbywire.View{Name: "A"}}),
			list(early, "wzhttp", "m", lobbywire.Listed{ID: "1", View: lobbywire.View{Name: "B"}},
				lobbywire.Listed{ID: "2", View: lobbywire.View{Name: "B"}}),
			list(late, "wzhttp", "n", lobbywire.Listed{ID: "1", View: lobbywire.View{Name: "B"}}),
		}, []string{"A@ gamespy2<m", "A@ gamespy2<m", "B@ wzhttp<m", "B@ wzhttp<m", "B@ wzhttp<n"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				got, _ := last(slices.Collect(browsed(t.Context(), tt.sources...)))
				if diff := gocmp.Diff(tt.want, got); diff != "" {
					t.Errorf("(-want +got):\n%s", diff)
				}
			})
		})
	}
}

// Each Sighting has the description that it gave, also if the row has another.
func TestSightingsHaveViews(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		listed := claim("Listed", "192.0.2.1:7777")
		var row event
		for r := range browsed(t.Context(), lobbywire.Source{
			List:    listOf(time.Second, "sqp", "m", queried("192.0.2.1:7778", listed)),
			Scanner: scripted{"sqp", "", 0, map[string]lobbywire.View{"192.0.2.1:7778": {Name: "Duel", Port: 7777}}},
		}) {
			if r.Number != 0 {
				row = r
			}
		}
		var names []string
		for _, seen := range row.Seen {
			names = append(names, cmp.Or(seen.Master, "query")+": "+seen.View.Name)
		}
		if diff := gocmp.Diff([]string{"m: Listed", "query: Duel"}, names); diff != "" || row.View.Name != "Duel" {
			t.Errorf("%q (-want +got):\n%s", row.View.Name, diff)
		}
	})
}

// The Key of a server stays the same, whatever is known about it and whatever comes first.
func TestRowKeysStayTheSame(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const query = "192.0.2.1:29900"
		listed := queried("[::ffff:192.0.2.1]:29900", claim("Listed", "192.0.2.1:16567"))
		answering := scripted{"gamespy2", "", 0, map[string]lobbywire.View{query: {Name: "Reef", Port: 16568}}}
		silent := scripted{protocol: "gamespy2"}
		legacy := scripted{protocol: "gamespy2", form: "legacy"}
		for _, sources := range [][]lobbywire.Source{
			{{List: listOf(0, "gamespy2", "m", listed)}},
			{{List: listOf(0, "gamespy2", "m", listed), Scanner: answering}},
			{{List: listOf(0, "gamespy2", "m", listed), Scanner: silent}},
			{{Targets: targetsOf(query), Scanner: answering}},
			{{Targets: targetsOf("[::ffff:192.0.2.1]:29900"), Scanner: silent}, {Targets: targetsOf(query), Scanner: legacy}},
		} {
			for r := range browsed(t.Context(), sources...) {
				if r.Number != 0 && r.Key() != "gamespy2 "+query {
					t.Errorf("key %q of %+v", r.Key(), r)
				}
			}
		}
		for _, tt := range []struct {
			listed lobbywire.Listed
			key    string
		}{
			{claim("Rush", "192.0.2.1:2100"), "warzone 192.0.2.1:2100"},
			{claim("Rush", "[2001:DB8::1]:2100"), "warzone [2001:db8::1]:2100"},
			{lobbywire.Listed{ID: "42", View: lobbywire.View{Name: "Rush"}}, "warzone#https://lobby.example/#42"},
			{lobbywire.Listed{View: lobbywire.View{Name: "Rush"}}, ""},
		} {
			for r := range browsed(t.Context(),
				lobbywire.Source{List: listOf(0, "warzone", "https://lobby.example/", tt.listed)}) {
				if r.Number != 0 && r.Key() != tt.key {
					t.Errorf("key %q, want %q", r.Key(), tt.key)
				}
			}
		}
	})
}

// A list of many entries that repeat one server, or that all claim one address, costs time
// and memory in proportion to its length.
func TestRepeatedClaimsCostInProportion(t *testing.T) {
	const n = 1 << 13
	for _, tt := range []struct {
		name  string
		entry func(i int) lobbywire.Listed
		rows  int
	}{
		{"one server with many names and IDs", func(i int) lobbywire.Listed {
			l := claim(fmt.Sprint(i), "192.0.2.1:2100")
			l.ID = fmt.Sprint(i)
			return l
		}, 1},
		{"one address for players", func(i int) lobbywire.Listed {
			return queried(fmt.Sprintf("192.0.2.1:%d", i&0xffff|1), claim(fmt.Sprint(i), "192.0.2.1:2100"))
		}, n / 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			servers := make([]lobbywire.Listed, n)
			for i := range servers {
				servers[i] = tt.entry(i)
			}
			sightings := 0
			rows := map[int]bool{}
			for r := range browsed(t.Context(), lobbywire.Source{List: listOf(0, "gamespy2", "m", servers...)}) {
				sightings += len(r.Seen)
				rows[r.Number] = true
			}
			if sightings > 2*n || len(rows) != tt.rows+1 {
				t.Errorf("%d sightings in %d rows", sightings, len(rows))
			}
		})
	}
}
