package check

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/fuzzharness"
	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/gameagent/gameagentnet"
)

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
	add("Wire format", Must, "the forms show the same, except for decoration", func(s *Session) error {
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
	add("Quirks", Should, "the numbers of players agree with the list and the places, and no text has its end",
		func(s *Session) error {
			v, err := p.show(s, 0)
			return cmp.Or(err, implausible(v))
		})
	add("Wire format", Should, `the answer to \players\, if there is one, has the players of \status\ only`,
		p.inLegacy(p.playersAgree))
	add("Wire format", Should, "no legacy key comes twice, each answer has a queryid, and nothing follows its end",
		p.inLegacy(p.legacyForm))
	suite.addStates(mustBut)
	return suite
}

func explainGameAgent(p Packet) lobbywire.Explanation {
	if p.Sent {
		return gameagent.ExplainToServer(p.Bytes)
	}
	return gameagent.ExplainFromServer(p.Bytes)
}
