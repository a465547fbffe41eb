package servers

import (
	"encoding/binary"
	"errors"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/fuzzharness"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/check"
	"github.com/lobbywire/lobbywire/sqp"
)

// Sources of the cases of SQP: sections of Unity's documentation, and programs.
const (
	sqpChallenge = "Unity's SQP, Challenge"
	sqpQuery     = "Unity's SQP, Query"
	sqpChunks    = "Unity's SQP, Chunk data"
	sqpTypes     = "Unity's SQP, Data types"
	sqpFlood     = "Unity's SQP: the padding of a challenge request"
	goSvrquery   = "go-svrquery, which drops such a request"
)

// sqpRows are the cases of SQP. The numbers of a section are not in order: new ones come
// last.
func sqpRows() []row[*sqpServer] {
	type s = *sqpServer
	return []row[s]{
		{"1.1", check.Must, "a challenge request is answered with a token, once", sqpChallenge, func(s s) { s.token(0) }},
		{"1.2", check.Must, "a query with the token is answered once, with the requested chunk", sqpQuery,
			asks[s](unchanged)},
		{"1.3", check.Must, "a query without a token is not answered", sqpChallenge, asks[s](noToken)},
		{"1.4", check.Must, "a token whose byte 0 is wrong is refused", sqpChallenge, asks[s](wrong(1))},
		{"1.5", check.Must, "a token whose byte 1 is wrong is refused", sqpChallenge, asks[s](wrong(2))},
		{"1.6", check.Must, "a token whose byte 2 is wrong is refused", sqpChallenge, asks[s](wrong(3))},
		{"1.7", check.Must, "a token whose byte 3 is wrong is refused", sqpChallenge, asks[s](wrong(4))},
		{"1.8", check.Must, "a token with its bytes in the other order is refused", sqpChallenge, asks[s](reversedToken)},
		{"1.9", check.Must, "a token of another port is refused", sqpChallenge, foreignToken(1)},
		{"1.10", check.Must, "a token of another host is refused", sqpChallenge, foreignToken(2)},
		{"1.11", check.Must, "the answer to a query is not answered", sqpFlood,
			func(s s) { s.AskNothing(0, s.query(0, info())[0]) }},
		{"1.12", check.Must, "a request of an unknown type is not answered", sqpQuery, asks[s](otherType)},
		{"1.13", check.Must, "several clients at one time get answers of their own", sqpChallenge, s.servesSeveral},
		{"1.14", check.Must, "tokens cannot be guessed from those of other clients", sqpChallenge,
			func(s s) { s.NotGuessed(s.token(0), s.token(1), s.token(2)) }},
		{"1.15", check.Must, "a challenge response is not answered: two such servers would answer each other for ever",
			sqpFlood, sends[s]([]byte{0, 0x12, 0x34, 0x56, 0x78})},
		{"2.1", check.Should, "an answer to a query for serverRules, if there is one, is whole", sqpChunks,
			hasChunks(sqp.ChunkServerRules)},
		{"2.2", check.Should, "an answer to a query for playerInfo, if there is one, is whole", sqpChunks,
			hasChunks(sqp.ChunkPlayerInfo)},
		{"2.3", check.Should, "an answer to a query for teamInfo, if there is one, is whole", sqpChunks,
			hasChunks(sqp.ChunkTeamInfo)},
		{"2.4", check.Should, "an answer to a query for metrics, if there is one, is whole", sqpChunks,
			hasChunks(sqp.ChunkMetrics)},
		{"2.5", check.Should, "an answer to a query for all chunks, if there is one, is whole", sqpChunks,
			hasChunks(sqp.AllChunks)},
		{"2.6", check.Should, "info is the same with other chunks, and no more players are listed than there are", sqpChunks,
			s.hasSameInfo},
		{"2.7", check.Should, "info has a name and a port, no text has its end, and there are places for the players",
			sqpChunks, s.isSane},
		{"2.8", check.Should, "players and teams have names, if they have a column for names", sqpChunks, s.namesPlayers},
		{"2.9", check.Must, "rules, players, teams and metrics that are sent can be read", sqpTypes, s.sendsWholeChunks},
		{"2.10", check.Should, "an answer has no chunk that was not requested", sqpQuery, s.sendsNoOtherChunk},
		{"3.1", check.Must, "a query with a byte too many is not answered", goSvrquery, asks[s](longer)},
		{"3.2", check.Must, "a query without its last byte is not answered", goSvrquery, asks[s](shorter)},
		{"3.3", check.Must, "a challenge request of 4 bytes is not answered", sqpFlood,
			sends[s](make([]byte, sqp.RequestSize-1))},
		{"3.4", check.Must, "a challenge request of 6 bytes is not answered", goSvrquery,
			sends[s](make([]byte, sqp.RequestSize+1))},
		{"3.5", check.Should, "an answer to a query of version 0, if there is one, has it", sqpQuery, asksVersion(0)},
		{"3.6", check.Should, "an answer to a query of version 2, if there is one, has it", sqpQuery, asksVersion(2)},
		{"3.7", check.Should, "an answer to a query for no chunk, if there is one, has none", sqpQuery, s.sendsNoChunk},
		{"3.8", check.Robust, "broken requests are answered as they must be, and the server survives them", sqpQuery,
			s.survives},
		{"3.9", check.Should, "both bytes of the version of a query are read", sqpTypes, s.readsVersion},
		{"3.10", check.Should, "an answer to a query of version 1 has it", sqpQuery, asksVersion(1)},
		{"4.1", check.Should, "an answer with all chunks fits a datagram", "Unity's C# SDK, whose buffer has 1472 bytes",
			s.fitsDatagram},
		{"4.2", check.Must, "no client without a token gets more bytes than it sent", sqpFlood, s.doesNotAmplify},
	}
}

func noToken(b []byte) []byte { clear(b[1:5]); return b }

func reversedToken(b []byte) []byte {
	b[1], b[2], b[3], b[4] = b[4], b[3], b[2], b[1]
	return b
}

// foreignToken is a case of a query with the token of another address.
func foreignToken(other int) func(s *sqpServer) {
	return func(s *sqpServer) {
		own, token := s.token(0), s.token(other)
		if own == token {
			s.Failf("both have the token %d: it must depend on host and port", own)
		}
		asks[*sqpServer](func(b []byte) []byte {
			binary.BigEndian.PutUint32(b[1:], token)
			return b
		})(s)
	}
}

func (s *sqpServer) servesSeveral() {
	for i := range sources {
		s.token(i)
	}
	for i := range sources {
		s.query(i, info())
	}
}

// hasChunks is a case of a query for chunks. Unity's SDK in Go sends metrics in version 2 only.
func hasChunks(c sqp.Chunks) func(s *sqpServer) {
	return func(s *sqpServer) {
		err := s.Try(func() { s.response(0, c) })
		later := false
		if err != nil && c&sqp.ChunkMetrics != 0 {
			_ = s.Try(func() { later = len(s.query(0, sqp.QueryRequest{Version: sqp.Version + 1, Chunks: c})) > 0 })
		}
		if !later {
			s.Check(err)
		}
	}
}

// hasSameInfo fails if answers with several chunks contradict the answer with info.
func (s *sqpServer) hasSameInfo() {
	m, _ := s.response(0, sqp.ChunkServerInfo)
	first := sqp.QueryResponse{ServerInfo: m.ServerInfo}.View()
	for _, c := range []sqp.Chunks{sqp.ChunkServerInfo | sqp.ChunkPlayerInfo, sqp.AllChunks &^ sqp.ChunkMetrics} {
		m, ok := s.readable(0, c)
		if !ok {
			continue
		}
		if n := int(m.ServerInfo.CurrentPlayers); m.PlayerInfo != nil && len(m.PlayerInfo.Rows) > n {
			s.Failf("%d players are listed, and currentPlayers is %d", len(m.PlayerInfo.Rows), n)
		}
		if err := fuzzharness.Differ(first, sqp.QueryResponse{ServerInfo: m.ServerInfo}.View()); err != nil {
			s.Failf("%s after info: %w", c, err)
		}
	}
}

// isSane fails if info cannot be right.
func (s *sqpServer) isSane() {
	m, ok := s.response(0, sqp.ChunkServerInfo)
	switch {
	case !ok:
		return
	case m.ServerInfo.ServerName == "":
		s.Failf("no serverName")
	case m.ServerInfo.Port == 0:
		s.Failf("no port: nobody can join")
	}
	s.Plausible(m.View())
}

// namesPlayers fails if a player or a team has no name in a column for names.
func (s *sqpServer) namesPlayers() {
	for _, c := range []sqp.Chunks{sqp.ChunkPlayerInfo, sqp.ChunkTeamInfo} {
		m, _ := s.readable(0, c)
		v := m.View()
		for i, player := range v.Roster {
			if player.Name == "" && hasNames(m.PlayerInfo, "player") {
				s.Failf("player %d has no name", i)
			}
		}
		for i, team := range v.Teams {
			if team.Name == "" && hasNames(m.TeamInfo, "team") {
				s.Failf("team %d has no name", i)
			}
		}
		s.Plausible(v)
	}
}

// singleChunks are the chunks that not all servers have.
func singleChunks() []sqp.Chunks {
	return []sqp.Chunks{sqp.ChunkServerRules, sqp.ChunkPlayerInfo, sqp.ChunkTeamInfo, sqp.ChunkMetrics}
}

// sendsWholeChunks fails if a chunk cannot be read. Other cases test for missing chunks.
func (s *sqpServer) sendsWholeChunks() {
	for _, c := range singleChunks() {
		answers, err := s.tryQuery(0, sqp.QueryRequest{Version: sqp.Version, Chunks: c})
		const empty = 11 // bytes of an answer without a chunk
		if err != nil && size(answers) > empty {
			s.Failf("%s: %w", c, err)
		}
	}
}

func (s *sqpServer) sendsNoChunk() {
	if m, _ := s.response(0, 0); len(m.Extra) > 0 {
		s.Failf("%d bytes were not requested", len(m.Extra))
	}
}

func (s *sqpServer) sendsNoOtherChunk() {
	for _, c := range append(singleChunks(), sqp.ChunkServerInfo) {
		if m, _ := s.readable(0, c); len(m.Extra) > 0 {
			s.Failf("%s: %d bytes were not requested", c, len(m.Extra))
		}
	}
}

// asksVersion is a case of a query of a version.
func asksVersion(version uint16) func(s *sqpServer) {
	return func(s *sqpServer) {
		answers := s.queryInfo(version)
		if len(answers) == 0 {
			return
		}
		if m, err := sqp.ParsePacket(answers[0]); err == nil && m.Version != version {
			s.Failf("version %d in the answer, want %d: %w", m.Version, version, fuzzharness.ErrVersion)
		}
	}
}

// readsVersion fails if a server reads only one byte of a version: it answers a version with
// one wrong byte, but not a version with two.
func (s *sqpServer) readsVersion() {
	if len(s.queryInfo(0x7a7a)) > 0 {
		return // it is not read at all
	}
	for _, version := range []uint16{0x0101, 0x0201, 0x0100} {
		if len(s.queryInfo(version)) > 0 {
			s.Failf("version %#04x: %w", version, fuzzharness.ErrAnswered)
		}
	}
}

// survives sends broken requests. Other cases judge chunks other than info.
func (s *sqpServer) survives() {
	for range check.Mutations {
		var sent []byte
		err := s.Try(func() {
			asks[*sqpServer](func(b []byte) []byte {
				sent = s.Mutated(b)
				return sent
			})(s)
		})
		m, _ := sqp.ParseRequest(sent)
		_, isContent := errors.AsType[*lobbywire.Error](err)
		if !(isContent && m.Query.Chunks != sqp.ChunkServerInfo) {
			s.Check(err)
		}
	}
	s.query(0, info())
}

func (s *sqpServer) fitsDatagram() {
	answers, err := s.tryQuery(0, sqp.QueryRequest{Version: sqp.Version, Chunks: sqp.AllChunks})
	switch {
	case len(answers) == 0:
		s.Check(err)
	case len(answers) > 1:
		s.Failf("%d datagrams: Unity's clients read the first", len(answers))
	case size(answers) > sqp.MaxDatagram:
		s.Failf("%d bytes: clients of Unity read %d", size(answers), sqp.MaxDatagram)
	}
}

func (s *sqpServer) doesNotAmplify() {
	for _, request := range [][]byte{make([]byte, sqp.RequestSize), {1, 0, 0, 0, 0, 0, 1, 1}} {
		s.AtMost(1, request, len(request))
	}
}
