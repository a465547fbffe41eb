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
	"github.com/lobbywire/lobbywire/gameagent/gameagentnet"
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
	return func(s *Session) error {
		if err := p.known(s); err != nil {
			return err
		}
		if !p.native {
			return skipped("the server does not answer the native form")
		}
		return run(s)
	}
}

// inLegacy is a case for servers that answer the legacy form.
func (p *gameAgentPeer) inLegacy(run func(s *Session) error) func(*Session) error {
	return func(s *Session) error {
		if err := p.known(s); err != nil {
			return err
		}
		if !p.legacy {
			return skipped("the server does not answer the legacy form")
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
	}
	if m.QueryID == "" {
		return errors.New("there is no queryid, with which clients join packets")
	}
	return nil
}

// namesAgree compares the names of the forms.
func (p *gameAgentPeer) namesAgree(s *Session) error {
	status, err := p.status(s, 0)
	if err != nil {
		return err
	}
	players, _, err := p.players(s, 0)
	if err != nil {
		return err
	}
	m, _, err := p.legacyStatus(s, 0, gameagent.LegacyQueryStatus)
	if err != nil {
		return err
	}
	native, legacy := status.View(), m.View()
	if !alike(native.Name, legacy.Name) {
		return fmt.Errorf("the name is %q in the native form and %q in the legacy form", native.Name, legacy.Name)
	}
	return rosterDiffers(players.View().Roster, legacy.Roster)
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
	// The legacy form has other names and levels: it has no decoration and does not
	// replace them.
	for name, of := range map[string][2]*int{"players": {v.Players, legacy.Players}, "max": {v.Max, legacy.Max}} {
		if of[0] != nil && of[1] != nil && *of[0] != *of[1] {
			return v, fmt.Errorf("%s is %d in the native form and %d in the legacy form", name, *of[0], *of[1])
		}
	}
	if len(v.Roster) != len(legacy.Roster) {
		return v, fmt.Errorf("%d players are listed in the native form and %d in the legacy form",
			len(v.Roster), len(legacy.Roster))
	}
	return v, nil
}

func gameAgentSuite() *Suite {
	p := new(gameAgentPeer)
	suite := &Suite{
		Protocol: "gameagent",
		Sections: []string{"Flow", "Wire format", "Strictness", "Limits", "Quirks"},
		explain:  explainGameAgent,
		misread:  p.misread,
		sources:  3,
		edges:    fuzzharness.GameAgentEdges(),
		show:     p.show,
		again:    gameAgentSuite,
		helper: func(v lobbywire.View) Peer {
			server := new(gameagentnet.Server)
			server.SetView(v)
			return responder{server.Respond}
		},
		optional: []string{"port"}, // which the native form lacks
		counts:   true,
	}
	add := suite.add
	add("Flow", Must, "a status request is answered, in the native or the legacy form", func(s *Session) error {
		err := p.known(s)
		if err == nil && !p.native && !p.legacy {
			err = errSilent
		}
		return err
	})
	add("Flow", Must, "a StatusRequest is answered with a Status, once", p.inNative(func(s *Session) error {
		_, err := p.status(s, 0)
		return err
	}))
	add("Flow", Must, "a PlayersRequest is answered with Players, whole", p.inNative(func(s *Session) error {
		_, _, err := p.players(s, 0)
		return err
	}))
	add("Flow", Should, "a PingRequest is answered with the number of players", p.inNative(func(s *Session) error {
		request := mustBinary(gameagent.PingRequest{})
		answers, err := s.ask(0, request)
		if err == nil {
			err = summary(fuzzharness.JudgeGameAgent(request, answers))
		}
		if err != nil {
			return err
		}
		ping, err := gameagent.ParsePing(answers[0])
		if err != nil {
			return err
		}
		status, err := p.status(s, 0)
		if err == nil && (status.Players == nil || *status.Players != ping.Players) {
			err = fmt.Errorf("a ping has %d players, and the status another number", ping.Players)
		}
		return err
	}))
	add("Flow", Must, "the answers to a status and a players request are not answered",
		p.inNative(func(s *Session) error {
			answers, err := s.ask(0, mustBinary(gameagent.StatusRequest{}))
			if err != nil || len(answers) == 0 {
				return err
			}
			if err := s.askNothing(0, answers[0]); err != nil {
				return fmt.Errorf("a status: %w", err)
			}
			_, answers, _ = p.players(s, 0)
			for _, b := range answers {
				if err := s.askNothing(0, b); err != nil {
					return fmt.Errorf("players: %w", err)
				}
			}
			return nil
		}))
	add("Flow", Must, "datagrams for masters, and unknown ones, are not answered", func(s *Session) error {
		for _, b := range [][]byte{{5}, {6}, {0}, {0xff}, []byte("q"), []byte("hello"), []byte("\x01players")} {
			if err := s.askNothing(0, b); err != nil {
				return fmt.Errorf("%q: %w", b, err)
			}
		}
		return nil
	})
	add("Flow", Must, `\status\ is answered in the legacy form`, p.inLegacy(func(s *Session) error {
		_, _, err := p.legacyStatus(s, 0, gameagent.LegacyQueryStatus)
		return err
	}))
	add("Flow", Must, "the answer to a legacy query is not answered", p.inLegacy(func(s *Session) error {
		_, answers, _ := p.legacyStatus(s, 0, gameagent.LegacyQueryStatus)
		for _, b := range answers {
			if err := s.askNothing(0, b); err != nil {
				return err
			}
		}
		return nil
	}))
	for _, q := range []gameagent.LegacyQuery{
		gameagent.LegacyQueryInfo, gameagent.LegacyQueryBasic, gameagent.LegacyQueryPlayers,
	} {
		add("Wire format", Should, fmt.Sprintf(`an answer to \%s\, if there is one, is whole`, q),
			p.inLegacy(func(s *Session) error {
				_, _, err := p.legacyStatus(s, 0, q)
				if errors.Is(err, errSilent) {
					return nil
				}
				return err
			}))
	}
	add("Wire format", Must, "the forms show the same", func(s *Session) error {
		_, err := p.show(s, 0)
		return err
	})
	add("Wire format", Must, "a status has the name, the level and the numbers of players", func(s *Session) error {
		v, err := p.show(s, 0)
		switch {
		case err != nil:
			return err
		case v.Name == "":
			return errors.New("no name")
		case v.Players == nil || v.Max == nil:
			return errors.New("the number or the limit of players is missing, or no number")
		case v.Map != "" || p.native: // whose status always has the key; it may be empty
			return nil
		}
		_, answers, err := p.legacyStatus(s, 0, gameagent.LegacyQueryStatus)
		if err == nil && !bytes.Contains(bytes.Join(answers, nil), []byte(`\mapname\`)) {
			err = errors.New("no mapname")
		}
		return err
	})
	add("Strictness", Should, "a query with more bytes after the type is answered, as the engine does",
		p.inNative(func(s *Session) error {
			request := append(mustBinary(gameagent.StatusRequest{}), "12345"...)
			return s.judged(request, fuzzharness.JudgeGameAgent)
		}))
	add("Strictness", Must, "an empty datagram is not answered, and the server survives it", func(s *Session) error {
		if err := s.askNothing(0, []byte{}); err != nil {
			return err
		}
		_, err := p.show(s, 0)
		return err
	})
	add("Strictness", Robust, "broken requests are answered as they must be, and the server survives them",
		func(s *Session) error {
			if err := p.known(s); err != nil {
				return err
			}
			request := mustBinary(gameagent.StatusRequest{})
			if !p.native {
				request = legacyRequest(gameagent.LegacyQueryStatus)
			}
			for range mutations {
				b := s.mutated(append(request, "5;x"...))
				answers, err := s.askMaybe(0, b)
				if err != nil {
					return err
				}
				m, _ := gameagent.ParseToServer(b)
				if _, unknown := m.(gameagent.Unknown); unknown && len(answers) > 0 && b[0] != '\\' {
					return fmt.Errorf("%d answers to %x, want none", len(answers), b)
				}
			}
			_, err := p.show(s, 0)
			return err
		})
	add("Limits", Must, "packets have at most 2049 bytes", p.inNative(func(s *Session) error {
		_, answers, err := p.players(s, 0)
		for _, b := range answers {
			if len(b) > gameagent.MaxPacket+1 { // for the end mark
				err = fmt.Errorf("%d bytes", len(b))
			}
		}
		return err
	}))
	add("Quirks", Should, "no more players are listed than there are", func(s *Session) error {
		v, err := p.show(s, 0)
		if err == nil && v.Players != nil && len(v.Roster) > *v.Players {
			err = fmt.Errorf("%d players are listed, and there are %d", len(v.Roster), *v.Players)
		}
		return err
	})
	add("Quirks", Must, "clients at different addresses get answers of their own", func(s *Session) error {
		for source := range suite.sources {
			if _, err := p.show(s, source); err != nil {
				return err
			}
		}
		return nil
	})
	add("Wire format", Should, `the answer to \info\, if there is one, agrees with \status\`, p.inLegacy(p.infoAgrees))
	add("Wire format", Should, "hostport, if there is one, is a port", p.inLegacy(func(s *Session) error {
		m, answers, err := p.legacyStatus(s, 0, gameagent.LegacyQueryStatus)
		if err != nil {
			return err
		}
		named := func(e gameagent.Pair) bool { return e.Key == "hostport" }
		if i := slices.IndexFunc(m.Extra, named); i >= 0 {
			return fmt.Errorf("hostport is %q", m.Extra[i].Value)
		}
		if bytes.Contains(bytes.Join(answers, nil), []byte(`\hostport\0\`)) {
			return errors.New("hostport is 0: nobody can join")
		}
		return nil
	}))
	add("Quirks", Should, "there are no more players than places", func(s *Session) error {
		v, err := p.show(s, 0)
		if err != nil {
			return err
		}
		return crowded(v)
	})
	add("Wire format", Should, `the answer to \players\, if there is one, has the players of \status\ only`,
		p.inLegacy(p.playersAgree))
	add("Wire format", Should, "no legacy key comes twice, each answer has a queryid, and nothing follows its end",
		p.inLegacy(p.legacyForm))
	add("Wire format", Must, "the forms show the same name and players, except for decoration",
		p.inNative(p.inLegacy(p.namesAgree)))
	suite.addStates(mustBut)
	return suite
}

func explainGameAgent(p Packet) lobbywire.Explanation {
	if p.Sent {
		return gameagent.ExplainToServer(p.Bytes)
	}
	return gameagent.ExplainFromServer(p.Bytes)
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
