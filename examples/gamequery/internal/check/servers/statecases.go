package servers

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/fuzzharness"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/check"
)

// theState is the source of cases that compare states: no document knows the true state.
const theState = "the state of the game"

// stateRows are the cases that need the state of the game: from -expect, or set by the
// run. Levels are lower for members that some games lack or some hooks do not set.
func stateRows() []row[*states] {
	return []row[*states]{
		{"6.0", check.Must, "the expected state is shown, to each client", theState, expectedToAll},
		{"6.1", check.Must, "an ordinary state is shown, to each client, as soon as it is set", theState, shows("ordinary")},
		{"6.2", check.Must, "an empty game is shown, to each client, as soon as it is set", theState, shows("empty")},
		{"6.3", check.Must, "a full game is shown, to each client, as soon as it is set", theState, shows("full")},
		{"6.4", check.Must, "the longest texts are shown, to each client, as soon as they are set", theState, shows("texts")},
		{"6.5", check.Must, "the largest numbers are shown, to each client, as soon as they are set", theState,
			shows("largest numbers")},
		{"6.6", check.Must, "characters of Latin-1 are shown, to each client, as soon as they are set", theState,
			shows("Latin-1")},
		{"6.7", check.Should, "odd characters are shown, to each client, as soon as they are set", theState,
			shows("odd characters")},
		{"6.8", check.Must, "an ordinary state is shown again, after all others", theState, shows("ordinary again")},
		{"6.9", check.Should, "a password is shown, to each client, as soon as it is set", theState, shows("a password")},
		{"6.10", check.Should, "players with scores, pings and teams are shown, to each client, as soon as they are set",
			theState, shows("scores")},
		{"6.11", check.Should, "the answer is whole, and its numbers are right, with 130 players", theState,
			survives("130 players")},
		{"6.12", check.Should, "the answer is whole with empty texts, and a player without a name", theState,
			survives("empty texts")},
		{"6.13", check.Should, "the answer is whole with texts of 300 bytes", theState, survives("texts of 300 bytes")},
		{"6.14", check.Should, "the answer is whole with characters that end texts", theState, survives("ends of texts")},
	}
}

func expectedToAll(s *states) {
	for source := range s.sources {
		s.expected(source)
	}
}

// all returns all states.
func (s *states) all() []fuzzharness.State {
	return slices.Concat(s.edges.States(), details(), hard())
}

// set first sets another state, then the named one, and returns it.
func (s *states) set(name string) lobbywire.View {
	if s.Set == nil {
		s.Fail(check.NeedsSet)
	}
	all := s.all()
	i := slices.IndexFunc(all, func(state fuzzharness.State) bool { return strings.HasPrefix(state.Name, name) })
	before := all[0].View
	before.Name, before.Map, before.Players, before.Roster = "Before", "Pier", new(1), before.Roster[1:2]
	s.Check(s.Set(before))
	_ = s.Try(func() { s.show(0) }) // the next state must not be this one
	s.Check(s.Set(all[i].View))
	return all[i].View
}

// shows is the case of a state that must be shown unchanged.
func shows(name string) func(s *states) {
	return func(s *states) {
		v := s.set(name)
		for source := range s.sources {
			s.compare(source, v)
		}
	}
}

// survives is the case of a state that answers cannot carry unchanged, or not in one
// packet.
func survives(name string) func(s *states) {
	return func(s *states) {
		var v lobbywire.View
		if err := s.Try(func() { v = s.set(name) }); err != nil {
			s.Fail(check.Skipped(err.Error())) // a game need not have it
		}
		s.Check(resembles(v, s.show(0)))
	}
}

// details are the states whose details an answer may lack.
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
	return []fuzzharness.State{{Name: "a password", View: private}, {Name: "scores", View: scores}}
}

// hard are states that answers cannot carry unchanged, or not in one packet.
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
		{Name: "empty texts", View: empty},
		{Name: "texts of 300 bytes", View: with(strings.Repeat("☃", long))},
		{Name: "ends of texts", View: with(separators + "n")},
	}
}
