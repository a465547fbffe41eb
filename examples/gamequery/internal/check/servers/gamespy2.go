package servers

import (
	"errors"
	"fmt"
	"slices"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/fuzzharness"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/check"
	"github.com/lobbywire/lobbywire/examples/internal/traffic"
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

// A gameSpyServer records the known properties of a server of GameSpy's queries.
type gameSpyServer struct {
	*check.Session
	numbers   map[int]int32 // of the challenges, by address
	knows     bool          // the server answers challenge requests
	id        [4]byte       // of the requests of the first address, except for the last byte
	forms     []gameSpyForm // that it answers
	minecraft bool          // it answers as Minecraft does
	asked     bool          // the forms are known
}

func gameSpySuite() *check.Suite {
	s, st := newGameSpy()
	return &check.Suite{
		Protocol: "gamespy2",
		Cases: slices.Concat(check.Cases("gamespy2", s, gameSpyRows()), check.Cases("gamespy2", st, stateRows()),
			check.Cases("gamespy2", s, minecraftRows())),
		Session: s.Session,
		Service: traffic.ServiceOf("gamespy2", traffic.Server),
		Alive:   s.alive,
		Reset:   s.forget,
		Misread: s.misread,
		States:  st,
		Sources: sources,
	}
}

func newGameSpy() (*gameSpyServer, *states) {
	s := &gameSpyServer{Session: new(check.Session), numbers: map[int]int32{}, id: usualID()}
	return s, &states{
		Session: s.Session,
		sources: sources,
		edges:   fuzzharness.GameSpyEdges(),
		show:    s.show,
		again:   func() *states { _, st := newGameSpy(); return st },
		helper: func(v lobbywire.View) check.Peer {
			server := new(gamespy2net.Server)
			server.SetView(v)
			return &Responder{Respond: answersOf(server.Respond)}
		},
	}
}

// forget forgets the challenges of addresses that are no longer used.
func (s *gameSpyServer) forget() {
	clear(s.numbers)
	s.id = usualID()
}

// alive fails if the server answers neither a challenge request nor a query.
func (s *gameSpyServer) alive() {
	forms := s.known()
	switch {
	case s.knows:
		s.fresh(0)
	case len(forms) == 0:
		s.Fail(fuzzharness.ErrSilent)
	default:
		answers, err := s.query(0, forms[0], everything())
		if len(answers) == 0 {
			s.Fail(errors.Join(err, fuzzharness.ErrSilent))
		}
	}
}

// fresh returns a new challenge of an address. Many servers accept a challenge only once,
// for some seconds, or until the next one.
func (s *gameSpyServer) fresh(source int) int32 {
	delete(s.numbers, source)
	return s.number(source)
}

// challenge returns a new challenge of an address, 0 if the form has none.
func (s *gameSpyServer) challenge(source int, f gameSpyForm) int32 {
	if !f.challenge {
		return 0
	}
	return s.fresh(source)
}

// number returns the challenge of an address. It reads it as our clients do.
func (s *gameSpyServer) number(source int) int32 {
	if number, ok := s.numbers[source]; ok {
		return number
	}
	answers := s.AskWhole(source, s.challengeRequest(source), check.One, s.knows || !s.asked)
	if len(answers) == 0 {
		s.Fail(fuzzharness.ErrSilent)
	}
	s.knows = true
	m := check.Parsed(s.Session, gamespy2.ParseChallengeResponse, answers[0])
	if m.ID != s.idOf(source) {
		s.Fail(fuzzharness.ErrToken)
	}
	s.numbers[source] = m.Number
	return m.Number
}

func (s *gameSpyServer) challengeRequest(source int) []byte {
	return check.MustBinary(gamespy2.Request{Type: gamespy2.TypeChallenge, ID: s.idOf(source)})
}

// usualID is the id of most requests. No two bytes are the same.
func usualID() [4]byte { return [4]byte{0x11, 0x2a, 0x43, 0x5c} }

// idOf returns the id of the requests of an address.
func (s *gameSpyServer) idOf(source int) [4]byte {
	id := s.id
	id[3] += byte(source)
	return id
}

// query asks in a form from an address, with more bytes at the end. It returns the answers,
// which are whole and valid unless err is not nil.
func (s *gameSpyServer) query(source int, f gameSpyForm, q gamespy2.Request, more ...byte) (
	answers [][]byte, err error,
) {
	err = s.Try(func() {
		number := s.challenge(source, f)
		answers, err = s.queryWith(source, number, f, q, more...)
		s.Check(err)
	})
	return answers, err
}

// queryWith is query with a challenge, 0 for none. Other cases test for a missing end and
// repeated packets.
func (s *gameSpyServer) queryWith(source int, number int32, f gameSpyForm, q gamespy2.Request, more ...byte,
) ([][]byte, error) {
	q.ID, q.HasChallenge, q.Challenge = s.idOf(source), number != 0, number
	if f.split {
		q.Flags |= gamespy2.FlagSplit
	}
	request := append(check.MustBinary(q), more...)
	// A known form must be answered if the query is for all sections.
	must := slices.Contains(s.forms, f) && q.Sections() == everything().Sections()
	answers := s.AskWhole(source, request, isWholeGameSpy(q), must)
	if len(answers) == 0 {
		return nil, nil
	}
	judged := answers
	if f.split {
		judged = once(answers)
	}
	err := fuzzharness.JudgeGameSpyAnswers(q, judged)
	if errors.Is(err, fuzzharness.ErrNoEnd) {
		err = nil
	}
	return answers, err
}

// once returns each packet once.
func once(answers [][]byte) (all [][]byte) {
	for _, b := range answers {
		if !slices.ContainsFunc(all, func(other []byte) bool { return slices.Equal(b, other) }) {
			all = append(all, b)
		}
	}
	return all
}

// isWholeGameSpy reports whether the packets of an answer have arrived.
func isWholeGameSpy(q gamespy2.Request) check.Whole {
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

// known returns the forms that the server answers, even wrongly. Minecraft is recognised by its
// answer to a query of 15 bytes; it answers all other queries in another form, which has its own
// cases.
func (s *gameSpyServer) known() []gameSpyForm {
	if s.asked {
		return s.forms
	}
	split := gameSpyForm{challenge: true, split: true}
	first, failed := s.query(0, split, everything())
	if m, _ := response(first); isMinecraft(m) {
		s.forms, s.minecraft, s.asked = []gameSpyForm{split}, true, true
		open := gameSpyForm{split: true} // which Minecraft does not answer
		if answers, _ := s.query(0, open, everything()); len(answers) > 0 {
			s.forms = append(s.forms, open)
		}
		return s.forms
	}
	for _, f := range gameSpyForms() {
		answers, err := first, error(nil)
		if f != split {
			answers, err = s.query(0, f, everything())
		}
		if len(answers) > 0 {
			s.forms = append(s.forms, f)
		}
		if err != nil && !errors.Is(err, fuzzharness.ErrSilent) {
			failed = err
		}
	}
	if len(s.forms) == 0 {
		s.Check(failed)
	}
	s.asked = true
	return s.forms
}

// isMinecraft reports whether an answer is a full stat of Minecraft.
func isMinecraft(m gamespy2.Response) bool {
	id, _ := m.Lookup("game_id")
	return id == "MINECRAFT"
}

// strict skips the case unless the server answers only queries with a challenge.
func (s *gameSpyServer) strict() {
	forms := s.known()
	without := slices.ContainsFunc(forms, func(f gameSpyForm) bool { return !f.challenge })
	if without || len(forms) == 0 || s.number(0) == 0 {
		s.Fail(check.Skipped("the server answers queries without a challenge"))
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

// whole asks for everything in a form, which must be answered.
func (s *gameSpyServer) whole(source int, f gameSpyForm) (m gamespy2.Response, answers [][]byte) {
	answers, err := s.query(source, f, everything())
	if err == nil && len(answers) == 0 {
		err = fuzzharness.ErrSilent
	}
	if err == nil {
		m, err = response(answers)
	}
	if err != nil {
		s.Failf("%s: %w", f, err)
	}
	return m, answers
}

// show returns what a query in the first known form shows. The other forms must show the
// same.
func (s *gameSpyServer) show(source int) (v lobbywire.View) {
	forms := s.known()
	if len(forms) == 0 {
		s.Fail(fuzzharness.ErrSilent)
	}
	for i, f := range forms {
		if source > 0 && i > 0 {
			break // the forms are compared for one client
		}
		m, _ := s.whole(source, f)
		if i == 0 {
			v = m.View()
		} else if err := sameForms(v, m.View(), f.split); err != nil {
			s.Failf("%s and %s differ: %w", forms[0], f, err)
		}
	}
	return v
}

// sameForms returns an error if two forms show different states. The plain form is one packet,
// and may have fewer players.
func sameForms(first, other lobbywire.View, isSplit bool) error {
	if isSplit && len(other.Roster) < len(first.Roster) {
		return fmt.Errorf("one has %d players, and the other %d", len(first.Roster), len(other.Roster))
	}
	same := min(len(first.Roster), len(other.Roster))
	first.Roster, other.Roster = first.Roster[:same], other.Roster[:same]
	all := factsOf(first, other)
	want, got := all.members(first), all.members(other)
	for _, name := range compared() {
		if a, b := string(want[name]), string(got[name]); a != b {
			return fmt.Errorf("%s is %s in one, and %s in the other", name, orMissing(a), orMissing(b))
		}
	}
	return nil
}

func orMissing(text string) string {
	if text == "" {
		return "missing"
	}
	return text
}
