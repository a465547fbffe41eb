package servers

import (
	"bytes"
	"errors"
	"slices"

	"github.com/lobbywire/lobbywire/examples/fuzzharness"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/check"
	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1"
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
		{"1.3", check.Must, "a PlayersRequest is answered with Players, whole", gaPlayers,
			inNative(func(s s) { s.players(0) })},
		{"1.4", check.Should, "a PingRequest is answered with the number of players", gaEngine, inNative(s.answersPing)},
		{"1.5", check.Must, "the answers to a status and a players request are not answered", gaLoops,
			inNative(s.answersNoAnswer)},
		{"1.6", check.Must, "datagrams for masters, and unknown ones, are not answered", gaEngine,
			sends[s]([]byte{5}, []byte{6}, []byte{0}, []byte{0xff}, []byte("q"), []byte("hello"), []byte("\x01players"))},
		{"1.7", check.Must, `\status\ is answered in the legacy form`, gaLegacy,
			inLegacy(legacyAnswer(gamespy1.QueryStatus))},
		{"1.8", check.Must, "the answer to a legacy query is not answered", gaLoops, inLegacy(s.answersNoLegacyAnswer)},
		{"2.1", check.Should, `an answer to \info\, if there is one, is whole`, gaLegacy,
			inLegacy(ifAnswered(gamespy1.QueryInfo))},
		{"2.2", check.Should, `an answer to \basic\, if there is one, is whole`, gaLegacy,
			inLegacy(ifAnswered(gamespy1.QueryBasic))},
		{"2.3", check.Should, `an answer to \players\, if there is one, is whole`, gaLegacy,
			inLegacy(ifAnswered(gamespy1.QueryPlayers))},
		{"2.4", check.Must, "the forms show the same, except for decoration", gaEngine, func(s s) { s.show(0) }},
		{"2.5", check.Must, "a status has the name, the level and the numbers of players", gaStatus, s.hasFacts},
		{"2.6", check.Should, `the answer to \info\, if there is one, agrees with \status\`, gaLegacy,
			inLegacy(s.infoAgrees)},
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
		{"3.3", check.Robust, "broken requests are answered as they must be, and the server survives them", gaEngine,
			s.survives},
		{"4.1", check.Must, "packets have at most 2049 bytes", gaEngine, inNative(s.hasSmallPackets)},
		{"5.1", check.Must, "clients at different addresses get answers of their own", gaStatus, s.servesSeveral},
		{"5.2", check.Should, "the numbers of players agree with the list and the places, and no text has its end", gaReaders,
			func(s s) { s.Plausible(s.show(0)) }},
	}
}

func (s *gameAgentServer) answersForm() {
	if s.known(); !s.native && !s.legacy {
		s.Fail(fuzzharness.ErrSilent)
	}
}

func (s *gameAgentServer) answersPing() {
	request := check.MustBinary(gameagent.PingRequest{})
	ping := check.Parsed(s.Session, gameagent.ParsePing, s.judged(0, request, check.One)[0])
	if n := s.status(0).Players; n == nil || *n != ping.Players {
		s.Failf("a ping has %d players, and the status another number", ping.Players)
	}
}

// answersNoAnswer ignores whether the answers can be read.
func (s *gameAgentServer) answersNoAnswer() {
	s.In("a status", func() { s.AskNothing(0, s.Ask(0, s.request())) })
	players := s.AskWhole(0, check.MustBinary(gameagent.PlayersRequest{}), isWholePlayers, true)
	s.In("players", func() { s.AskNothing(0, players...) })
}

// legacyAnswer is a case of a legacy query that must be answered.
func legacyAnswer(q gamespy1.Query) func(s *gameAgentServer) {
	return func(s *gameAgentServer) { s.legacyStatus(0, q) }
}

// ifAnswered is a case of a legacy query that servers need not answer: silence passes.
func ifAnswered(q gamespy1.Query) func(s *gameAgentServer) {
	return func(s *gameAgentServer) {
		err := s.Try(func() { s.legacyStatus(0, q) })
		if !errors.Is(err, fuzzharness.ErrSilent) {
			s.Check(err)
		}
	}
}

func (s *gameAgentServer) answersNoLegacyAnswer() {
	s.AskNothing(0, s.legacyAnswers(0, gamespy1.QueryStatus)...)
}

func (s *gameAgentServer) hasFacts() {
	v := s.show(0)
	switch {
	case v.Name == "":
		s.Failf("no name")
	case v.Players == nil || v.Max == nil:
		s.Failf("the number or the limit of players is missing, or no number")
	case v.Map != "" || s.native: // whose status always has the key; it may be empty
		return
	}
	_, answers := s.legacyStatus(0, gamespy1.QueryStatus)
	if !bytes.Contains(bytes.Join(answers, nil), []byte(`\mapname\`)) {
		s.Failf("no mapname")
	}
}

func (s *gameAgentServer) hasPort() {
	m, answers := s.legacyStatus(0, gamespy1.QueryStatus)
	named := func(e gameagent.Pair) bool { return e.Key == "hostport" }
	if i := slices.IndexFunc(m.Extra, named); i >= 0 {
		s.Failf("hostport is %q", m.Extra[i].Value)
	}
	if bytes.Contains(bytes.Join(answers, nil), []byte(`\hostport\0\`)) {
		s.Failf("hostport is 0: nobody can join")
	}
}

// beside returns the answers to q and to a status query. It skips the case if the server does not
// answer q, which is optional.
func (s *gameAgentServer) beside(q gamespy1.Query) (m, status gamespy1.Status) {
	if s.Try(func() { m, _ = s.legacyStatus(0, q) }) != nil {
		s.Fail(check.Skipped("there is no whole answer"))
	}
	status, _ = s.legacyStatus(0, gamespy1.QueryStatus)
	return m, status
}

// infoAgrees compares the answers to two legacy queries.
func (s *gameAgentServer) infoAgrees() {
	info, status := s.beside(gamespy1.QueryInfo)
	if status.HostName != "" && info.HostName == "" {
		s.Failf("it has no name: it may be the answer to another query")
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
	s.Check(fuzzharness.Differ(viewOf(all), viewOf(shown)))
}

// legacyTexts are the keys with fields in the answer to a status, but not in that to players.
func legacyTexts() []string {
	return []string{"gamename", "gamever", "hostname", "mapname", "gametype", "gamemode"}
}

// playersAgree compares the players of two legacy answers.
func (s *gameAgentServer) playersAgree() {
	players, status := s.beside(gamespy1.QueryPlayers)
	for _, e := range players.Extra {
		if slices.Contains(legacyTexts(), e.Key) {
			s.Failf("it has the key %q, as answers to other queries", e.Key)
		}
	}
	s.Check(samePlayers(status.View().Roster, players.View().Roster))
}

// hasLegacyForm fails if other clients cannot read the keys of a legacy answer, or its end.
func (s *gameAgentServer) hasLegacyForm() {
	m, answers := s.legacyStatus(0, gamespy1.QueryStatus)
	once := legacyTexts()
	for _, e := range m.Extra {
		if slices.Contains(once, e.Key) {
			s.Failf("the key %q comes twice", e.Key)
		}
		once = append(once, e.Key)
	}
	for _, b := range answers {
		if last := b[len(b)-1]; last < ' ' { // an empty one is no packet
			s.Failf("the last byte is %#02x", last)
		}
		if !bytes.Contains(b, []byte(`\queryid\`)) {
			s.Failf("there is no queryid, with which clients join packets")
		}
	}
}

// countsFromOne fails if the number of a packet is 0: gamedig then waits for another.
func (s *gameAgentServer) countsFromOne() {
	for _, b := range s.legacyAnswers(0, gamespy1.QueryStatus) {
		_, id, _ := bytes.Cut(b, []byte(`\queryid\`))
		id, _, _ = bytes.Cut(id, []byte(`\`))
		if bytes.HasSuffix(id, []byte(".0")) {
			s.Failf("the queryid is %q", id)
		}
	}
	s.legacyStatus(0, gamespy1.QueryStatus)
}

func (s *gameAgentServer) hasPacketsOnce() {
	_, answers := s.legacyStatus(0, gamespy1.QueryStatus)
	if n := len(answers) - len(once(answers)); n > 0 {
		s.Failf("%d of %d packets come twice: %w", n, len(answers), fuzzharness.ErrRepeated)
	}
}

func (s *gameAgentServer) survivesEmpty() {
	s.AskNothing(0, []byte{})
	s.show(0)
}

func (s *gameAgentServer) survives() {
	request := s.either()
	for range check.Mutations {
		b := s.Mutated(append(request, "5;x"...))
		answers := s.AskMaybe(0, b)
		m, _ := gamespy1.ParseToServer(b)
		_, unknown := m.(gamespy1.Unknown)
		if unknown && !gameagent.IsToServer(b) && len(answers) > 0 && b[0] != '\\' {
			s.Failf("%x: %w", b, fuzzharness.ErrAnswered)
		}
	}
	s.show(0)
}

func (s *gameAgentServer) hasSmallPackets() {
	_, answers := s.players(0)
	for _, b := range answers {
		if len(b) > gameagent.MaxPacket+1 { // for the end mark
			s.Failf("%d bytes", len(b))
		}
	}
}

func (s *gameAgentServer) servesSeveral() {
	for source := range sources {
		s.show(source)
	}
}
