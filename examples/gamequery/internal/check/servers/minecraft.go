package servers

import (
	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/fuzzharness"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/check"
	"github.com/lobbywire/lobbywire/gamespy2"
)

// javaEdition is the source of the cases of Minecraft: a query of 15 bytes gets the full stat,
// and a query of any other length the basic stat, in all versions from 1.13 to 1.20.
const javaEdition = "Minecraft of Java Edition"

// minecraftRows are the cases of servers that answer as Minecraft.
func minecraftRows() []row[*gameSpyServer] {
	type s = *gameSpyServer
	return []row[s]{
		{"7.1", check.Must, "a query of 15 bytes that end with zeros is answered with the full stat of Minecraft",
			javaEdition, func(s s) { s.fullStat() }},
		{"7.2", check.Must, "a query of 11 bytes is answered with the basic stat of Minecraft", javaEdition,
			func(s s) { s.basicStat() }},
		{"7.3", check.Must, "the full and the basic stat of Minecraft show the same", javaEdition, s.sendsSameStats},
	}
}

// stat requests a stat; full adds the padding that requests the full stat.
func (s *gameSpyServer) stat(full bool) (answer []byte) {
	s.known()
	if !s.minecraft {
		s.Fail(check.ErrOther)
	}
	return s.Ask(0, check.MustBinary(gamespy2.StatRequest{ID: s.idOf(0), Challenge: s.fresh(0), Full: full}))
}

func (s *gameSpyServer) fullStat() gamespy2.Response {
	m := check.Parsed(s.Session, gamespy2.ParseResponse, s.stat(true))
	switch {
	case m.ID != s.idOf(0):
		s.Fail(fuzzharness.ErrToken)
	case !isMinecraft(m):
		s.Failf("no game_id of MINECRAFT: %w", lobbywire.ErrInvalid)
	}
	for i, kv := range (gamespy2.Minecraft{}).Response(m.ID).Info {
		if i >= len(m.Info) || m.Info[i].Key != kv.Key {
			s.Failf("key %d is not %s: clients read the keys by their order", i, kv.Key)
		}
	}
	return m
}

func (s *gameSpyServer) basicStat() gamespy2.BasicStat {
	m := check.Parsed(s.Session, gamespy2.ParseBasicStat, s.stat(false))
	if m.ID != s.idOf(0) {
		s.Fail(fuzzharness.ErrToken)
	}
	return m
}

func (s *gameSpyServer) sendsSameStats() {
	full, basic := s.fullStat().View(), s.basicStat().View()
	s.Check(sameForms(onlyBasic(full), onlyBasic(basic), false))
}

// onlyBasic returns the members that a basic stat contains.
func onlyBasic(v lobbywire.View) lobbywire.View {
	return lobbywire.View{Name: v.Name, Map: v.Map, Mode: v.Mode, Port: v.Port, Players: v.Players, Max: v.Max}
}
