package check

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"time"

	"github.com/lobbywire/lobbywire/gameagent"
)

// gameAgentMasterSuite has the cases of a master of GameAgent, in both forms.
func gameAgentMasterSuite(game Game) *Suite {
	if game.Name == "" {
		game = Game{"serioussamse", cmp.Or(game.Key, gameagent.LegacyGameKey)}
	}
	m := &gameAgentMaster{game: game}
	suite := &Suite{
		Protocol: "gameagent-master",
		Sections: []string{"Flow", "Wire format", "Strictness", "Limits", "Quirks", "Legacy"},
		explain:  explainGameAgentMaster,
		sources:  sources,
		answer:   m.answerer(),
		withdraw: m.withdraw,
	}
	add := suite.add
	// listing is a case with source 0 listed.
	listing := func(run func(s *Session) error) func(*Session) error {
		return func(s *Session) error {
			if err := m.ensure(s); err != nil {
				return err
			}
			return run(s)
		}
	}
	add("Flow", Must, "a join is answered with a challenge, which is not 0", func(s *Session) error {
		_, err := m.join(s, 1)
		return err
	})
	add("Flow", Must, "a list request is answered with a list", func(s *Session) error {
		_, err := m.list(s)
		return err
	})
	add("Flow", Must, "a server that does not return its challenge is not listed", func(s *Session) error {
		if _, err := m.join(s, 1); err != nil {
			return err
		}
		return m.absent(s, 1)
	})
	for _, wrong := range []struct {
		sentence string
		change   func(c int32) int32
	}{
		{"another challenge", func(c int32) int32 { return c ^ 1 }},
		{"a challenge whose first byte is wrong", func(c int32) int32 { return c ^ 0x15<<24 }},
		{"the challenge with its bytes in the other order", swapped},
		{"a challenge of 0", func(int32) int32 { return 0 }},
	} {
		add("Flow", Must, "a server that returns "+wrong.sentence+" is not listed", func(s *Session) error {
			c, err := m.join(s, 1)
			if err != nil {
				return err
			}
			if wrong.change(c.Challenge) == c.Challenge {
				return skipped("the challenge is the same in the other order")
			}
			if _, err := s.askMaybe(1, m.heartbeat(wrong.change(c.Challenge))); err != nil {
				return err
			}
			return m.absent(s, 1)
		})
	}
	for source, where := range []string{0: "another port", 2: "another host"} {
		if where == "" {
			continue
		}
		add("Flow", Must, "a challenge of "+where+" lists no server", func(s *Session) error {
			c, err := m.join(s, source)
			if err != nil {
				return err
			}
			own, err := m.join(s, 1)
			if err != nil {
				return err
			}
			if own.Challenge == c.Challenge {
				return fmt.Errorf("both addresses get the challenge %d", c.Challenge)
			}
			if _, err := s.askMaybe(1, m.heartbeat(c.Challenge)); err != nil {
				return err
			}
			return errors.Join(m.absent(s, 1), m.absent(s, source))
		})
	}
	add("Flow", Must, "a server that returns its challenge is listed, once, with the port of its game",
		listing(func(s *Session) error { return m.listed(s, 0) }))
	add("Flow", Must, "a later heartbeat has no challenge, and the server stays listed", listing(func(s *Session) error {
		if _, err := s.askMaybe(0, m.heartbeat(0)); err != nil {
			return err
		}
		return m.listed(s, 0)
	}))
	add("Flow", Should, "a heartbeat and a change of state of a server that is listed are not answered",
		listing(func(s *Session) error {
			return s.sendAll(0, m.heartbeat(0), mustBinary(gameagent.StateChanged{}))
		}))
	add("Flow", Should, "a heartbeat without a challenge, of a server that is not listed, gets a challenge",
		func(s *Session) error {
			_, err := m.challenge(s, 1, m.heartbeat(0))
			return err
		})
	add("Flow", Should, "a change of state of a server that is not listed gets a challenge", func(s *Session) error {
		_, err := m.challenge(s, 1, mustBinary(gameagent.StateChanged{}))
		return err
	})
	suite.addSlow("Flow", Must, "a silent server is removed within ten minutes, and no server with heartbeats",
		listing(func(s *Session) error {
			const other = 2
			if err := m.register(s, other); err != nil {
				return err
			}
			defer s.peer.(master).Send(other, mustBinary(gameagent.Join{}))
			m.registered = false
			err := s.expires(expiry, func() error {
				_, err := s.askMaybe(other, m.heartbeat(0))
				return cmp.Or(err, m.absent(s, 0))
			})
			return cmp.Or(err, m.listed(s, other))
		}))
	add("Wire format", Must, "the list has no port 0, and no server twice", listing(func(s *Session) error {
		all, err := m.list(s)
		if err != nil {
			return err
		}
		seen := map[string]bool{}
		for _, at := range all {
			if at.Port() == 0 || seen[at.String()] {
				return fmt.Errorf("%s has port 0, or is listed twice", at)
			}
			seen[at.String()] = true
		}
		return nil
	}))
	add("Strictness", Should, "a list request with more bytes is answered", func(s *Session) error {
		s.peer.(master).Wait(listPace)
		answers, err := s.ask(1, append(mustBinary(gameagent.ListRequest{}), "XYZ"...))
		if err == nil && len(answers) == 0 {
			err = errSilent
		}
		return err
	})
	add("Strictness", Must, "datagrams that are empty, unknown, or for servers and clients are not answered",
		func(s *Session) error {
			list := mustBinary(gameagent.ServerList{})
			err := s.sendAll(1, []byte{}, []byte{0xff}, []byte{1}, []byte{2}, []byte{3}, []byte{4}, []byte("hello"), list,
				mustBinary(gameagent.Challenge{Challenge: 1234567}))
			if err != nil {
				return err
			}
			_, err = m.join(s, 1)
			return err
		})
	add("Strictness", Must, "a heartbeat that is cut lists no server", func(s *Session) error {
		c, err := m.join(s, 1)
		if err != nil {
			return err
		}
		cut, _, _ := bytes.Cut(m.heartbeat(c.Challenge), []byte(";players"))
		if _, err := s.askMaybe(1, cut[:len(cut)-1]); err != nil {
			return err
		}
		return m.absent(s, 1)
	})
	add("Strictness", Robust, "the master survives broken datagrams", func(s *Session) error {
		for _, request := range [][]byte{m.heartbeat(1234567), m.legacyHeartbeat(s, 1, false)} {
			for range mutations / 2 {
				b := s.mutated(request)
				if _, err := s.askMaybe(1, b); err != nil {
					return err
				}
			}
		}
		_, err := m.join(s, 1)
		return err
	})
	add("Limits", Must, "a join gets at most 5 bytes", func(s *Session) error {
		answers, err := s.ask(1, mustBinary(gameagent.Join{}))
		if err != nil {
			return err
		}
		return atMost(answers, maxJoinAnswer)
	})
	add("Limits", Must, "a wrong heartbeat gets at most 5 bytes", func(s *Session) error {
		c, err := m.join(s, 1)
		if err != nil {
			return err
		}
		answers, err := s.askMaybe(1, m.heartbeat(c.Challenge^1))
		if err != nil {
			return err
		}
		return atMost(answers, maxJoinAnswer)
	})
	add("Quirks", Should, "a server that joins again is not listed until it returns a challenge", func(s *Session) error {
		if err := m.register(s, 1); err != nil {
			return err
		}
		if _, err := m.join(s, 1); err != nil {
			return err
		}
		return s.awaits(func() error { return m.absent(s, 1) })
	})
	m.addLegacy(suite)
	return suite
}

// maxJoinAnswer is the size of a challenge.
const maxJoinAnswer = 5

// swapped returns a number with its bytes in the other order.
func swapped(c int32) int32 { return c<<24 | c>>24&0xff | c<<8&0xff0000 | c>>8&0xff00 }

// addLegacy adds the cases for the legacy form, with its list over TCP.
func (m *gameAgentMaster) addLegacy(suite *Suite) {
	add := suite.add
	const section, compact, text = "Legacy", gameagent.LegacyListCompact, ""
	add(section, Must, "the list of a game is sent to a client that answers the challenge", func(s *Session) error {
		err := m.legacyAbsent(s, legacySource, compact)
		if errors.Is(err, errListed) {
			return nil
		}
		return err
	})
	add(section, Must, "a server that answers no query is not listed", func(s *Session) error {
		if _, err := m.legacyList(s, m.game.Name, compact, m.right); err != nil {
			return err
		}
		if _, err := s.askMaybe(1, m.legacyHeartbeat(s, 1, false)); err != nil {
			return err
		}
		s.peer.(master).Wait(time.Second)
		return m.legacyAbsent(s, 1, compact)
	})
	add(section, Must, "a server that answers the query of the master is listed, once, with its query port",
		func(s *Session) error { return m.legacyListed(s, compact) })
	add(section, Should, "the list in text has the server, too", func(s *Session) error { return m.legacyListed(s, text) })
	for _, wrong := range []struct {
		sentence string
		answer   func(secure string) string
	}{
		{"a wrong answer", func(secure string) string { return changedAt(m.right(secure), -1) }},
		{"the answer to another challenge", func(string) string { return m.right("ABCDEF") }},
		{"an empty answer", func(string) string { return "" }},
	} {
		add(section, Should, "a client with "+wrong.sentence+" gets no server", func(s *Session) error {
			if m.game.Key == "" {
				return skipped("the game has no key")
			}
			if err := m.legacyListed(s, compact); err != nil {
				return err
			}
			b, err := m.legacyList(s, m.game.Name, compact, wrong.answer)
			if n := serversIn(b); err == nil && n > 0 {
				err = fmt.Errorf("it gets %d servers", n)
			}
			return err
		})
	}
	add(section, Must, "two connections get different challenges", func(s *Session) error {
		var seen [2]string
		for i := range seen {
			if _, err := m.legacyList(s, m.game.Name, compact, func(secure string) string {
				seen[i] = secure
				return m.right(secure)
			}); err != nil {
				return err
			}
		}
		if seen[0] == seen[1] {
			return fmt.Errorf("both get %q", seen[0])
		}
		return nil
	})
	add(section, Must, "a heartbeat gets no more bytes than it has", func(s *Session) error {
		heartbeat := m.legacyHeartbeat(s, 1, false)
		answers, err := s.askMaybe(1, heartbeat)
		if err != nil {
			return err
		}
		return atMost(answers, len(heartbeat))
	})
	add(section, Should, "the list of another game does not have a server", func(s *Session) error {
		if err := m.legacyListed(s, compact); err != nil {
			return err
		}
		b, err := m.legacyList(s, "no such game", compact, m.right)
		if n := serversIn(b); err == nil && n > 0 {
			err = fmt.Errorf("it has %d servers", n)
		}
		return err
	})
	add(section, Should, "a server that says that it stops, and is silent, is not listed", func(s *Session) error {
		if err := m.legacyListed(s, compact); err != nil {
			return err
		}
		m.silent.Store(true)
		if _, err := s.askMaybe(legacySource, m.legacyHeartbeat(s, legacySource, true)); err != nil {
			return err
		}
		const soon = 30 * time.Second // masters query such a server a moment later, and repeat that
		return s.expires(soon, func() error { return m.legacyAbsent(s, legacySource, compact) })
	})
}
