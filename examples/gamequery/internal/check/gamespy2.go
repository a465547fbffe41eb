package check

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/fuzzharness"
	"github.com/lobbywire/lobbywire/gamespy2"
	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
)

// A gameSpyForm is a form of query that a server may answer.
type gameSpyForm struct{ challenge, split bool }

func (f gameSpyForm) String() string {
	name := "plain"
	if f.split {
		name = "split"
	}
	if f.challenge {
		return name + " form with a challenge"
	}
	return name + " form"
}

// gameSpyForms are all forms. The first are the most widely answered.
func gameSpyForms() []gameSpyForm {
	return []gameSpyForm{{true, false}, {true, true}, {false, false}, {false, true}}
}

// A gameSpyPeer is what is known of a server of GameSpy's queries.
type gameSpyPeer struct {
	numbers map[int]int32 // of the challenges, by address
	forms   []gameSpyForm // that it answers
	asked   bool          // the forms are known
}

// number returns the challenge of an address.
func (p *gameSpyPeer) number(s *Session, source int) (int32, error) {
	if number, ok := p.numbers[source]; ok {
		return number, nil
	}
	request, err := gamespy2.Request{Type: gamespy2.TypeChallenge, ID: idOf(source)}.MarshalBinary()
	if err != nil {
		return 0, err
	}
	_, knows := p.numbers[0]
	answers, err := s.askWhole(source, request, one, knows || !p.asked)
	if err != nil {
		return 0, err
	}
	if len(answers) == 0 {
		return 0, errSilent
	}
	m, err := gamespy2.ParseChallengeResponse(answers[0])
	if err == nil {
		err = fuzzharness.JudgeGameSpy(request, answers, m.Number)
	}
	if err == nil {
		p.numbers[source] = m.Number
	}
	return m.Number, summary(err)
}

// idOf returns the id of the requests of an address. No two bytes are the same.
func idOf(source int) [4]byte { return [4]byte{0x11, 0x2a, 0x43, byte(0x5c + source)} }

// query asks in a form from an address. It returns the answers, which are whole and valid
// unless err is not nil.
func (p *gameSpyPeer) query(s *Session, source int, f gameSpyForm, q gamespy2.Request) ([][]byte, error) {
	q.ID = idOf(source)
	if f.challenge {
		number, err := p.number(s, source)
		if err != nil {
			return nil, err
		}
		q.HasChallenge, q.Challenge = number != 0, number
	}
	if f.split {
		q.Flags |= gamespy2.FlagSplit
	}
	request, err := q.MarshalBinary()
	if err != nil {
		return nil, err
	}
	// A form that is known is answered, if it has all sections.
	must := slices.Contains(p.forms, f) && q.Sections() == everything().Sections()
	answers, err := s.askWhole(source, request, isWholeGameSpy(q), must)
	if err != nil || len(answers) == 0 {
		return nil, err
	}
	return answers, summary(fuzzharness.JudgeGameSpyAnswers(q, answers))
}

// isWholeGameSpy reports whether the packets of an answer have arrived.
func isWholeGameSpy(q gamespy2.Request) Whole {
	return func(answers [][]byte) bool {
		a := gamespy2.Assembler{Options: gamespy2.Options{Sections: q.Sections()}}
		for _, b := range answers {
			done, err := a.Add(b)
			if done || err != nil {
				return true
			}
		}
		return false
	}
}

// everything is the query of most clients.
func everything() gamespy2.Request {
	return gamespy2.Request{Info: gamespy2.All(), Players: gamespy2.All(), Teams: gamespy2.All()}
}

// known returns the forms that the server answers. Faults of answers do not matter here.
func (p *gameSpyPeer) known(s *Session) ([]gameSpyForm, error) {
	if p.asked {
		return p.forms, nil
	}
	for _, f := range gameSpyForms() {
		answers, err := p.query(s, 0, f, everything())
		if len(answers) > 0 {
			p.forms = append(p.forms, f)
		}
		if err != nil && len(answers) == 0 && !errors.Is(err, errSilent) {
			return nil, err
		}
	}
	p.asked = true
	return p.forms, nil
}

// strict reports whether the server answers only queries with a challenge.
func (p *gameSpyPeer) strict(s *Session) error {
	forms, err := p.known(s)
	if err != nil {
		return err
	}
	without := slices.ContainsFunc(forms, func(f gameSpyForm) bool { return !f.challenge })
	if without || len(forms) == 0 || p.numbers[0] == 0 {
		return skipped("the server answers queries without a challenge")
	}
	return nil
}

// refused is a case of a query whose challenge is wrong.
func (p *gameSpyPeer) refused(change func(s *Session, number int32) (int32, error)) func(*Session) error {
	return func(s *Session) error {
		if err := p.strict(s); err != nil {
			return err
		}
		number, err := change(s, p.numbers[0])
		if err != nil {
			return err
		}
		for _, f := range p.forms {
			q := everything()
			q.ID, q.HasChallenge, q.Challenge = idOf(0), true, number
			if f.split {
				q.Flags = gamespy2.FlagSplit
			}
			request, err := q.MarshalBinary()
			if err != nil {
				return err
			}
			if err := s.askNothing(0, request); err != nil {
				return err
			}
		}
		return nil
	}
}

// foreign replaces a number by the number of another address.
func (p *gameSpyPeer) foreign(other int) func(*Session, int32) (int32, error) {
	return func(s *Session, own int32) (int32, error) {
		number, err := p.number(s, other)
		if err == nil && number == own {
			err = fmt.Errorf("both have the number %d: it must depend on host and port", own)
		}
		return number, err
	}
}

// each is a case of queries in each form that the server answers.
func (p *gameSpyPeer) each(q gamespy2.Request, check func(f gameSpyForm, answers [][]byte) error) func(*Session) error {
	return func(s *Session) error {
		forms, err := p.known(s)
		if err != nil {
			return err
		}
		for _, f := range forms {
			answers, err := p.query(s, 0, f, q)
			if err == nil && len(answers) > 0 && check != nil {
				err = check(f, answers)
			}
			if err != nil {
				return fmt.Errorf("%s: %w", f, err)
			}
		}
		return nil
	}
}

// response joins the answers to a query for everything.
func response(answers [][]byte) (gamespy2.Response, error) {
	a := gamespy2.Assembler{Options: gamespy2.Options{Sections: everything().Sections()}}
	for _, b := range answers {
		if _, err := a.Add(b); err != nil {
			return gamespy2.Response{}, err
		}
	}
	return a.Response()
}

// show returns what a query in the first known form shows. The other forms must show the
// same.
func (p *gameSpyPeer) show(s *Session, source int) (v lobbywire.View, err error) {
	forms, err := p.known(s)
	if err != nil {
		return v, err
	}
	if len(forms) == 0 {
		return v, errSilent
	}
	for i, f := range forms {
		if source > 0 && i > 0 {
			break // the forms are compared for one client
		}
		answers, err := p.query(s, source, f, everything())
		if err == nil && len(answers) == 0 {
			err = errSilent
		}
		if err != nil {
			return v, fmt.Errorf("%s: %w", f, err)
		}
		m, err := response(answers)
		if err != nil {
			return v, err
		}
		shown := m.View()
		if i == 0 {
			v = shown
		}
		err = fuzzharness.Differ(viewOf(members(v)), viewOf(members(shown)))
		if err != nil && len(shown.Roster) == len(v.Roster) { // the plain form is one packet, and may have fewer
			return v, fmt.Errorf("%s after %s: %w", f, forms[0], err)
		}
	}
	return v, nil
}

func gameSpy2Suite() *Suite {
	p := &gameSpyPeer{numbers: map[int]int32{}}
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
		p.each(everything(), nil))
	add("Flow", Must, "two requests with different ids get answers of their own", func(s *Session) error {
		forms, err := p.known(s)
		if err != nil || len(forms) == 0 {
			return err
		}
		for source := range 2 {
			if _, err := p.query(s, source, forms[0], everything()); err != nil {
				return err
			}
		}
		return nil
	})
	add("Flow", Must, "a query without a challenge is not answered, if challenges are needed",
		p.refused(func(*Session, int32) (int32, error) { return 0, nil }))
	for i := range 4 {
		add("Flow", Must, fmt.Sprintf("a challenge whose byte %d is wrong is refused", i),
			p.refused(func(_ *Session, n int32) (int32, error) { return n ^ 0x15<<(24-8*i), nil }))
	}
	add("Flow", Must, "a challenge of another port is refused", p.refused(p.foreign(1)))
	add("Flow", Must, "a challenge of another host is refused", p.refused(p.foreign(2)))
	add("Flow", Must, "answers are not answered", func(s *Session) error {
		forms, err := p.known(s)
		if err != nil || len(forms) == 0 {
			return err
		}
		answers, err := p.query(s, 0, forms[0], everything())
		if err != nil || len(answers) == 0 {
			return err
		}
		if err := s.askNothing(0, answers[0]); err != nil {
			return err
		}
		challenge, err := gamespy2.ChallengeResponse{ID: idOf(0), Number: 1234567}.MarshalBinary()
		if err != nil {
			return err
		}
		return s.askNothing(0, challenge)
	})
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
					if _, err := p.query(s, 0, f, part.q); err != nil {
						return fmt.Errorf("%s: %w", f, err)
					}
				}
				return err
			})
	}
	add("Wire format", Must, "an answer has the name, the map and the numbers of players",
		p.each(everything(), func(_ gameSpyForm, answers [][]byte) error {
			m, err := response(answers)
			v := m.View()
			switch {
			case err != nil:
				return err
			case v.Name == "":
				return errors.New("no hostname")
			case v.Map == "":
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
		q := gamespy2.Request{ID: idOf(0), HasChallenge: true, Challenge: p.numbers[0]}
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
		func(s *Session) error {
			forms, err := p.known(s)
			if err != nil || len(forms) == 0 {
				return err
			}
			needsChallenge := p.strict(s) == nil
			q := everything()
			q.ID, q.HasChallenge, q.Challenge = idOf(0), needsChallenge, p.numbers[0]
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
			_, err = p.query(s, 0, forms[0], everything())
			return err
		})
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
		p.each(everything(), func(_ gameSpyForm, answers [][]byte) error {
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
	add("Quirks", Should, "no more players are listed than there are",
		p.each(everything(), func(_ gameSpyForm, answers [][]byte) error {
			m, err := response(answers)
			v := m.View()
			if err == nil && v.Players != nil && *v.Players < len(m.Players.Rows) {
				err = fmt.Errorf("%d players are listed, and numplayers is %d", len(m.Players.Rows), *v.Players)
			}
			return err
		}))
	add("Quirks", Should, "a challenge request with four surplus bytes is answered, as gamedig sends it",
		func(s *Session) error {
			if _, err := p.number(s, 0); err != nil {
				return skipped("the server has no challenges")
			}
			answers, err := s.ask(0, append([]byte{0xfe, 0xfd, 9, 1, 2, 3, 4}, 0, 0, 0, 0))
			if err == nil && len(answers) == 0 {
				err = errSilent
			}
			return err
		})
	suite.addStates(mustBut)
	return suite
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

// misread returns what clients of others misread, as the tables of ../../../matrix say.
func (p *gameSpyPeer) misread(s *Session) (notes []string) {
	forms, err := p.known(s)
	if err != nil {
		return nil
	}
	for _, f := range forms {
		answers, _ := p.query(s, 0, f, everything())
		m, err := response(answers)
		if err != nil {
			continue
		}
		v := m.View()
		if !f.split && v.Players != nil && len(v.Roster) < *v.Players {
			notes = append(notes, fmt.Sprintf("qstat -gs2 and gamedig protocol-gamespy2 show %d of %d players: "+
				"the plain form is one packet", len(v.Roster), *v.Players))
		}
		if f.split && len(m.Players.Rows) == 0 && len(m.Players.Columns) > 1 {
			notes = append(notes, "opengsq takes the name of the second column for a player")
		}
		if f.split && len(answers) > 2 && spans(answers) {
			notes = append(notes, "GameQ misreads a column that takes more than two packets")
		}
		notes = append(notes, misreadTexts(texts(m), "gamedig and GameQ", "opengsq")...)
	}
	slices.Sort(notes)
	return slices.Compact(notes)
}

// spans reports whether a packet between two others has only values of one column.
func spans(packets [][]byte) bool {
	for _, b := range packets[1 : len(packets)-1] {
		// After the header and the section are the name of a column and its values.
		if len(b) > 16 && bytes.Count(b[16:], []byte("_\x00")) == 1 {
			return true
		}
	}
	return false
}

// texts returns the names of a server and of its players.
func texts(m gamespy2.Response) []string {
	name, _ := m.Lookup("hostname")
	all := []string{name}
	for _, row := range m.Players.Rows {
		if len(row) > 0 {
			all = append(all, row[0])
		}
	}
	return all
}

// misreadTexts returns which clients show texts with other characters: some read Latin-1,
// and others UTF-8.
func misreadTexts(texts []string, latin1, dropping string) (notes []string) {
	isASCII := func(t string) bool {
		return strings.IndexFunc(t, func(c rune) bool { return c >= utf8.RuneSelf }) < 0
	}
	if slices.ContainsFunc(texts, func(t string) bool { return utf8.ValidString(t) && !isASCII(t) }) {
		notes = append(notes, latin1+" read UTF-8 as Latin-1, and show other characters")
	}
	if slices.ContainsFunc(texts, func(t string) bool { return !utf8.ValidString(t) }) {
		notes = append(notes, dropping+" drops characters that are not UTF-8")
	}
	return notes
}
