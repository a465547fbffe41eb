package check

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/fuzzharness"
	"github.com/lobbywire/lobbywire/gamespy2"
	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
)

func gameSpy2Suite() *Suite {
	p := &gameSpyPeer{numbers: map[int]int32{}, id: usualID}
	suite := &Suite{
		Protocol: "gamespy2",
		Sections: []string{"Flow", "Wire format", "Strictness", "Limits", "Quirks"},
		explain:  explainGameSpy,
		misread:  p.misread,
		sources:  3,
		edges:    fuzzharness.GameSpyEdges(),
		show:     p.show,
		again:    gameSpy2Suite,
		helper: func(v lobbywire.View) Peer {
			server := new(gamespy2net.Server)
			server.SetView(v)
			return responder{server.Respond}
		},
	}
	add := suite.add
	add("Flow", Must, "a challenge request, if it is answered, has an answer with its id and a number",
		func(s *Session) error {
			_, err := p.number(s, 0)
			if errors.Is(err, errSilent) {
				return skipped("challenge requests are not answered")
			}
			return err
		})
	add("Flow", Must, "a query in one of the forms is answered", func(s *Session) error {
		forms, err := p.known(s)
		if err == nil && len(forms) == 0 {
			err = errSilent
		}
		return err
	})
	add("Flow", Must, "answers have the id of their query and what was requested, and are whole",
		p.each(func(gamespy2.Response, [][]byte) error { return nil }))
	add("Flow", Must, "two requests with different ids get answers of their own",
		p.inFirst(func(s *Session, f gameSpyForm) error {
			for source := range 2 {
				if _, err := p.query(s, source, f, everything()); err != nil {
					return err
				}
			}
			return nil
		}))
	add("Flow", Must, "a query without a challenge is not answered, if challenges are needed",
		p.refused(func(*Session, int32) (int32, error) { return 0, nil }))
	for i := range 4 {
		add("Flow", Must, fmt.Sprintf("a challenge whose byte %d is wrong is refused", i),
			p.refused(func(_ *Session, n int32) (int32, error) { return n ^ 0x15<<(24-8*i), nil }))
	}
	add("Flow", Must, "a challenge of another port is refused", p.refused(p.foreign(1)))
	add("Flow", Must, "a challenge of another host is refused", p.refused(p.foreign(2)))
	add("Flow", Must, "answers are not answered", p.inFirst(func(s *Session, f gameSpyForm) error {
		answers, err := p.query(s, 0, f, everything())
		if err != nil || len(answers) == 0 {
			return err
		}
		if err := s.askNothing(0, answers[0]); err != nil {
			return err
		}
		challenge, err := gamespy2.ChallengeResponse{ID: p.idOf(0), Number: 1234567}.MarshalBinary()
		if err != nil {
			return err
		}
		return s.askNothing(0, challenge)
	}))
	add("Flow", Must, "a request of an unknown type is not answered", func(s *Session) error {
		for _, kind := range []byte{1, 3, 5, 8, 200} {
			if err := s.askNothing(0, []byte{0xfe, 0xfd, kind, 1, 2, 3, 4, 0xff, 0xff, 0xff}); err != nil {
				return fmt.Errorf("type %d: %w", kind, err)
			}
		}
		return nil
	})
	add("Flow", Should, "a request that does not start with fe fd is not answered", func(s *Session) error {
		for _, start := range [][]byte{{0xfd, 0xfe}, {0xfe, 0xfe}, {0, 0xfd}} {
			if err := s.askNothing(0, append(start, 9, 1, 2, 3, 4)); err != nil {
				return err
			}
		}
		return nil
	})
	add("Flow", Should, "an echo request gets no more bytes than it has", func(s *Session) error {
		request := []byte("\xfe\xfd\x02\x01\x02\x03\x04hello")
		answers, err := s.askMaybe(0, request)
		if err == nil && len(bytes.Join(answers, nil)) > len(request) {
			err = fmt.Errorf("%d bytes for %d", len(bytes.Join(answers, nil)), len(request))
		}
		return err
	})
	for _, part := range []struct {
		name string
		q    gamespy2.Request
	}{
		{"info", gamespy2.Request{Info: gamespy2.All()}},
		{"players", gamespy2.Request{Players: gamespy2.All()}},
		{"teams", gamespy2.Request{Teams: gamespy2.All()}},
	} {
		add("Wire format", Should, "a query for "+part.name+", if it is answered, has an answer with these",
			func(s *Session) error {
				forms, err := p.known(s)
				for _, f := range forms {
					if f.split {
						continue // which always has everything
					}
					_, err := p.query(s, 0, f, part.q)
					if err == nil && f.challenge { // without one, it requests the basic stat of Minecraft
						_, err = p.query(s, 0, f, part.q, 0) // the flags
					}
					if err != nil {
						return fmt.Errorf("%s: %w", f, err)
					}
				}
				return err
			})
	}
	isMap := func(e gamespy2.KeyValue) bool { return e.Key == "mapname" } // it may be empty
	add("Wire format", Must, "an answer has the name, the map and the numbers of players",
		p.each(func(m gamespy2.Response, _ [][]byte) error {
			v := m.View()
			switch {
			case v.Name == "":
				return errors.New("no hostname")
			case v.Map == "" && !slices.ContainsFunc(m.Info, isMap):
				return errors.New("no mapname")
			case v.Players == nil || v.Max == nil:
				return errors.New("numplayers or maxplayers is missing, or no number")
			}
			return nil
		}))
	add("Wire format", Should, "a query for nothing is not answered", func(s *Session) error {
		if err := p.strict(s); err != nil {
			return err
		}
		q := gamespy2.Request{ID: p.idOf(0), HasChallenge: true, Challenge: p.numbers[0]}
		request, err := q.MarshalBinary()
		if err != nil {
			return err
		}
		return s.askNothing(0, request)
	})
	add("Strictness", Must, "a request of more than 255 bytes is not answered", func(s *Session) error {
		return s.askNothing(0, append([]byte{0xfe, 0xfd, 9, 1, 2, 3, 4}, make([]byte, gamespy2.MaxRequest)...))
	})
	add("Strictness", Must, "a request without its id is not answered", func(s *Session) error {
		for size := 3; size < 7; size++ {
			if err := s.askNothing(0, []byte{0xfe, 0xfd, 9, 1, 2, 3, 4}[:size]); err != nil {
				return err
			}
		}
		return nil
	})
	add("Strictness", Robust, "broken requests are not answered as other requests, and the server survives them",
		p.inFirst(func(s *Session, f gameSpyForm) error {
			needsChallenge := p.strict(s) == nil
			q := everything()
			q.ID, q.HasChallenge, q.Challenge = p.idOf(0), needsChallenge, p.numbers[0]
			if !needsChallenge {
				q.Challenge = 0
			}
			request, err := q.MarshalBinary()
			if err != nil {
				return err
			}
			for range mutations {
				b := s.mutated(request)
				answers, err := s.askMaybe(0, b)
				if err == nil && needsChallenge {
					if _, most := fuzzharness.ExpectGameSpy(b, p.numbers[0]); len(answers) > most {
						err = fmt.Errorf("%d answers, want at most %d", len(answers), most)
					}
				}
				if err != nil {
					return err
				}
			}
			_, err = p.query(s, 0, f, everything())
			return err
		}))
	add("Limits", Must, "a challenge is a positive number of at least six digits", func(s *Session) error {
		number, err := p.number(s, 0)
		if errors.Is(err, errSilent) || number == 0 {
			return skipped("the server has no challenges")
		}
		if err == nil && number < 100000 {
			err = fmt.Errorf("the number is %d: some clients misread it", number)
		}
		return err
	})
	add("Limits", Should, "packets have at most 1400 bytes",
		p.each(func(_ gamespy2.Response, answers [][]byte) error {
			for _, b := range answers {
				if len(b) > maxGameSpyPacket && len(answers) > 1 { // Minecraft sends one packet of any size
					return fmt.Errorf("%d bytes", len(b))
				}
			}
			return nil
		}))
	add("Limits", Must, "a challenge is at most 16 bytes", func(s *Session) error {
		answers, err := s.askMaybe(1, []byte{0xfe, 0xfd, 9, 1, 2, 3, 4})
		delete(p.numbers, 1)
		if err == nil && len(bytes.Join(answers, nil)) > 16 {
			err = fmt.Errorf("%d bytes for 7: strangers can flood others with them", len(bytes.Join(answers, nil)))
		}
		return err
	})
	add("Quirks", Should, "a challenge request with four surplus bytes is answered like others, as gamedig sends it",
		func(s *Session) error {
			if _, err := p.number(s, 0); err != nil {
				return skipped("the server has no challenges")
			}
			request := append([]byte{0xfe, 0xfd, 9, 1, 2, 3, 4}, 0, 0, 0, 0)
			return s.judged(request, func(request []byte, answers [][]byte) error {
				return fuzzharness.JudgeGameSpy(request, answers, 0)
			})
		})
	add("Flow", Must, "several clients at one time get answers of their own", p.inFirst(func(s *Session, f gameSpyForm) error {
		if !f.challenge {
			return nil
		}
		for source := range suite.sources {
			if _, err := p.fresh(s, source); err != nil {
				return err
			}
		}
		for source := range suite.sources {
			answers, err := p.queryWith(s, source, p.numbers[source], f, everything())
			if err == nil && len(answers) == 0 {
				err = fmt.Errorf("client %d: %w", source+1, errSilent)
			}
			if err != nil {
				return err
			}
		}
		return nil
	}))
	add("Flow", Must, "challenges cannot be guessed from those of other clients", func(s *Session) error {
		if err := p.strict(s); err != nil {
			return err
		}
		var numbers []uint32
		for source := range suite.sources {
			number, err := p.fresh(s, source)
			if err != nil {
				return err
			}
			numbers = append(numbers, uint32(number))
		}
		return guessed(numbers)
	})
	gamedig := [4]byte{0, 0, 0, 1}
	add("Flow", Must, "an id with zeros is repeated, as gamedig has it", p.repeats(gamedig, gamedig))
	add("Flow", Should, "an id of any bytes is repeated, whatever that of the challenge",
		p.repeats(usualID, [4]byte{0xff, 0x80, 0x0a, 0xfe}))
	add("Wire format", Should, "a query for single keys, one unknown, if it is answered, has their values in its order",
		p.inFirst(p.singleKeys))
	add("Wire format", Should, "a key has one value", p.each(func(m gamespy2.Response, _ [][]byte) error {
		for i, kv := range m.Info {
			twice := func(other gamespy2.KeyValue) bool { return other.Key == kv.Key && other.Value != kv.Value }
			if slices.ContainsFunc(m.Info[:i], twice) {
				return fmt.Errorf("%q has two values: some clients read the first, and some the last", kv.Key)
			}
		}
		return nil
	}))
	add("Wire format", Should, "numbers and the port are digits only", p.each(plainNumbers))
	add("Quirks", Should, "the numbers of players agree with the list and the places, and no text has its end",
		p.each(func(m gamespy2.Response, _ [][]byte) error {
			v, all := m.View(), texts(m) // as they were sent
			v.Name, v.Roster = all[0], nil
			for _, text := range all[1:] {
				v.Roster = append(v.Roster, lobbywire.Player{Name: text})
			}
			return implausible(v)
		}))
	suite.addStates(mustBut)
	return suite
}

// plainNumbers returns an error if a number has other characters than digits: clients
// differ in what they make of blanks and fractions.
func plainNumbers(m gamespy2.Response, _ [][]byte) error {
	for _, key := range []string{"numplayers", "maxplayers", "hostport"} {
		value, ok := m.Lookup(key)
		most := uint64(math.MaxInt32)
		if key == "hostport" {
			most = math.MaxUint16
		}
		if n, err := strconv.ParseUint(value, 10, 32); ok && (err != nil || n > most) {
			return fmt.Errorf("%s is %q", key, value)
		}
	}
	if value, ok := m.Lookup("password"); ok && value != "" && m.View().Password == nil {
		return fmt.Errorf("password is neither 0 nor 1: everybody can read it")
	}
	return nil
}

// maxGameSpyPacket is the size of the largest packet that GameSpy's code sends and reads.
const maxGameSpyPacket = 1400

func explainGameSpy(p Packet) lobbywire.Explanation {
	switch {
	case p.Sent:
		return gamespy2.ExplainWith[gamespy2.Request](gamespy2.Options{Challenge: len(p.Bytes) > 11}, p.Bytes)
	case len(p.Bytes) > 0 && p.Bytes[0] == byte(gamespy2.TypeChallenge):
		return gamespy2.Explain[gamespy2.ChallengeResponse](p.Bytes)
	}
	m, _ := gamespy2.Options{Challenge: len(p.Request) > 11}.ParseRequest(p.Request)
	return gamespy2.ExplainWith[gamespy2.Response](gamespy2.Options{Sections: m.Sections(), Part: m.Split()}, p.Bytes)
}
