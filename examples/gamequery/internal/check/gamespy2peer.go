package check

import (
	"errors"
	"fmt"
	"slices"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/fuzzharness"
	"github.com/lobbywire/lobbywire/gamespy2"
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
	knows   bool          // the server answers challenge requests
	id      [4]byte       // of the requests of the first address, except for the last byte
	forms   []gameSpyForm // that it answers
	asked   bool          // the forms are known
}

// fresh returns a new challenge of an address. Many servers accept one once, for some
// seconds, or until the next.
func (p *gameSpyPeer) fresh(s *Session, source int) (int32, error) {
	delete(p.numbers, source)
	return p.number(s, source)
}

// challenge returns a new challenge of an address, 0 if the form has none.
func (p *gameSpyPeer) challenge(s *Session, source int, f gameSpyForm) (int32, error) {
	if !f.challenge {
		return 0, nil
	}
	return p.fresh(s, source)
}

// number returns the challenge of an address.
func (p *gameSpyPeer) number(s *Session, source int) (int32, error) {
	if number, ok := p.numbers[source]; ok {
		return number, nil
	}
	request, err := gamespy2.Request{Type: gamespy2.TypeChallenge, ID: p.idOf(source)}.MarshalBinary()
	if err != nil {
		return 0, err
	}
	answers, err := s.askWhole(source, request, one, p.knows || !p.asked)
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
		p.numbers[source], p.knows = m.Number, true
	}
	return m.Number, summary(err)
}

// usualID is the id of most requests. No two bytes are the same.
var usualID = [4]byte{0x11, 0x2a, 0x43, 0x5c}

// idOf returns the id of the requests of an address.
func (p *gameSpyPeer) idOf(source int) [4]byte {
	id := p.id
	id[3] += byte(source)
	return id
}

// inFirst is a case for servers that answer a form. It gets the first of them.
func (p *gameSpyPeer) inFirst(run func(s *Session, f gameSpyForm) error) func(*Session) error {
	return func(s *Session) error {
		forms, err := p.known(s)
		if err != nil || len(forms) == 0 {
			return err
		}
		return run(s, forms[0])
	}
}

// repeats is a case of a query with an id, and a challenge request with another.
func (p *gameSpyPeer) repeats(challenge, query [4]byte) func(*Session) error {
	return p.inFirst(func(s *Session, f gameSpyForm) error {
		p.id = challenge
		defer func() { p.id = usualID }()
		number, err := p.challenge(s, 0, f)
		if err != nil {
			return err
		}
		p.id = query
		answers, err := p.queryWith(s, 0, number, f, everything())
		if err == nil && len(answers) == 0 {
			err = errSilent
		}
		return err
	})
}

// query asks in a form from an address, with more bytes at the end. It returns the answers,
// which are whole and valid unless err is not nil.
func (p *gameSpyPeer) query(s *Session, source int, f gameSpyForm, q gamespy2.Request, more ...byte) ([][]byte, error) {
	number, err := p.challenge(s, source, f)
	if err != nil {
		return nil, err
	}
	return p.queryWith(s, source, number, f, q, more...)
}

// queryWith is query with a challenge, 0 for none.
func (p *gameSpyPeer) queryWith(s *Session, source int, number int32, f gameSpyForm, q gamespy2.Request, more ...byte,
) ([][]byte, error) {
	q.ID, q.HasChallenge, q.Challenge = p.idOf(source), number != 0, number
	if f.split {
		q.Flags |= gamespy2.FlagSplit
	}
	request, err := q.MarshalBinary()
	if err != nil {
		return nil, err
	}
	request = append(request, more...)
	// A form that is known is answered, if it has all sections.
	must := slices.Contains(p.forms, f) && q.Sections() == everything().Sections()
	answers, err := s.askWhole(source, request, isWholeGameSpy(q), must)
	if err != nil || len(answers) == 0 {
		return nil, err
	}
	return answers, summary(fuzzharness.JudgeGameSpyAnswers(q, answers))
}

// singleKeys compares the answer to a query for keys with the answer for all.
func (p *gameSpyPeer) singleKeys(s *Session, f gameSpyForm) error {
	const unknown = 200 // has an empty value
	keys := gamespy2.Keys(
		gamespy2.KeyMapName, unknown, gamespy2.KeyHostname, gamespy2.KeyMaxPlayers, gamespy2.KeyNumPlayers)
	answers, err := p.query(s, 0, f, everything())
	if err != nil || len(answers) == 0 {
		return err
	}
	all, err := response(answers)
	if err != nil {
		return err
	}
	if _, isMinecraft := all.Lookup("game_id"); isMinecraft {
		return skipped("Minecraft does not read selectors")
	}
	q := gamespy2.Request{ID: p.idOf(0), Info: keys}
	q.Challenge, err = p.challenge(s, 0, f)
	if err != nil {
		return err
	}
	q.HasChallenge = q.Challenge != 0
	request, err := q.MarshalBinary()
	if err != nil {
		return err
	}
	answers, err = s.askMaybe(0, request)
	if err != nil || len(answers) == 0 {
		return err
	}
	got, err := gamespy2.ParseValues(answers[0], keys.Len())
	if err == nil && !slices.Equal(got.Values, all.Values(keys).Values) {
		err = fmt.Errorf("the values are %q, want %q", got.Values, all.Values(keys).Values)
	}
	return err
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
			q.ID, q.HasChallenge, q.Challenge = p.idOf(0), true, number
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
		number, err := p.fresh(s, other)
		if err == nil && number == own {
			err = fmt.Errorf("both have the number %d: it must depend on host and port", own)
		}
		return number, err
	}
}

// each is a case of queries for everything in each form that the server answers.
func (p *gameSpyPeer) each(check func(m gamespy2.Response, answers [][]byte) error) func(*Session) error {
	return func(s *Session) error {
		forms, err := p.known(s)
		if err != nil {
			return err
		}
		for _, f := range forms {
			answers, err := p.query(s, 0, f, everything())
			var m gamespy2.Response
			if err == nil && len(answers) > 0 {
				m, err = response(answers)
			}
			if err == nil && len(answers) > 0 {
				err = check(m, answers)
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
		first := v
		if f.split && len(shown.Roster) < len(first.Roster) {
			return v, fmt.Errorf("%s after %s: %d players instead of %d", f, forms[0], len(shown.Roster), len(first.Roster))
		}
		same := min(len(first.Roster), len(shown.Roster)) // the plain form is one packet, and may have fewer
		first.Roster, shown.Roster = first.Roster[:same], shown.Roster[:same]
		all := factsOf(first, shown)
		err = fuzzharness.Differ(viewOf(all.members(first)), viewOf(all.members(shown)))
		if err != nil {
			return v, fmt.Errorf("%s after %s: %w", f, forms[0], err)
		}
	}
	return v, nil
}
