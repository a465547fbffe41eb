package servers

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/fuzzharness"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/check"
	"github.com/lobbywire/lobbywire/gameagent"
)

// Sources of the cases of GameAgent: sections of its document, and programs.
const (
	gaStatus  = "GameAgent, status"
	gaPlayers = "GameAgent, players"
	gaEngine  = "Serious Engine"
	gaLegacy  = "GameSpy's first protocol, as Serious Engine has it"
	gaReaders = "what qstat, gamedig, GameQ and opengsq read"
	gaLoops   = "a server answers no answer: two would answer each other for ever"
)

// gameAgentRows are the cases of GameAgent, in both of its forms.
func gameAgentRows() []row[*gameAgentServer] {
	type s = *gameAgentServer
	return []row[s]{
		{"1.1", check.Must, "a status request is answered, in the native or the legacy form", gaStatus, s.answersForm},
		{"1.2", check.Must, "a StatusRequest is answered with a Status, once", gaStatus, inNative(asks[s](unchanged))},
		{"1.3", check.Must, "a PlayersRequest is answered with Players, whole", gaPlayers, inNative(s.sendsPlayers)},
		{"1.4", check.Should, "a PingRequest is answered with the number of players", gaEngine, inNative(s.answersPing)},
		{"1.5", check.Must, "the answers to a status and a players request are not answered", gaLoops,
			inNative(s.answersNoAnswer)},
		{"1.6", check.Must, "datagrams for masters, and unknown ones, are not answered", gaEngine,
			sends[s]([]byte{5}, []byte{6}, []byte{0}, []byte{0xff}, []byte("q"), []byte("hello"), []byte("\x01players"))},
		{"1.7", check.Must, `\status\ is answered in the legacy form`, gaLegacy, inLegacy(legacyAnswer(gameagent.LegacyQueryStatus))},
		{"1.8", check.Must, "the answer to a legacy query is not answered", gaLoops, inLegacy(s.answersNoLegacyAnswer)},
		{"2.1", check.Should, `an answer to \info\, if there is one, is whole`, gaLegacy,
			inLegacy(ifAnswered(gameagent.LegacyQueryInfo))},
		{"2.2", check.Should, `an answer to \basic\, if there is one, is whole`, gaLegacy,
			inLegacy(ifAnswered(gameagent.LegacyQueryBasic))},
		{"2.3", check.Should, `an answer to \players\, if there is one, is whole`, gaLegacy,
			inLegacy(ifAnswered(gameagent.LegacyQueryPlayers))},
		{"2.4", check.Must, "the forms show the same, except for decoration", gaEngine, s.showsSame},
		{"2.5", check.Must, "a status has the name, the level and the numbers of players", gaStatus, s.hasFacts},
		{"2.6", check.Should, `the answer to \info\, if there is one, agrees with \status\`, gaLegacy, inLegacy(s.infoAgrees)},
		{"2.7", check.Should, "hostport, if there is one, is a port", gaLegacy, inLegacy(s.hasPort)},
		{"2.8", check.Should, `the answer to \players\, if there is one, has the players of \status\ only`, gaLegacy,
			inLegacy(s.playersAgree)},
		{"2.9", check.Should, "no legacy key comes twice, each answer has a queryid, and nothing follows its end", gaReaders,
			inLegacy(s.hasLegacyForm)},
		{"2.10", check.Should, "the numbers of legacy packets start at 1", gaReaders, inLegacy(s.countsFromOne)},
		{"2.11", check.Should, "each legacy packet comes once", gaReaders, inLegacy(s.hasPacketsOnce)},
		{"3.1", check.Should, "a query with more bytes after the type is answered, as the engine does", gaEngine,
			inNative(asks[s](func(b []byte) []byte { return append(b, "12345"...) }))},
		{"3.2", check.Must, "an empty datagram is not answered, and the server survives it", gaEngine, s.survivesEmpty},
		{"3.3", check.Robust, "broken requests are answered as they must be, and the server survives them", gaEngine, s.survives},
		{"4.1", check.Must, "packets have at most 2049 bytes", gaEngine, inNative(s.hasSmallPackets)},
		{"5.1", check.Must, "clients at different addresses get answers of their own", gaStatus, s.servesSeveral},
		{"5.2", check.Should, "the numbers of players agree with the list and the places, and no text has its end", gaReaders,
			s.isPlausible},
	}
}

func (s *gameAgentServer) answersForm() error {
	err := s.known()
	if err == nil && !s.native && !s.legacy {
		err = fuzzharness.ErrSilent
	}
	return err
}

func (s *gameAgentServer) sendsPlayers() error {
	_, _, err := s.players(0)
	return err
}

func (s *gameAgentServer) answersPing() error {
	request := check.MustBinary(gameagent.PingRequest{})
	answer, err := s.Ask(0, request)
	if err == nil {
		err = check.Bare(fuzzharness.JudgeGameAgent(request, [][]byte{answer}))
	}
	if err != nil {
		return err
	}
	ping, err := gameagent.ParsePing(answer)
	if err != nil {
		return err
	}
	status, _, err := s.status(0)
	if err == nil && (status.Players == nil || *status.Players != ping.Players) {
		err = fmt.Errorf("a ping has %d players, and the status another number", ping.Players)
	}
	return err
}

func (s *gameAgentServer) answersNoAnswer() error {
	_, answer, _ := s.status(0)
	if answer == nil {
		return fuzzharness.ErrSilent
	}
	if err := s.AskNothing(0, answer); err != nil {
		return fmt.Errorf("a status: %w", err)
	}
	_, answers, _ := s.players(0)
	if err := s.AskNothing(0, answers...); err != nil {
		return fmt.Errorf("players: %w", err)
	}
	return nil
}

// legacyAnswer is a case of a legacy query that must be answered.
func legacyAnswer(q gameagent.LegacyQuery) func(s *gameAgentServer) error {
	return func(s *gameAgentServer) error {
		_, _, err := s.legacyStatus(0, q)
		return err
	}
}

// ifAnswered is a case of a legacy query that need not be answered.
func ifAnswered(q gameagent.LegacyQuery) func(s *gameAgentServer) error {
	return func(s *gameAgentServer) error {
		_, _, err := s.legacyStatus(0, q)
		if errors.Is(err, fuzzharness.ErrSilent) {
			return nil
		}
		return err
	}
}

func (s *gameAgentServer) answersNoLegacyAnswer() error {
	_, answers, _ := s.legacyStatus(0, gameagent.LegacyQueryStatus)
	return s.AskNothing(0, answers...)
}

func (s *gameAgentServer) showsSame() error {
	_, err := s.show(0)
	return err
}

func (s *gameAgentServer) hasFacts() error {
	v, err := s.show(0)
	switch {
	case err != nil:
		return err
	case v.Name == "":
		return errors.New("no name")
	case v.Players == nil || v.Max == nil:
		return errors.New("the number or the limit of players is missing, or no number")
	case v.Map != "" || s.native: // whose status always has the key; it may be empty
		return nil
	}
	_, answers, err := s.legacyStatus(0, gameagent.LegacyQueryStatus)
	if err == nil && !bytes.Contains(bytes.Join(answers, nil), []byte(`\mapname\`)) {
		err = errors.New("no mapname")
	}
	return err
}

func (s *gameAgentServer) hasPort() error {
	m, answers, err := s.legacyStatus(0, gameagent.LegacyQueryStatus)
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
}

// infoAgrees compares the answers to two legacy queries.
func (s *gameAgentServer) infoAgrees() error {
	info, _, err := s.legacyStatus(0, gameagent.LegacyQueryInfo)
	if err != nil {
		return check.Skipped("there is no whole answer")
	}
	status, _, err := s.legacyStatus(0, gameagent.LegacyQueryStatus)
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

// legacyTexts are the keys with fields in the answer to a status, but not in that to players.
func legacyTexts() []string {
	return []string{"gamename", "gamever", "hostname", "mapname", "gametype", "gamemode"}
}

// playersAgree compares the players of two legacy answers.
func (s *gameAgentServer) playersAgree() error {
	players, _, err := s.legacyStatus(0, gameagent.LegacyQueryPlayers)
	if err != nil {
		return check.Skipped("there is no whole answer")
	}
	status, _, err := s.legacyStatus(0, gameagent.LegacyQueryStatus)
	if err != nil {
		return err
	}
	for _, e := range players.Extra {
		if slices.Contains(legacyTexts(), e.Key) {
			return fmt.Errorf("it has the key %q, as answers to other queries", e.Key)
		}
	}
	return samePlayers(status.View().Roster, players.View().Roster)
}

// hasLegacyForm returns an error if other clients cannot read the keys of a legacy answer, or
// its end.
func (s *gameAgentServer) hasLegacyForm() error {
	m, answers, err := s.legacyStatus(0, gameagent.LegacyQueryStatus)
	if err != nil {
		return err
	}
	once := legacyTexts()
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

// countsFromOne returns an error if the number of a packet is 0: gamedig then waits for another.
func (s *gameAgentServer) countsFromOne() error {
	_, answers, err := s.legacyStatus(0, gameagent.LegacyQueryStatus)
	for _, b := range answers {
		_, id, _ := bytes.Cut(b, []byte(`\queryid\`))
		id, _, _ = bytes.Cut(id, []byte(`\`))
		if bytes.HasSuffix(id, []byte(".0")) {
			return fmt.Errorf("the queryid is %q", id)
		}
	}
	return err
}

func (s *gameAgentServer) hasPacketsOnce() error {
	_, answers, err := s.legacyStatus(0, gameagent.LegacyQueryStatus)
	if n := len(answers) - len(once(answers)); err == nil && n > 0 {
		err = fmt.Errorf("%d of %d packets come twice: %w", n, len(answers), fuzzharness.ErrRepeated)
	}
	return err
}

func (s *gameAgentServer) survivesEmpty() error {
	if err := s.AskNothing(0, []byte{}); err != nil {
		return err
	}
	_, err := s.show(0)
	return err
}

func (s *gameAgentServer) survives() error {
	if err := s.known(); err != nil {
		return err
	}
	request := check.MustBinary(gameagent.StatusRequest{})
	if !s.native {
		request = legacyRequest(gameagent.LegacyQueryStatus)
	}
	for range check.Mutations {
		b := s.Mutated(append(request, "5;x"...))
		answers, err := s.AskMaybe(0, b)
		if err != nil {
			return err
		}
		m, _ := gameagent.ParseToServer(b)
		if _, unknown := m.(gameagent.Unknown); unknown && len(answers) > 0 && b[0] != '\\' {
			return fmt.Errorf("%x: %w", b, fuzzharness.ErrAnswered)
		}
	}
	_, err := s.show(0)
	return err
}

func (s *gameAgentServer) hasSmallPackets() error {
	_, answers, err := s.players(0)
	for _, b := range answers {
		if len(b) > gameagent.MaxPacket+1 { // for the end mark
			err = fmt.Errorf("%d bytes", len(b))
		}
	}
	return err
}

func (s *gameAgentServer) servesSeveral() error {
	for source := range sources {
		if _, err := s.show(source); err != nil {
			return err
		}
	}
	return nil
}

func (s *gameAgentServer) isPlausible() error {
	v, err := s.show(0)
	return cmp.Or(err, check.Implausible(v))
}

func explainGameAgent(p check.Packet) lobbywire.Explanation {
	if p.Sent {
		return gameagent.ExplainToServer(p.Bytes)
	}
	return gameagent.ExplainFromServer(p.Bytes)
}
