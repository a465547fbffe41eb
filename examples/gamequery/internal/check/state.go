package check

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/fuzzharness"
)

// sectionState is the section of cases that compare what is shown with what is.
const sectionState = "State"

// addStates adds the cases that need to know the state of the game: expect, or states
// that are set.
func (s *Suite) addStates(level func(state string) Level) {
	s.Sections = append(s.Sections, sectionState)
	for i, state := range append(s.edges.States(), details()...) {
		sentence := fmt.Sprintf("the state %q is shown, to each client", state.Name)
		if i > 0 {
			sentence += ", as soon as it is set"
		}
		s.add(sectionState, level(state.Name), sentence, func(session *Session) error {
			if session.set == nil {
				return needsSet
			}
			if err := session.set(state.View); err != nil {
				return err
			}
			for source := range s.sources {
				if err := s.compare(session, source, state.View); err != nil {
					return err
				}
			}
			return nil
		})
	}
	for _, state := range hard() {
		s.add(sectionState, Should, "the answer is whole, and its numbers are right, with "+state.Name,
			func(session *Session) error {
				if session.set == nil {
					return needsSet
				}
				if err := session.set(state.View); err != nil {
					return skipped(err.Error()) // a game need not have it
				}
				shown, err := s.show(session, 0)
				if err != nil {
					return err
				}
				return resembles(state.View, shown)
			})
	}
}

// needsSet is the reason to skip cases that set states.
const needsSet skipped = "needs -set"

// The states with what not every game has, or not every hook sets.
const (
	withPassword = "a password"
	withScores   = "players with scores, pings and teams"
)

// details are the states with what an answer may lack.
func details() []fuzzharness.State {
	v := lobbywire.View{
		Name: "Duel", Mode: "ctf", Version: "1.2", Map: "Harbor", Port: 25601, Players: new(2), Max: new(16),
		Password: new(true),
		Roster: []lobbywire.Player{
			{Name: "Ann", Score: new(31), Ping: new(42), Team: "Blue"},
			{Name: "Bob", Score: new(-57), Ping: new(98), Team: "Red"},
		},
		Teams: []lobbywire.Team{{Name: "Red", Score: new(5)}, {Name: "Blue", Score: new(7)}},
	}
	private, scores := v, v
	private.Roster, private.Teams = v.Roster[:0:0], nil
	private.Players = new(0)
	scores.Password = new(false)
	return []fuzzharness.State{{Name: withPassword, View: private}, {Name: withScores, View: scores}}
}

// hard are states that answers cannot carry as they are, or not in one packet.
func hard() []fuzzharness.State {
	const players = 130 // more than a signed byte holds, and than fit a packet
	const separators = "\x00;\\\x01\x02\x03\x04\r\n"
	v := lobbywire.View{
		Name: "Duel", Mode: "ctf", Version: "1.2", Map: "Harbor", Port: 25601, Players: new(3), Max: new(players),
	}
	// with returns a state whose texts continue with others after their first byte.
	with := func(more string) lobbywire.View {
		changed := v
		changed.Name, changed.Mode, changed.Version, changed.Map = "D"+more, "c"+more, "1"+more, "H"+more
		changed.Roster = []lobbywire.Player{{Name: "A" + more}, {Name: "B" + more}, {Name: "C" + more}}
		return changed
	}
	crowd, empty := v, v
	crowd.Players, crowd.Roster = new(players), nil
	for i := range players {
		crowd.Roster = append(crowd.Roster, lobbywire.Player{
			Name: fmt.Sprintf("Player %03d in a crowd", i), Score: new(i), Ping: new(players + i),
		})
	}
	empty.Mode, empty.Version, empty.Map = "", "", ""
	empty.Roster = []lobbywire.Player{{Name: "Ann"}, {}, {Name: "Bob"}}
	const long = 100
	return []fuzzharness.State{
		{Name: "130 players", View: crowd},
		{Name: "empty texts, and a player without a name", View: empty},
		{Name: "texts of 300 bytes", View: with(strings.Repeat("☃", long))},
		{Name: "characters that end texts", View: with(separators + "n")},
	}
}

// resembles returns an error if the numbers of a state are not as they were set, or texts are
// others. Texts may be cut and lack characters, and the last players may be missing.
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

// mustBut is the level of states that not every game has.
func mustBut(state string) Level {
	switch state {
	case "odd characters", withPassword, withScores:
		return Should
	}
	return Must
}

// crowds are how many players a server has in turn, to find out how many it can show.
var crowds = [...]int{16, 32, 64, 100, 128, 200, 255}

// holds returns how many players a server shows, from those of crowds. It is more than
// the last of them if the server shows that many.
func (s *Suite) holds(session *Session, v lobbywire.View) (most int, err error) {
	for _, n := range crowds {
		v.Roster = nil
		for i := range n {
			v.Roster = append(v.Roster, lobbywire.Player{Name: fmt.Sprintf("Player %d", i)})
		}
		v.Players, v.Max = new(n), new(255)
		if err := session.set(v); err != nil {
			return most, err
		}
		shown, err := s.show(session, 0)
		if err != nil || len(shown.Roster) != n && !slices.Contains(s.optional, "roster") ||
			shown.Players == nil || *shown.Players != n {
			return most, err
		}
		most = n
	}
	return most, nil
}

// compare returns an error if a query shows another state. A member is right if it is as
// it was set, or as our own server of the protocol shows it: converted, and no longer
// than the protocol allows.
func (s *Suite) compare(session *Session, source int, set lobbywire.View) error {
	shown, err := s.show(session, source)
	if err != nil {
		return err
	}
	ours, err := s.again().show(&Session{peer: s.helper(set)}, source)
	if err != nil {
		return err
	}
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
	return fuzzharness.Differ(viewOf(want), viewOf(got))
}

// compared are the members of a View that are compared.
var compared = []string{
	"name", "map", "mode", "version", "port", "players", "max", "password", "roster", "teams",
}

// facts are what is compared of players and teams besides the names of the players.
type facts struct{ score, ping, team bool }

// factsOf returns the facts that are set and shown. A fact that is the same for all players
// is a constant, and other teams than the ones set are the teams of the game: neither can be
// set.
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
		if !slices.Contains(compared, name) {
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
