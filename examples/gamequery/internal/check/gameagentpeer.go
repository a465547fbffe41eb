package check

import (
	"bytes"
	"encoding"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/fuzzharness"
	"github.com/lobbywire/lobbywire/gameagent"
)

// A gameAgentPeer is what is known of a server of GameAgent: the forms that it answers.
type gameAgentPeer struct {
	native, legacy bool
	asked          bool
}

// known finds out which forms the server answers.
func (p *gameAgentPeer) known(s *Session) error {
	if p.asked {
		return nil
	}
	status, err := s.askMaybe(0, mustBinary(gameagent.StatusRequest{}))
	if err != nil {
		return err
	}
	const query = gameagent.LegacyQueryStatus
	legacy, err := s.askWhole(0, legacyRequest(query), isWholeLegacy(query), false)
	if err != nil {
		return err
	}
	p.native, p.legacy, p.asked = len(status) > 0, len(legacy) > 0, true
	return nil
}

// mustBinary returns the bytes of a request of the native form, which all can be encoded.
func mustBinary(m encoding.BinaryMarshaler) []byte {
	b, _ := m.MarshalBinary()
	return b
}

func legacyRequest(q gameagent.LegacyQuery) []byte {
	return mustBinary(gameagent.LegacyRequest{Query: q})
}

// inNative is a case for servers that answer the native form.
func (p *gameAgentPeer) inNative(run func(s *Session) error) func(*Session) error {
	return p.in(&p.native, "native", run)
}

// inLegacy is a case for servers that answer the legacy form.
func (p *gameAgentPeer) inLegacy(run func(s *Session) error) func(*Session) error {
	return p.in(&p.legacy, "legacy", run)
}

func (p *gameAgentPeer) in(answers *bool, form string, run func(s *Session) error) func(*Session) error {
	return func(s *Session) error {
		if err := p.known(s); err != nil {
			return err
		}
		if !*answers {
			return skipped("the server does not answer the " + form + " form")
		}
		return run(s)
	}
}

// status asks for the status in the native form.
func (p *gameAgentPeer) status(s *Session, source int) (m gameagent.Status, err error) {
	request := mustBinary(gameagent.StatusRequest{})
	answers, err := s.ask(source, request)
	if err == nil {
		err = summary(fuzzharness.JudgeGameAgent(request, answers))
	}
	if err != nil {
		return m, err
	}
	return gameagent.ParseStatus(answers[0])
}

// players asks for the players in the native form.
func (p *gameAgentPeer) players(s *Session, source int) (gameagent.Players, [][]byte, error) {
	request := mustBinary(gameagent.PlayersRequest{})
	answers, err := s.askWhole(source, request, func(answers [][]byte) bool {
		var a gameagent.Assembler
		for _, b := range answers {
			done, err := a.Add(b)
			if done || err != nil {
				return true
			}
		}
		return false
	}, true)
	if err == nil {
		err = summary(fuzzharness.JudgeGameAgent(request, answers))
	}
	if err != nil {
		return gameagent.Players{}, answers, err
	}
	var a gameagent.Assembler
	for _, b := range answers {
		if _, err := a.Add(b); err != nil {
			return gameagent.Players{}, answers, err
		}
	}
	m, err := a.Players()
	return m, answers, err
}

// isWholeLegacy reports whether the packets of an answer have arrived.
func isWholeLegacy(q gameagent.LegacyQuery) Whole {
	return func(answers [][]byte) bool {
		a := gameagent.LegacyAssembler{Options: gameagent.Options{Query: q}}
		for _, b := range answers {
			done, err := a.Add(b)
			if done || err != nil {
				return true
			}
		}
		return false
	}
}

// legacyStatus asks in the legacy form.
func (p *gameAgentPeer) legacyStatus(s *Session, source int, q gameagent.LegacyQuery) (
	m gameagent.LegacyStatus, answers [][]byte, err error,
) {
	answers, err = s.askWhole(source, legacyRequest(q), isWholeLegacy(q), q == gameagent.LegacyQueryStatus)
	if err != nil {
		return m, answers, err
	}
	if len(answers) == 0 {
		return m, nil, errSilent
	}
	a := gameagent.LegacyAssembler{Options: gameagent.Options{Query: q}}
	done := false
	for _, b := range answers {
		if done {
			return m, answers, errors.New("a packet follows the last one")
		}
		done, err = a.Add(b)
		if err != nil {
			return m, answers, err
		}
	}
	if !done {
		return m, answers, errors.New("the answer has no end mark, or packets are missing")
	}
	m, err = a.LegacyStatus()
	if err == nil && m.Partial {
		err = errors.New("the keys and values are no pairs: a value has a backslash, or the answer is cut")
	}
	return m, answers, err
}

// infoAgrees compares the answers to two legacy queries.
func (p *gameAgentPeer) infoAgrees(s *Session) error {
	info, _, err := p.legacyStatus(s, 0, gameagent.LegacyQueryInfo)
	if err != nil {
		return skipped("there is no whole answer")
	}
	status, _, err := p.legacyStatus(s, 0, gameagent.LegacyQueryStatus)
	if err != nil {
		return err
	}
	if status.HostName != "" && info.HostName == "" {
		return errors.New("it has no name: it may be the answer to another query")
	}
	want, got := status.View(), info.View()
	want.Roster = nil
	none := facts{}
	all, shown := none.members(want), none.members(got)
	for name := range all {
		if shown[name] == nil {
			delete(all, name)
		}
	}
	return fuzzharness.Differ(viewOf(all), viewOf(shown))
}

// legacyTexts are keys with fields in the answer to a status, but not in that to players.
var legacyTexts = []string{"gamename", "gamever", "hostname", "mapname", "gametype", "gamemode"}

// playersAgree compares the players of two legacy answers.
func (p *gameAgentPeer) playersAgree(s *Session) error {
	players, _, err := p.legacyStatus(s, 0, gameagent.LegacyQueryPlayers)
	if err != nil {
		return skipped("there is no whole answer")
	}
	status, _, err := p.legacyStatus(s, 0, gameagent.LegacyQueryStatus)
	if err != nil {
		return err
	}
	for _, e := range players.Extra {
		if slices.Contains(legacyTexts, e.Key) {
			return fmt.Errorf("it has the key %q, as answers to other queries", e.Key)
		}
	}
	return rosterDiffers(status.View().Roster, players.View().Roster)
}

// legacyForm returns an error if other clients cannot read the keys of a legacy answer, or
// its end.
func (p *gameAgentPeer) legacyForm(s *Session) error {
	m, answers, err := p.legacyStatus(s, 0, gameagent.LegacyQueryStatus)
	if err != nil {
		return err
	}
	once := slices.Clone(legacyTexts)
	for _, e := range m.Extra {
		if slices.Contains(once, e.Key) {
			return fmt.Errorf("the key %q comes twice", e.Key)
		}
		once = append(once, e.Key)
	}
	for _, b := range answers {
		if last := b[len(b)-1]; last < ' ' { // an empty one is no packet
			return fmt.Errorf("the last byte is %#02x", last)
		}
		if !bytes.Contains(b, []byte(`\queryid\`)) {
			return errors.New("there is no queryid, with which clients join packets")
		}
	}
	return nil
}

// rosterDiffers returns an error if two lists do not have the same players.
func rosterDiffers(want, got []lobbywire.Player) error {
	if len(want) != len(got) {
		return fmt.Errorf("one has %d players, and the other %d", len(want), len(got))
	}
	for i := range want {
		if !alike(want[i].Name, got[i].Name) {
			return fmt.Errorf("player %d is %q in one, and %q in the other", i, want[i].Name, got[i].Name)
		}
	}
	return nil
}

// alike reports whether the forms may have two texts for one: they replace and encode other
// characters than letters and digits in different ways, and cut texts.
func alike(a, b string) bool {
	plain := func(text string) string {
		return strings.Map(func(c rune) rune {
			if c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' {
				return c
			}
			return -1
		}, gameagent.PlainName(text))
	}
	a, b = plain(a), plain(b)
	return strings.HasPrefix(a, b) || strings.HasPrefix(b, a)
}

// show returns what queries in the known forms show. All forms must show the same.
func (p *gameAgentPeer) show(s *Session, source int) (v lobbywire.View, err error) {
	if err := p.known(s); err != nil {
		return v, err
	}
	if !p.native && !p.legacy {
		return v, errSilent
	}
	var legacy lobbywire.View
	if p.legacy {
		m, _, err := p.legacyStatus(s, source, gameagent.LegacyQueryStatus)
		if err != nil {
			return v, fmt.Errorf("legacy form: %w", err)
		}
		legacy = m.View()
	}
	if !p.native {
		return legacy, nil
	}
	status, err := p.status(s, source)
	if err != nil {
		return v, err
	}
	players, _, err := p.players(s, source)
	if err != nil {
		return v, err
	}
	v = status.View()
	v.Roster = players.View().Roster
	if !p.legacy {
		return v, nil
	}
	v.Port = legacy.Port
	// The legacy form has other texts: it has no decoration and does not replace them.
	if !alike(v.Name, legacy.Name) {
		return v, fmt.Errorf("the name is %q in the native form and %q in the legacy form", v.Name, legacy.Name)
	}
	for name, of := range map[string][2]*int{"players": {v.Players, legacy.Players}, "max": {v.Max, legacy.Max}} {
		if of[0] != nil && of[1] != nil && *of[0] != *of[1] {
			return v, fmt.Errorf("%s is %d in the native form and %d in the legacy form", name, *of[0], *of[1])
		}
	}
	return v, rosterDiffers(v.Roster, legacy.Roster)
}

// misread returns what clients of others misread.
func (p *gameAgentPeer) misread(s *Session) (notes []string) {
	if p.known(s) != nil {
		return nil
	}
	if p.native {
		status, _ := p.status(s, 0)
		if slices.Contains([]byte(status.SessionName), ';') {
			notes = append(notes, "the engine does not show a server whose name has a semicolon")
		}
	}
	if p.legacy {
		m, _, _ := p.legacyStatus(s, 0, gameagent.LegacyQueryStatus)
		names := []string{m.HostName}
		for _, player := range m.Players {
			names = append(names, player.Name)
		}
		notes = append(notes, misreadTexts(names, "gamedig and GameQ", "opengsq")...)
	}
	return notes
}
