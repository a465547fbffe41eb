package check

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/fuzzharness"
)

// sectionState is the section of cases that compare what is shown with what is.
const sectionState = "State"

// addStates adds the cases that need to know the state of the game: expect, or states
// that are set.
func (s *Suite) addStates(level func(state string) Level) {
	s.Sections = append(s.Sections, sectionState)
	for i, state := range s.edges.States() {
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
}

// needsSet is the reason to skip cases that set states.
const needsSet skipped = "needs -set"

// mustBut is the level of states whose characters not every game has.
func mustBut(state string) Level {
	if state == "odd characters" {
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
	want, got, own := members(set), members(shown), members(ours)
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
	for _, name := range s.optional {
		if got[name] == nil {
			delete(want, name)
		}
	}
	return fuzzharness.Differ(viewOf(want), viewOf(got))
}

// compared are the members of a View that are compared.
var compared = []string{"name", "map", "mode", "version", "port", "players", "max", "roster"}

// members returns the members of a state that are compared, by their names in JSON. Of a
// player, this is the name.
func members(v lobbywire.View) map[string]json.RawMessage {
	all := map[string]json.RawMessage{}
	roster := make([]lobbywire.Player, len(v.Roster))
	for i, p := range v.Roster {
		roster[i].Name = p.Name
	}
	v.Roster = roster
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
