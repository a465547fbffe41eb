package lobbywire_test

import (
	"math"
	"math/rand/v2"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/bomberman/bombermannet"
	"github.com/lobbywire/lobbywire/internal/fit"
	"github.com/lobbywire/lobbywire/internal/test/suite"
	"github.com/lobbywire/lobbywire/sqp"
	"github.com/lobbywire/lobbywire/warzone/warzonenet"
	"github.com/lobbywire/lobbywire/warzone/wzhttp/wzhttpnet"
)

// ask returns the answers to scans of all servers of n, by their protocols, without Rules.
func (n *mixedNet) ask(t *testing.T) map[string]lobbywire.View {
	t.Helper()
	n.sqp.ViewChunks = sqp.ChunkServerInfo | sqp.ChunkPlayerInfo
	got := map[string]lobbywire.View{}
	for r := range resultsOf(t.Context(),
		clientScan{&n.sqp, slices.Values([]netip.AddrPort{atSQP})},
		clientScan{&n.gamespy2, slices.Values([]netip.AddrPort{atGameSpy})},
		clientScan{&n.gamespy1, slices.Values([]netip.AddrPort{atGameAgent})},
	) {
		players, _ := r.View.Counts()
		if r.Err != nil || r.Partial && len(r.View.Roster) == players {
			t.Errorf("%s: partial %v, %v", r.Protocol, r.Partial, r.Err)
		}
		r.View.Rules = nil
		got[r.Protocol] = r.View
	}
	native, err := n.gameagent.Players(t.Context(), atGameAgent.String())
	if err != nil {
		t.Error(err)
	}
	got["native"] = native.Message.View()
	return got
}

// setView passes a View to all servers and returns what each has changed.
func (n *mixedNet) setView(v lobbywire.View) map[string][]string {
	return map[string][]string{
		"sqp":       n.servers[atSQP].SetView(v),
		"gamespy2":  n.servers[atGameSpy].SetView(v),
		"gameagent": n.servers[atGameAgent].SetView(v),
	}
}

// A name that a protocol cannot carry is changed as little as necessary, by one rule in
// all protocols.
func TestSetViewChangesTextsByOneRule(t *testing.T) {
	long := strings.Repeat("é", 1000)
	both := []string{"name", "roster[0].name"}
	type names struct {
		server, player string
		changed        []string
	}
	synctest.Test(t, func(t *testing.T) {
		n := newMixedNet(t)
		for _, tt := range []struct {
			text                     string
			sqp, gamespy2, gameagent names
		}{
			{"Ada", names{"Ada", "Ada", nil}, names{"Ada", "Ada", nil}, names{"Ada", "Ada", nil}},
			{"x\xffy", names{"xÿy", "xÿy", both}, names{"xÿy", "xÿy", both}, names{"xÿy", "xÿy", both}},
			{"a\x00b", names{"a\x00b", "a\x00b", nil}, names{"a?b", "a?b", both}, names{"a?b", "a?b", both}},
			{"a\x03b", names{"a\x03b", "a\x03b", nil}, names{"a\x03b", "a\x03b", nil},
				names{"a\x03b", "a?b", both[1:]}},
			{`a\b`, names{`a\b`, `a\b`, nil}, names{`a\b`, `a\b`, nil}, names{"a?b", "a?b", both}},
			{"a;b", names{"a;b", "a;b", nil}, names{"a;b", "a;b", nil}, names{"a;b", "a;b", nil}},
			{
				"p123456789 Ada",
				names{"p123456789 Ada", "p123456789 Ada", nil},
				names{"?123456789 Ada", "p123456789 Ada", both[:1]},
				names{"p123456789 Ada", "p123456789 Ada", nil},
			},
			{"", names{"", "", nil}, names{"", "", nil}, names{"", "", nil}},
			{
				long,
				names{long[:254], long[:254], both}, names{long[:160], long[:100], both},
				names{long[:700], long[:254], both},
			},
		} {
			changed := n.setView(lobbywire.View{Name: tt.text, Roster: []lobbywire.Player{{Name: tt.text}}})
			got := n.ask(t)
			for protocol, want := range map[string]names{"sqp": tt.sqp, "gamespy2": tt.gamespy2,
				"gameagent": tt.gameagent} {
				v := got[protocol]
				if len(v.Roster) != 1 {
					t.Errorf("%s, %.20q: %d players", protocol, tt.text, len(v.Roster))
					continue
				}
				is := names{v.Name, v.Roster[0].Name, changed[protocol]}
				if diff := cmp.Diff(want, is, cmp.AllowUnexported(names{})); diff != "" {
					t.Errorf("%s, %.20q (-want +got):\n%s", protocol, tt.text, diff)
				}
			}
			if v := got["native"]; len(v.Roster) != 1 || v.Roster[0].Name != tt.gameagent.player {
				t.Errorf("native, %.20q: %+v", tt.text, v.Roster)
			}
		}
	})
}

// A roster that is too long is shortened, and the counts stay.
func TestSetViewShortensRosters(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newMixedNet(t)
		for _, tt := range []struct {
			players, length                  int // of names
			sqp, gamespy2, gameagent, native int // length of the roster
		}{
			{64, 15, 64, 64, 64, 64},
			{64, 100, 64, 64, 64, 64},
			{300, 15, 300, 300, 300, 300},
			{300, 100, 300, 90, 127, 127},
			{5000, 15, 2618, 340, 416, 381},
		} {
			var v lobbywire.View
			for range tt.players {
				v.Roster = append(v.Roster, lobbywire.Player{Name: strings.Repeat("n", tt.length), Score: new(7)})
			}
			changed := n.setView(v)
			got := n.ask(t)
			for protocol, want := range map[string]int{
				"sqp": tt.sqp, "gamespy2": tt.gamespy2, "gameagent": tt.gameagent, "native": tt.native,
			} {
				v := got[protocol]
				if players, _ := v.Counts(); players != tt.players || len(v.Roster) != want {
					t.Errorf("%s: %d players of %d bytes: %d players and a roster of %d, want %d",
						protocol, tt.players, tt.length, players, len(v.Roster), want)
				}
				if is := changed[protocol] != nil; protocol != "native" && is != (want < tt.players) {
					t.Errorf("%s: %d of %d players, changed %q", protocol, want, tt.players, changed[protocol])
				}
			}
		}
	})
}

// Counts that cannot be right are changed, and a missing count is that of the roster.
func TestSetViewFitsCounts(t *testing.T) {
	type counts struct{ players, places int }
	synctest.Test(t, func(t *testing.T) {
		n := newMixedNet(t)
		for _, tt := range []struct {
			players, places  *int
			roster           int
			want             counts
			sqp              counts // if it differs
			changed, sqpOnly []string
		}{
			{players: new(5), places: new(8), want: counts{5, 8}},
			{players: new(5), places: new(8), roster: 2, want: counts{5, 8}},
			{places: new(8), roster: 2, want: counts{2, 8}},
			{players: new(1), places: new(8), roster: 2, want: counts{2, 8}, changed: []string{"players"}},
			{players: new(41), places: new(16), want: counts{41, 16}},
			{players: new(-1), places: new(-16), want: counts{0, 0}, changed: []string{"players", "max"}},
			{want: counts{0, 0}},
			{
				players: new(70_000), places: new(math.MaxInt32), want: counts{70_000, math.MaxInt32},
				sqp: counts{65535, 65535}, sqpOnly: []string{"players", "max"},
			},
		} {
			v := lobbywire.View{Name: "Duel", Players: tt.players, Max: tt.places,
				Roster: make([]lobbywire.Player, tt.roster)}
			changed := n.setView(v)
			for protocol, v := range n.ask(t) {
				want, wantChanged := tt.want, tt.changed
				if protocol == "sqp" && tt.sqpOnly != nil {
					want, wantChanged = tt.sqp, tt.sqpOnly
				}
				if protocol == "native" {
					want.places, wantChanged = 0, nil // not part of the answer
				}
				var got counts
				got.players, got.places = v.Counts()
				if got != want || !slices.Equal(changed[protocol], wantChanged) {
					t.Errorf("%s: %+v, want %+v; changed %q, want %q", protocol, got, want, changed[protocol],
						wantChanged)
				}
			}
		}
	})
}

// A View of any kind replaces the one before. Only its texts and lists are changed.
func TestSetViewReplacesTheViewBefore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newMixedNet(t)
		random := rand.New(rand.NewPCG(1, 2))
		for range suite.Pick(20, 300) {
			v := randomView(random)
			n.setView(v)
			players, _ := v.Counts()
			for protocol, got := range n.ask(t) {
				if got.Players == nil || *got.Players != players {
					t.Errorf("%s: %v players, want %d of %+.1000v", protocol, got.Players, players, v)
				}
			}
		}
	})
}

// randomView returns a View whose texts, numbers and lists are often invalid or too long.
func randomView(random *rand.Rand) lobbywire.View {
	parts := []string{
		"x", "é", "\xff", "\x00", "\x03", `\`, ";", "player_", "p123456789", "", " ", "localport", "numplayers",
		"statechanged",
	}
	text := func() string {
		return strings.Repeat(parts[random.IntN(len(parts))], 1<<random.IntN(10)) + parts[random.IntN(len(parts))]
	}
	number := func() *int {
		numbers := []*int{nil, new(0), new(-1), new(7), new(math.MaxInt), new(math.MinInt)}
		return numbers[random.IntN(len(numbers))]
	}
	v := lobbywire.View{
		Name: text(), Game: text(), Map: text(), Mode: text(), Version: text(),
		Port: uint16(random.Uint32()), Players: new(random.IntN(5000)), Max: number(), Bots: number(),
	}
	for range random.IntN(1 << random.IntN(11)) {
		p := lobbywire.Player{Name: text(), Score: number(), Ping: number(), Team: text(), Kills: number(),
			Deaths: number()}
		for range random.IntN(1 << random.IntN(4)) {
			p.Rules = append(p.Rules, lobbywire.Rule{Key: text(), Value: text()})
		}
		v.Roster = append(v.Roster, p)
	}
	for range random.IntN(1 << random.IntN(8)) {
		v.Teams = append(v.Teams, lobbywire.Team{Name: text(), Score: number()})
	}
	for range random.IntN(1 << random.IntN(11)) {
		v.Rules = append(v.Rules, lobbywire.Rule{Key: text(), Value: text()})
	}
	return v
}

// What a protocol can carry of the rules of players is sent, and what it cannot is reported.
func TestSetViewReportsRulesThatCannotBeSent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newMixedNet(t)
		many := make([]lobbywire.Rule, 300)
		for i := range many {
			many[i] = lobbywire.Rule{Key: strings.Repeat("k", i%10) + strings.Repeat("l", i/10) + "_", Value: "1"}
		}
		rules := []string{"roster[0].rules"}
		rule := func(key, value string) []lobbywire.Rule { return []lobbywire.Rule{{Key: key, Value: value}} }
		for _, tt := range []struct {
			name              string
			rules             []lobbywire.Rule
			sqp, gamespy2     []lobbywire.Rule
			atSQP, atGameSpy2 []string // changed
		}{
			{name: "none"},
			{"usual", rule("pid_", "7"), rule("pid_", "7"), rule("pid_", "7"), nil, nil},
			{"name without _", rule("pid", "7"), rule("pid", "7"), rule("pid_", "7"), nil, rules},
			{"twice", append(rule("a_", "1"), rule("a_", "2")...), rule("a_", "1"), rule("a_", "1"), rules, rules},
			{"name of another column", append(rule("score_", "1"), rule("Player", "x")...), nil, rule("Player_", "x"),
				slices.Repeat(rules, 2), slices.Repeat(rules, 2)},
			{"without a name", rule("", "1"), rule("", "1"), nil, nil, rules},
			{"nothing", rule("a_", ""), nil, nil, nil, nil},
			{"too many", many, many[:251], many[:60], slices.Repeat(rules, 49), slices.Repeat(rules, 240)},
		} {
			changed := n.setView(lobbywire.View{Roster: []lobbywire.Player{{Name: "Ada", Rules: tt.rules}}})
			got := n.ask(t)
			for protocol, want := range map[string][]lobbywire.Rule{"sqp": tt.sqp, "gamespy2": tt.gamespy2} {
				if diff := cmp.Diff(want, got[protocol].Roster[0].Rules); diff != "" {
					t.Errorf("%s, %s (-want +got):\n%s", tt.name, protocol, diff)
				}
			}
			if !slices.Equal(changed["sqp"], tt.atSQP) || !slices.Equal(changed["gamespy2"], tt.atGameSpy2) {
				t.Errorf("%s: changed %.200q", tt.name, changed)
			}
		}
		long := lobbywire.View{Roster: make([]lobbywire.Player, 64)}
		for i := range long.Roster {
			long.Roster[i] = lobbywire.Player{Name: "Ada", Rules: []lobbywire.Rule{{Key: "a_", Value: "1"},
				{Key: "b_", Value: strings.Repeat("b", 100)}}}
		}
		changed := n.setView(long)
		got := n.ask(t)["gamespy2"].Roster
		if len(got) != 64 || len(got[63].Rules) != 1 || !slices.Equal(changed["gamespy2"], []string{"roster.rules"}) {
			t.Errorf("%d players, the last with %d rules, changed %q", len(got), len(got[63].Rules), changed["gamespy2"])
		}
	})
}

// A Registrar keeps the address of a game that loses it, and fits all else.
func TestRegistrarKeepsItsAddressAndFitsTheRest(t *testing.T) {
	r := bombermannet.Registrar{Addr: "127.0.0.1:1"}
	if err := r.Run(t.Context()); err == nil {
		t.Error("ran without an address")
	}
	good := lobbywire.View{Name: "Duel", Host: "192.0.2.7", Port: 7777, Players: new(9), Max: new(4)}
	for _, tt := range []struct {
		change  func(v *lobbywire.View)
		changed []string
	}{
		{func(v *lobbywire.View) {}, nil},
		{func(v *lobbywire.View) { v.Host = "" }, []string{"host"}},
		{func(v *lobbywire.View) { v.Host, v.Port = "not a host", 0 }, []string{"host", "port"}},
		{func(v *lobbywire.View) { v.Name = "" }, nil},
		{func(v *lobbywire.View) { v.Name = "a\nb\xff" }, []string{"name"}},
		{func(v *lobbywire.View) { v.Name = strings.Repeat("\"", 1<<16) }, []string{"name"}},
		{func(v *lobbywire.View) { v.Max = new(99) }, []string{"max"}},
		{func(v *lobbywire.View) { v.Max = nil }, nil},
		{func(v *lobbywire.View) { v.Players = new(-1) }, []string{"players"}},
	} {
		v := good
		tt.change(&v)
		got := r.SetView(v)
		if !slices.Equal(got, tt.changed) {
			t.Errorf("%.50q: changed %q, want %q", v.Name, got, tt.changed)
		}
	}
}

// A host changes a name exactly if its lobbies, before 4.7, of 4.7 or both, cannot carry it.
func TestHostFitsNamesToItsLobbies(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	both := wzhttpnet.Host{Earlier: new(warzonenet.Host)}
	var earlier warzonenet.Host
	var current wzhttpnet.Host
	for range 300 {
		v := randomView(random)
		fits := utf8.ValidString(v.Name) && len(v.Name) < 64 && !strings.ContainsAny(v.Name, fit.Control)
		if changed := both.SetView(v); slices.Contains(changed, "name") == fits {
			t.Errorf("name %.80q of a host of both: changed %q", v.Name, changed)
		}
		fits = utf8.ValidString(v.Name) && len(v.Name) < 64 && strings.IndexByte(v.Name, 0) < 0
		if changed := earlier.SetView(v); slices.Contains(changed, "name") == fits {
			t.Errorf("name %.80q of a host before 4.7: changed %q", v.Name, changed)
		}
		fits = utf8.ValidString(v.Name) && len(v.Name) < 128 && !strings.ContainsAny(v.Name, fit.Control)
		if changed := current.SetView(v); slices.Contains(changed, "name") == fits {
			t.Errorf("name %.80q of a host of 4.7: changed %q", v.Name, changed)
		}
	}
}
