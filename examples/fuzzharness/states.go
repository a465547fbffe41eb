package fuzzharness

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/lobbywire/lobbywire"
)

// A State is a state of the game for the server under test.
type State struct {
	Name string
	View lobbywire.View
}

// Edges are the limits of what the answers of a protocol can carry.
type Edges struct {
	Longest int    // bytes of a text
	Largest int    // number, except for a port
	Odd     string // a text with characters that need care
}

// States returns the states at the edges. Texts and numbers of one state differ, except
// at the limits, so that the harness notices a server that swaps them.
func (e Edges) States() []State {
	long := func(start string) string { return start + strings.Repeat(start[:1], e.Longest-len(start)) }
	full := lobbywire.View{
		Name: "Duel", Mode: "ctf", Version: "1.2", Map: "Harbor", Port: 25601, Players: new(16), Max: new(16),
	}
	for i := range *full.Max {
		full.Roster = append(full.Roster, lobbywire.Player{Name: fmt.Sprintf("Player %d", i)})
	}
	ordinary := full
	ordinary.Players, ordinary.Roster = new(2), full.Roster[:2]
	empty := full
	empty.Players, empty.Roster = new(0), nil
	texts := ordinary
	texts.Name, texts.Mode, texts.Version, texts.Map = long("name"), long("mode"), long("version"), long("map")
	texts.Roster = []lobbywire.Player{{Name: long("Ann")}, {Name: long("Bob")}}
	numbers := ordinary
	numbers.Port, numbers.Players, numbers.Max = 65535, new(e.Largest-1), new(e.Largest)
	return []State{
		{"ordinary", ordinary}, {"empty", empty}, {"full", full}, {fmt.Sprintf("texts of %d bytes", e.Longest), texts},
		{"largest numbers", numbers}, {"Latin-1", around(ordinary, "é ß")},
		{"odd characters", around(ordinary, e.Odd)}, {"ordinary again", ordinary},
	}
}

// around returns a state whose texts have characters in the middle.
func around(v lobbywire.View, odd string) lobbywire.View {
	v.Name, v.Mode, v.Version, v.Map = "n"+odd+"n", "m"+odd+"m", "v"+odd+"v", "p"+odd+"p"
	v.Roster = []lobbywire.Player{{Name: "a" + odd + "a"}, {Name: "b" + odd + "b"}}
	return v
}

// Differ returns an error that names the members of a state that an answer shows
// differently. Clear those that the answer cannot show first, such as the Roster.
func Differ(set, shown lobbywire.View) error {
	want, got := members(set), members(shown)
	var wrong []string
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if !bytes.Equal(want[name], got[name]) {
			shows := cmp.Or(string(got[name]), "missing")
			wrong = append(wrong, fmt.Sprintf("%s is %s, want %s", name, shows, want[name]))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(got)) {
		if want[name] == nil {
			wrong = append(wrong, fmt.Sprintf("%s is %s, want none", name, got[name]))
		}
	}
	if wrong == nil {
		return nil
	}
	return fmt.Errorf("the answer shows another state: %s", strings.Join(wrong, "; "))
}

// members returns the members of a View in JSON, whose characters can all be printed. It
// omits an empty roster.
func members(v lobbywire.View) (all map[string]json.RawMessage) {
	if len(v.Roster) == 0 {
		v.Roster = nil
	}
	text, _ := json.Marshal(v)     // cannot fail
	_ = json.Unmarshal(text, &all) // nor this
	return all
}
