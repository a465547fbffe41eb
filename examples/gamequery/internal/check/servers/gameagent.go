package servers

import (
	"slices"
	"strings"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/fuzzharness"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/check"
	"github.com/lobbywire/lobbywire/examples/internal/oneport"
	"github.com/lobbywire/lobbywire/examples/internal/traffic"
	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1"
)

// A gameAgentServer records which forms of GameAgent a server answers.
type gameAgentServer struct {
	*check.Session
	native, legacy bool
	asked          bool
}

func gameAgentSuite() *check.Suite {
	s, st := newGameAgent()
	return &check.Suite{
		Protocol: "gameagent",
		Cases:    append(check.Cases("gameagent", s, gameAgentRows()), check.Cases("gameagent", st, stateRows())...),
		Session:  s.Session,
		Service:  traffic.ServiceOf("gameagent", traffic.Server),
		Alive:    s.alive,
		Misread:  s.misread,
		States:   st,
		Sources:  sources,
	}
}

func newGameAgent() (*gameAgentServer, *states) {
	s := &gameAgentServer{Session: new(check.Session)}
	return s, &states{
		Session: s.Session,
		sources: sources,
		edges:   fuzzharness.GameAgentEdges(),
		show:    s.show,
		again:   func() *states { _, st := newGameAgent(); return st },
		helper: func(v lobbywire.View) check.Peer {
			server := oneport.New(lobbywire.Rates{})
			server.SetView(v)
			return &Responder{Respond: answersOf(server.Respond)}
		},
		optional: []string{"port"}, // which the native form lacks
		counts:   true,
	}
}

// known finds out which forms the server answers.
func (s *gameAgentServer) known() {
	if s.asked {
		return
	}
	const query = gamespy1.QueryStatus
	s.native = len(s.AskMaybe(0, check.MustBinary(gameagent.StatusRequest{}))) > 0
	s.legacy = len(s.AskWhole(0, legacyRequest(query), isWholeLegacy(query), false)) > 0
	s.asked = true
}

// either returns a status request in a form that the server answers.
func (s *gameAgentServer) either() []byte {
	s.known()
	if s.native {
		return s.request()
	}
	return legacyRequest(gamespy1.QueryStatus)
}

// alive fails if the server answers no status request.
func (s *gameAgentServer) alive() { s.AskWhole(0, s.either(), check.One, true) }

func legacyRequest(q gamespy1.Query) []byte {
	return check.MustBinary(gamespy1.Request{Query: q})
}

// inNative is a case for servers that answer the native form.
func inNative(run func(s *gameAgentServer)) func(*gameAgentServer) {
	return func(s *gameAgentServer) {
		if s.known(); !s.native {
			s.Fail(check.ErrOther)
		}
		run(s)
	}
}

// inLegacy is a case for servers that answer the legacy form.
func inLegacy(run func(s *gameAgentServer)) func(*gameAgentServer) {
	return func(s *gameAgentServer) {
		if s.known(); !s.legacy {
			s.Fail(check.ErrOther)
		}
		run(s)
	}
}

// request returns the bytes of a query for the status.
func (s *gameAgentServer) request() []byte { return check.MustBinary(gameagent.StatusRequest{}) }

// ask sends bytes from the first address, and judges the answers.
func (s *gameAgentServer) ask(request []byte) { s.judged(0, request, check.One) }

// judged sends a request, and returns the answers, which are right.
func (s *gameAgentServer) judged(source int, request []byte, isWhole check.Whole) [][]byte {
	answers := s.AskWhole(source, request, isWhole, fuzzharness.ExpectGameAgent(request) > 0)
	s.Check(fuzzharness.JudgeGameAgent(request, answers))
	return answers
}

// status asks for the status in the native form.
func (s *gameAgentServer) status(source int) gameagent.Status {
	return check.Parsed(s.Session, gameagent.ParseStatus, s.judged(source, s.request(), check.One)[0])
}

// players asks for the players in the native form.
func (s *gameAgentServer) players(source int) (m gameagent.Players, answers [][]byte) {
	answers = s.judged(source, check.MustBinary(gameagent.PlayersRequest{}), isWholePlayers)
	var a gameagent.Assembler
	for _, b := range answers {
		_, err := a.Add(b)
		s.Check(err)
	}
	m, err := a.Players()
	s.Check(err)
	return m, answers
}

// isWholePlayers reports whether the packets of an answer have arrived.
func isWholePlayers(answers [][]byte) bool {
	var a gameagent.Assembler
	for _, b := range answers {
		done, err := a.Add(b)
		if done || err != nil {
			return true
		}
	}
	return false
}

// isWholeLegacy reports whether the packets of an answer have arrived.
func isWholeLegacy(q gamespy1.Query) check.Whole {
	return func(answers [][]byte) bool {
		a := gamespy1.Assembler{Options: gamespy1.Options{Query: q}}
		for _, b := range answers {
			done, err := a.Add(b)
			if done || err != nil {
				return true
			}
		}
		return false
	}
}

// legacyAnswers asks in the legacy form.
func (s *gameAgentServer) legacyAnswers(source int, q gamespy1.Query) [][]byte {
	answers := s.AskWhole(source, legacyRequest(q), isWholeLegacy(q), q == gamespy1.QueryStatus)
	if len(answers) == 0 {
		s.Fail(fuzzharness.ErrSilent)
	}
	return answers
}

// legacyStatus asks in the legacy form, and reads the answer.
func (s *gameAgentServer) legacyStatus(source int, q gamespy1.Query) (
	m gamespy1.Status, answers [][]byte,
) {
	answers = s.legacyAnswers(source, q)
	a := gamespy1.Assembler{Options: gamespy1.Options{Query: q}}
	done, err := false, error(nil)
	for _, b := range once(answers) {
		if done {
			s.Failf("a packet follows the last one: %w", fuzzharness.ErrRepeated)
		}
		done, err = a.Add(b)
		s.Check(err)
	}
	if !done {
		s.Failf("the answer has no end mark, or packets are missing")
	}
	m, err = a.Status()
	s.Check(err)
	if m.Partial {
		s.Failf("the keys and values are no pairs: a value has a backslash, or the answer is cut")
	}
	return m, answers
}

// alike reports whether the two forms may show one text as a and b: they replace and encode
// characters other than letters and digits in different ways, and cut texts.
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
func (s *gameAgentServer) show(source int) (v lobbywire.View) {
	s.known()
	var legacy lobbywire.View
	if s.legacy {
		s.In("legacy form", func() {
			m, _ := s.legacyStatus(source, gamespy1.QueryStatus)
			legacy = m.View()
		})
	}
	switch {
	case !s.native && !s.legacy:
		s.Fail(fuzzharness.ErrSilent)
	case !s.native:
		return legacy
	}
	v = s.status(source).View()
	players, _ := s.players(source)
	v.Roster = players.View().Roster
	if !s.legacy {
		return v
	}
	v.Port = legacy.Port
	// Texts differ in the legacy form: it has no decoration and replaces no characters.
	if !alike(v.Name, legacy.Name) {
		s.Failf("the name is %q in the native form and %q in the legacy form", v.Name, legacy.Name)
	}
	for name, of := range map[string][2]*int{"players": {v.Players, legacy.Players}, "max": {v.Max, legacy.Max}} {
		if of[0] != nil && of[1] != nil && *of[0] != *of[1] {
			s.Failf("%s is %d in the native form and %d in the legacy form", name, *of[0], *of[1])
		}
	}
	s.Check(samePlayers(v.Roster, legacy.Roster))
	return v
}

// misread returns what other clients misread.
func (s *gameAgentServer) misread() (notes []string) {
	s.known()
	if s.native {
		_ = s.Try(func() { // other cases judge it, here and below
			if slices.Contains([]byte(s.status(0).SessionName), ';') {
				notes = append(notes, "the engine does not show a server whose name has a semicolon")
			}
		})
	}
	if s.legacy {
		if s.Try(s.countsFromOne) != nil {
			notes = append(notes, "gamedig gets no answer: the numbers of the packets start at 0")
		}
		_ = s.Try(func() {
			m, _ := s.legacyStatus(0, gamespy1.QueryStatus)
			names := []string{m.HostName}
			for _, player := range m.Players {
				names = append(names, player.Name)
			}
			notes = append(notes, misreadTexts(names, "gamedig and GameQ", "opengsq")...)
		})
	}
	return notes
}
