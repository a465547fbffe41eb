package servers

import (
	"fmt"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/fuzzharness"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/check"
	"github.com/lobbywire/lobbywire/gamespy2"
)

// javaEdition is the source of the cases of Minecraft: a query of 15 bytes gets the full stat,
// and any other length the basic one, in all versions from 1.13 to 1.20.
const javaEdition = "Minecraft of Java Edition"

// minecraftRows are the cases of servers that answer as Minecraft.
func minecraftRows() []row[*gameSpyServer] {
	type s = *gameSpyServer
	return []row[s]{
		{"7.1", check.Must, "a query of 15 bytes that end with zeros is answered with the full stat of Minecraft", javaEdition,
			s.sendsFullStat},
		{"7.2", check.Must, "a query of 11 bytes is answered with the basic stat of Minecraft", javaEdition, s.sendsBasicStat},
		{"7.3", check.Must, "the full and the basic stat of Minecraft show the same", javaEdition, s.sendsSameStats},
	}
}

// stat requests a stat, with the padding of the full one.
func (s *gameSpyServer) stat(full bool) (answer []byte, err error) {
	if _, err := s.known(); err != nil {
		return nil, err
	}
	if !s.minecraft {
		return nil, check.ErrOther
	}
	number, err := s.fresh(0)
	if err != nil {
		return nil, err
	}
	return s.Ask(0, check.MustBinary(gamespy2.StatRequest{ID: s.idOf(0), Challenge: number, Full: full}))
}

func (s *gameSpyServer) fullStat() (m gamespy2.Response, err error) {
	answer, err := s.stat(true)
	if err != nil {
		return m, err
	}
	m, err = gamespy2.ParseResponse(answer)
	switch {
	case err != nil:
		return m, err
	case m.ID != s.idOf(0):
		return m, fuzzharness.ErrToken
	case !isMinecraft(m):
		return m, fmt.Errorf("no game_id of MINECRAFT: %w", lobbywire.ErrInvalid)
	}
	for i, kv := range (gamespy2.Minecraft{}).Response(m.ID).Info {
		if i >= len(m.Info) || m.Info[i].Key != kv.Key {
			return m, fmt.Errorf("key %d is not %s: clients read the keys by their order", i, kv.Key)
		}
	}
	return m, nil
}

func (s *gameSpyServer) basicStat() (m gamespy2.BasicStat, err error) {
	answer, err := s.stat(false)
	if err != nil {
		return m, err
	}
	m, err = gamespy2.ParseBasicStat(answer)
	if err == nil && m.ID != s.idOf(0) {
		err = fuzzharness.ErrToken
	}
	return m, err
}

func (s *gameSpyServer) sendsFullStat() error {
	_, err := s.fullStat()
	return err
}

func (s *gameSpyServer) sendsBasicStat() error {
	_, err := s.basicStat()
	return err
}

func (s *gameSpyServer) sendsSameStats() error {
	full, err := s.fullStat()
	if err != nil {
		return err
	}
	basic, err := s.basicStat()
	if err != nil {
		return err
	}
	v := full.View()
	v.Roster = nil
	return sameForms(onlyBasic(v), onlyBasic(basic.View()), false)
}

// onlyBasic returns what a basic stat has.
func onlyBasic(v lobbywire.View) lobbywire.View {
	return lobbywire.View{Name: v.Name, Map: v.Map, Mode: v.Mode, Port: v.Port, Players: v.Players, Max: v.Max}
}
