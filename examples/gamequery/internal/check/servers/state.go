package servers

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/fuzzharness"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/check"
)

// A states compares the states that a server shows with the states that were set.
type states struct {
	*check.Session
	sources  int
	edges    fuzzharness.Edges
	show     func(source int) lobbywire.View   // what a query shows
	helper   func(v lobbywire.View) check.Peer // our server with this state
	again    func() *states                    // others, for the helper
	optional []string                          // members that an answer may lack
	counts   bool                              // servers count the players that they list
}

// Show returns what a query shows.
func (s *states) Show() lobbywire.View { return s.show(0) }

// Holds returns how many players a server shows.
func (s *states) Holds(v lobbywire.View) (most int) {
	for _, n := range check.Crowds() {
		v.Roster = nil
		for i := range n {
			v.Roster = append(v.Roster, lobbywire.Player{Name: fmt.Sprintf("Player %d", i)})
		}
		v.Players, v.Max = new(n), new(255)
		var shown lobbywire.View
		err := s.Try(func() {
			s.Check(s.Set(v))
			shown = s.show(0)
		})
		if err != nil || len(shown.Roster) != n && !slices.Contains(s.optional, "roster") ||
			shown.Players == nil || *shown.Players != n {
			return most
		}
		most = n
	}
	return most
}

// ours returns a state as our own server shows it: converted, and no longer than the
// protocol allows.
func (s *states) ours(v lobbywire.View, source int) (shown lobbywire.View) {
	own := s.again()
	*own.Session = check.Session{Peer: s.helper(v), Expect: s.Expect}
	s.Check(own.Try(func() { shown = own.show(source) }))
	return shown
}

// compare fails if a query shows another state. A member is right if it is as set, or as our own
// server of the protocol shows it.
func (s *states) compare(source int, set lobbywire.View) {
	shown := s.show(source)
	ours := s.ours(set, source)
	if s.counts && shown.Players != nil && *shown.Players == len(set.Roster) {
		set.Players = shown.Players
	}
	f := factsOf(set, shown)
	want, got, own := f.members(set), f.members(shown), f.members(ours)
	for name, value := range own {
		if want[name] != nil && bytes.Equal(value, got[name]) {
			want[name] = value
		}
	}
	isEmpty := set.Players != nil && *set.Players == 0
	for name := range got {
		if want[name] == nil && !(name == "roster" && isEmpty) {
			delete(got, name) // unknown
		}
	}
	for _, name := range append([]string{"password", "teams"}, s.optional...) {
		if got[name] == nil {
			delete(want, name)
		}
	}
	s.Check(fuzzharness.Differ(viewOf(want), viewOf(got)))
}

// expected fails if a query shows another state than the expected one. It compares all
// members, also members that the protocol lacks.
func (s *states) expected(source int) {
	shown := s.show(source)
	ours := s.ours(*s.Expect, source)
	if wrong := missing("", values(*s.Expect), values(shown), values(ours)); len(wrong) > 0 {
		s.Failf("the answer shows another state: %s", strings.Join(wrong, "; "))
	}
}

// values returns a state in the form of decoded JSON.
func values(v lobbywire.View) (all any) {
	text, _ := json.Marshal(v)     // cannot fail
	_ = json.Unmarshal(text, &all) // nor this
	return all
}

// missing returns the parts of want that got lacks. A text may also be as in own.
func missing(name string, want, got, own any) (wrong []string) {
	switch want := want.(type) {
	case map[string]any:
		got, _ := got.(map[string]any)
		own, _ := own.(map[string]any)
		for _, member := range slices.Sorted(maps.Keys(want)) {
			wrong = append(wrong, missing(strings.TrimPrefix(name+"."+member, "."), want[member], got[member], own[member])...)
		}
		return wrong
	case []any:
		return missingEntries(name, want, got, own)
	}
	if want == got || got != nil && got == own {
		return nil
	}
	return []string{fmt.Sprintf("%s is %s, want %s", name, textOf(got), textOf(want))}
}

// missingEntries is missing for lists. Rules and teams are found by their names, and
// players by their places.
func missingEntries(name string, want []any, got, own any) (wrong []string) {
	gotList, _ := got.([]any)
	ownList, _ := own.([]any)
	if name == "roster" && len(gotList) != len(want) {
		return []string{fmt.Sprintf("%s has %d players, want %d", name, len(gotList), len(want))}
	}
	for i, entry := range want {
		at := fmt.Sprintf("%s[%d]", name, i)
		found, alike := entryAt(gotList, i), entryAt(ownList, i)
		if name == "rules" || name == "teams" {
			at = fmt.Sprintf("%s %s", name, textOf(nameOf(entry)))
			found, alike = entryOf(gotList, nameOf(entry)), entryOf(ownList, nameOf(entry))
		}
		wrong = append(wrong, missing(at, entry, found, alike)...)
	}
	return wrong
}

func entryAt(list []any, i int) any {
	if i < len(list) {
		return list[i]
	}
	return nil
}

// nameOf returns the name of a team or a rule.
func nameOf(entry any) any {
	members, _ := entry.(map[string]any)
	return cmp.Or(members["key"], members["name"])
}

func entryOf(list []any, name any) any {
	for _, entry := range list {
		if nameOf(entry) == name {
			return entry
		}
	}
	return nil
}

// textOf returns a value as JSON.
func textOf(value any) string {
	if value == nil {
		return "missing"
	}
	text, _ := json.Marshal(value) // which came from JSON
	return string(text)
}

// resembles returns an error if a state has other numbers or texts than the ones set. Texts
// may be cut and lack characters, and the last players may be missing.
func resembles(set, shown lobbywire.View) error {
	texts := [][2]string{
		{set.Name, shown.Name}, {set.Mode, shown.Mode}, {set.Version, shown.Version}, {set.Map, shown.Map},
	}
	for i, p := range shown.Roster {
		if i == len(set.Roster) {
			return fmt.Errorf("%d players are listed, and %d were set", len(shown.Roster), i)
		}
		texts = append(texts, [2]string{set.Roster[i].Name, p.Name})
	}
	for _, t := range texts {
		if !alike(t[0], t[1]) {
			return fmt.Errorf("%q is shown as %q", t[0], t[1])
		}
	}
	set = lobbywire.View{Players: set.Players, Max: set.Max, Port: set.Port}
	if n := shown.Players; n != nil && *n == len(shown.Roster) && *n > 0 {
		set.Players = n // nor need it have room for all
	}
	shown = lobbywire.View{Players: shown.Players, Max: shown.Max, Port: cmp.Or(shown.Port, set.Port)}
	return fuzzharness.Differ(set, shown)
}

// compared are the members of a View that are compared when states are set.
func compared() []string {
	return []string{"name", "map", "mode", "version", "port", "players", "max", "password", "roster", "teams"}
}

// facts are the members of players and teams that are compared, besides the names of the
// players.
type facts struct{ score, ping, team bool }

// factsOf returns the facts that are set and shown. A fact that is the same for all players
// is a constant, and teams other than the ones set belong to the game: neither can be set.
func factsOf(set, shown lobbywire.View) facts {
	differ := func(v lobbywire.View, fact func(p lobbywire.Player) *int) bool {
		return slices.ContainsFunc(v.Roster, func(p lobbywire.Player) bool {
			one, first := fact(p), fact(v.Roster[0])
			return one != nil && first != nil && *one != *first
		})
	}
	both := func(fact func(p lobbywire.Player) *int) bool { return differ(set, fact) && differ(shown, fact) }
	names := func(v lobbywire.View) (all []string) {
		for _, t := range v.Teams {
			all = append(all, t.Name)
		}
		slices.Sort(all)
		return all
	}
	return facts{
		score: both(func(p lobbywire.Player) *int { return p.Score }),
		ping:  both(func(p lobbywire.Player) *int { return p.Ping }),
		team:  len(set.Teams) > 0 && slices.Equal(names(set), names(shown)),
	}
}

// members returns the members of a state that are compared, by their names in JSON. Teams
// are in the order of their names.
func (f facts) members(v lobbywire.View) map[string]json.RawMessage {
	all := map[string]json.RawMessage{}
	var roster []lobbywire.Player // nil if it is empty
	for i, p := range v.Roster {
		roster = append(roster, lobbywire.Player{Name: p.Name})
		if f.score {
			roster[i].Score = p.Score
		}
		if f.ping {
			roster[i].Ping = p.Ping
		}
		if f.team {
			roster[i].Team = p.Team
		}
	}
	v.Roster = roster
	if !f.team {
		v.Teams = nil
	}
	v.Teams = slices.SortedFunc(slices.Values(v.Teams), func(a, b lobbywire.Team) int {
		return strings.Compare(a.Name, b.Name)
	})
	text, _ := json.Marshal(v)     // cannot fail
	_ = json.Unmarshal(text, &all) // nor this
	for name := range all {
		if !slices.Contains(compared(), name) {
			delete(all, name)
		}
	}
	return all
}

// viewOf is the reverse of members.
func viewOf(all map[string]json.RawMessage) (v lobbywire.View) {
	text, _ := json.Marshal(all)
	_ = json.Unmarshal(text, &v)
	return v
}
