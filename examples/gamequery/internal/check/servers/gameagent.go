package servers

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/fuzzharness"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/check"
	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/gameagent/gameagentnet"
)

// A gameAgentServer is what is known of a server of GameAgent: the forms that it answers.
type gameAgentServer struct {
	*check.Session
	native, legacy bool
	asked          bool
}

func gameAgentSuite() *check.Suite {
	s, st := newGameAgent()
	return &check.Suite{
		Protocol: "gameagent",
		Cases:    append(cases("gameagent", s, gameAgentRows()), cases("gameagent", st, stateRows())...),
		Session:  s.Session,
		Explain:  explainGameAgent,
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
			server := new(gameagentnet.Server)
			server.SetView(v)
			return &Responder{Respond: server.Respond}
		},
		optional: []string{"port"}, // which the native form lacks
		counts:   true,
	}
}

// known finds out which forms the server answers.
func (s *gameAgentServer) known() error {
	if s.asked {
		return nil
	}
	status, err := s.AskMaybe(0, check.MustBinary(gameagent.StatusRequest{}))
	if err != nil {
		return err
	}
	const query = gameagent.LegacyQueryStatus
	legacy, err := s.AskWhole(0, legacyRequest(query), isWholeLegacy(query), false)
	if err != nil {
		return err
	}
	s.native, s.legacy, s.asked = len(status) > 0, len(legacy) > 0, true
	return nil
}

// alive returns an error if the server answers no status request.
func (s *gameAgentServer) alive() error {
	if err := s.known(); err != nil {
		return err
	}
	request := check.MustBinary(gameagent.StatusRequest{})
	if !s.native {
		request = legacyRequest(gameagent.LegacyQueryStatus)
	}
	answers, err := s.AskWhole(0, request, check.One, true)
	if err == nil && len(answers) == 0 {
		err = fuzzharness.ErrSilent
	}
	return err
}

func legacyRequest(q gameagent.LegacyQuery) []byte {
	return check.MustBinary(gameagent.LegacyRequest{Query: q})
}

// inNative is a case for servers that answer the native form.
func inNative(run func(s *gameAgentServer) error) func(*gameAgentServer) error {
	return func(s *gameAgentServer) error {
		if err := s.known(); err != nil {
			return err
		}
		if !s.native {
			return check.ErrOther
		}
		return run(s)
	}
}

// inLegacy is a case for servers that answer the legacy form.
func inLegacy(run func(s *gameAgentServer) error) func(*gameAgentServer) error {
	return func(s *gameAgentServer) error {
		if err := s.known(); err != nil {
			return err
		}
		if !s.legacy {
			return check.ErrOther
		}
		return run(s)
	}
}

// request returns the bytes of a query for the status.
func (s *gameAgentServer) request() ([]byte, error) {
	return check.MustBinary(gameagent.StatusRequest{}), nil
}

// ask sends bytes from the first address.
func (s *gameAgentServer) ask(request []byte) ([][]byte, error) {
	return s.AskWhole(0, request, check.One, fuzzharness.ExpectGameAgent(request) > 0)
}

// judge returns an error if the answers to a request are wrong.
func (s *gameAgentServer) judge(request []byte, answers [][]byte) error {
	return fuzzharness.JudgeGameAgent(request, answers)
}

// status asks for the status in the native form.
func (s *gameAgentServer) status(source int) (m gameagent.Status, answer []byte, err error) {
	request := check.MustBinary(gameagent.StatusRequest{})
	answer, err = s.Ask(source, request)
	if err == nil {
		err = check.Bare(fuzzharness.JudgeGameAgent(request, [][]byte{answer}))
	}
	if err != nil {
		return m, answer, err
	}
	m, err = gameagent.ParseStatus(answer)
	return m, answer, err
}

// players asks for the players in the native form.
func (s *gameAgentServer) players(source int) (m gameagent.Players, answers [][]byte, err error) {
	request := check.MustBinary(gameagent.PlayersRequest{})
	answers, err = s.AskWhole(source, request, isWholePlayers, true)
	if err == nil {
		err = check.Bare(fuzzharness.JudgeGameAgent(request, answers))
	}
	if err != nil {
		return m, answers, err
	}
	var a gameagent.Assembler
	for _, b := range answers {
		if _, err := a.Add(b); err != nil {
			return m, answers, err
		}
	}
	m, err = a.Players()
	return m, answers, err
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
func isWholeLegacy(q gameagent.LegacyQuery) check.Whole {
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
func (s *gameAgentServer) legacyStatus(source int, q gameagent.LegacyQuery) (
	m gameagent.LegacyStatus, answers [][]byte, err error,
) {
	answers, err = s.AskWhole(source, legacyRequest(q), isWholeLegacy(q), q == gameagent.LegacyQueryStatus)
	if err != nil {
		return m, answers, err
	}
	if len(answers) == 0 {
		return m, nil, fuzzharness.ErrSilent
	}
	a := gameagent.LegacyAssembler{Options: gameagent.Options{Query: q}}
	done := false
	for _, b := range once(answers) {
		if done {
			return m, answers, fmt.Errorf("a packet follows the last one: %w", fuzzharness.ErrRepeated)
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
func (s *gameAgentServer) show(source int) (v lobbywire.View, err error) {
	if err := s.known(); err != nil {
		return v, err
	}
	if !s.native && !s.legacy {
		return v, fuzzharness.ErrSilent
	}
	var legacy lobbywire.View
	if s.legacy {
		m, _, err := s.legacyStatus(source, gameagent.LegacyQueryStatus)
		if err != nil {
			return v, fmt.Errorf("legacy form: %w", err)
		}
		legacy = m.View()
	}
	if !s.native {
		return legacy, nil
	}
	status, _, err := s.status(source)
	if err != nil {
		return v, err
	}
	players, _, err := s.players(source)
	if err != nil {
		return v, err
	}
	v = status.View()
	v.Roster = players.View().Roster
	if !s.legacy {
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
	return v, samePlayers(v.Roster, legacy.Roster)
}

// misread returns what clients of others misread.
func (s *gameAgentServer) misread() (notes []string) {
	if s.known() != nil {
		return nil
	}
	if s.native {
		status, _, _ := s.status(0)
		if slices.Contains([]byte(status.SessionName), ';') {
			notes = append(notes, "the engine does not show a server whose name has a semicolon")
		}
	}
	if s.legacy {
		m, _, _ := s.legacyStatus(0, gameagent.LegacyQueryStatus)
		names := []string{m.HostName}
		for _, player := range m.Players {
			names = append(names, player.Name)
		}
		if s.countsFromOne() != nil {
			notes = append(notes, "gamedig gets no answer: the numbers of the packets start at 0")
		}
		notes = append(notes, misreadTexts(names, "gamedig and GameQ", "opengsq")...)
	}
	return notes
}
