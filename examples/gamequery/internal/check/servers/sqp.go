package servers

import (
	"cmp"
	"encoding/binary"
	"errors"
	"slices"
	"strings"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/fuzzharness"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/check"
	"github.com/lobbywire/lobbywire/examples/internal/traffic"
	"github.com/lobbywire/lobbywire/sqp"
	"github.com/lobbywire/lobbywire/sqp/sqpnet"
)

// An sqpServer keeps the token of each address. Some servers accept a token once, even in a
// query that they do not answer; others send no second token before they have answered a
// query.
type sqpServer struct {
	*check.Session
	tokens map[int]uint32
	used   map[int]bool // in a query that was not answered
	own    uint32       // the token of the first address, in the last request
	lists  bool         // the server has listed players
}

// info is the query that every server answers.
func info() sqp.QueryRequest {
	return sqp.QueryRequest{Version: sqp.Version, Chunks: sqp.ChunkServerInfo}
}

func sqpSuite() *check.Suite {
	s, st := newSQP()
	return &check.Suite{
		Protocol: "sqp",
		Cases:    append(check.Cases("sqp", s, sqpRows()), check.Cases("sqp", st, stateRows())...),
		Session:  s.Session,
		Service:  traffic.ServiceOf("sqp", traffic.Server),
		Alive:    func() { s.token(0) },
		Reset:    s.forget,
		Misread:  s.misread,
		States:   st,
		Sources:  sources,
	}
}

func newSQP() (*sqpServer, *states) {
	s := &sqpServer{Session: new(check.Session), tokens: map[int]uint32{}, used: map[int]bool{}}
	return s, &states{
		Session: s.Session,
		sources: sources,
		edges:   fuzzharness.SQPEdges(),
		show:    s.show,
		again:   func() *states { _, st := newSQP(); return st },
		helper: func(v lobbywire.View) check.Peer {
			server := new(sqpnet.Server)
			server.SetView(v)
			return &Responder{Respond: answersOf(server.Respond)}
		},
		optional: []string{"roster"},
	}
}

// forget forgets the tokens of addresses that are no longer used.
func (s *sqpServer) forget() {
	clear(s.tokens)
	clear(s.used)
}

// token returns the token of an address. If it was used, token requests another one.
func (s *sqpServer) token(source int) uint32 {
	token, known := s.tokens[source]
	if known && !s.used[source] {
		return token
	}
	request := make([]byte, sqp.RequestSize)
	answers := s.AskWhole(source, request, check.One, !known)
	if len(answers) == 0 {
		return token
	}
	m := check.Parsed(s.Session, sqp.ParseChallengeResponse, answers[0])
	s.Check(fuzzharness.JudgeSQP(request, answers, m.Token))
	s.tokens[source], s.used[source] = m.Token, false
	return m.Token
}

// request returns the bytes of a query for info.
func (s *sqpServer) request() []byte {
	q := info()
	q.Token = s.token(0)
	s.own = q.Token
	return check.MustBinary(q)
}

func (s *sqpServer) ask(request []byte) { s.Check(judgeSQP(request, s.send(0, request), s.own)) }

// send sends a query from an address, and returns the answers.
func (s *sqpServer) send(source int, request []byte) [][]byte {
	least, _ := fuzzharness.ExpectSQP(request, s.tokens[source])
	s.used[source] = true
	answers := s.AskWhole(source, request, isWholeSQP, least > 0)
	if len(answers) > 0 {
		s.answered(source, answers[0])
	}
	return answers
}

// judgeSQP is JudgeSQP, but ignores the version of the answers: no client reads it, and Unity's
// SDK in C# always sends 0.
func judgeSQP(request []byte, answers [][]byte, token uint32) error {
	err := fuzzharness.JudgeSQP(request, answers, token)
	if !errors.Is(err, fuzzharness.ErrVersion) {
		return err
	}
	const versionAt, versionEnd = 5, 7
	var all [][]byte
	for _, b := range answers {
		b = slices.Clone(b)
		copy(b[versionAt:versionEnd], request[versionAt:])
		all = append(all, b)
	}
	return fuzzharness.JudgeSQP(request, all, token)
}

// answered notes whether an answer uses up or replaces the token of an address.
func (s *sqpServer) answered(source int, answer []byte) {
	delete(s.tokens, source)
	if m, err := sqp.ParseChallengeResponse(answer); err == nil {
		s.tokens[source], s.used[source] = m.Token, false
	}
}

// isWholeSQP reports whether the packets of an answer have arrived.
func isWholeSQP(answers [][]byte) bool {
	var a sqp.Assembler
	for _, b := range answers {
		done, err := a.Add(b)
		if done || err != nil {
			return true
		}
	}
	return false
}

// query asks for chunks from an address, and judges the answer.
func (s *sqpServer) query(source int, q sqp.QueryRequest) [][]byte {
	answers, err := s.tryQuery(source, q)
	s.Check(err)
	return answers
}

// tryQuery is query for answers that other cases judge.
func (s *sqpServer) tryQuery(source int, q sqp.QueryRequest) (answers [][]byte, err error) {
	err = s.Try(func() {
		q.Token = s.token(source)
		request := check.MustBinary(q)
		binary.BigEndian.PutUint16(request[5:], q.Version) // 0, too
		answers = s.send(source, request)
		s.Check(judgeSQP(request, answers, q.Token))
	})
	return answers, err
}

// queryInfo asks for info in a version.
func (s *sqpServer) queryInfo(version uint16) [][]byte {
	return s.query(0, sqp.QueryRequest{Version: version, Chunks: sqp.ChunkServerInfo})
}

// response asks for chunks, and returns the answer. ok is false if there is none.
func (s *sqpServer) response(source int, c sqp.Chunks) (m sqp.QueryResponse, ok bool) {
	answers := s.query(source, sqp.QueryRequest{Version: sqp.Version, Chunks: c})
	if len(answers) == 0 {
		return m, false
	}
	m, err := joinedSQP(answers, c)
	s.Check(err)
	return m, true
}

// readable is response for chunks that other cases judge.
func (s *sqpServer) readable(source int, c sqp.Chunks) (m sqp.QueryResponse, ok bool) {
	_ = s.Try(func() { m, ok = s.response(source, c) })
	return m, ok
}

// joinedSQP joins the packets of an answer.
func joinedSQP(packets [][]byte, chunks sqp.Chunks) (sqp.QueryResponse, error) {
	var a sqp.Assembler
	for _, b := range packets {
		if _, err := a.Add(b); err != nil {
			return sqp.QueryResponse{}, err
		}
	}
	return a.QueryResponse(chunks)
}

// show returns what queries for info and players show, and queries for other chunks if
// -expect has their content.
func (s *sqpServer) show(source int) lobbywire.View {
	expect := cmp.Or(s.Expect, &lobbywire.View{})
	var all sqp.QueryResponse
	for _, c := range []struct {
		chunk    sqp.Chunks
		expected bool
	}{
		{sqp.ChunkPlayerInfo, len(expect.Roster) > 0 || s.lists},
		{sqp.ChunkServerRules, len(expect.Rules) > 0},
		{sqp.ChunkTeamInfo, len(expect.Teams) > 0},
	} {
		var m sqp.QueryResponse
		switch {
		case c.expected:
			m, _ = s.response(source, c.chunk)
		case c.chunk == sqp.ChunkPlayerInfo:
			m, _ = s.readable(source, c.chunk)
		}
		s.lists = s.lists || m.PlayerInfo != nil
		all.PlayerInfo = cmp.Or(all.PlayerInfo, m.PlayerInfo)
		all.TeamInfo = cmp.Or(all.TeamInfo, m.TeamInfo)
		all.ServerRules = append(all.ServerRules, m.ServerRules...)
	}
	m, ok := s.response(source, sqp.ChunkServerInfo)
	if !ok {
		s.Fail(fuzzharness.ErrSilent)
	}
	all.ServerInfo = m.ServerInfo
	v := all.View()
	if !slices.ContainsFunc(v.Roster, func(p lobbywire.Player) bool { return p.Name != "" }) {
		v.Roster = nil // fields may have any names
	}
	return v
}

// hasNames reports whether a table has a column of names.
func hasNames(t *sqp.Table, what string) bool {
	return t != nil && slices.ContainsFunc(t.Columns, func(column string) bool {
		column = strings.ToLower(strings.ReplaceAll(column, "_", ""))
		return column == "name" || column == what || column == what+"name"
	})
}

// misread returns what other clients misread.
func (s *sqpServer) misread() (notes []string) {
	answers, _ := s.tryQuery(0, info())
	if len(answers) == 0 {
		return nil
	}
	if len(answers[0]) > sqp.MaxDatagram {
		notes = append(notes, "Unity's clients have room for 1472 bytes, and cut the answer")
	}
	if m, lax := sqp.ParsePacket(answers[0]); lax == nil && m.LastPacket > 0 {
		notes = append(notes, "go-svrquery and Unity's clients read only the first packet of an answer")
	}
	_, lax := sqp.ParseQueryResponse(answers[0], sqp.ChunkServerInfo)
	_, strict := sqp.Options{Strict: true}.ParseQueryResponse(answers[0], sqp.ChunkServerInfo)
	if lax == nil && errors.Is(strict, lobbywire.ErrInvalid) {
		notes = append(notes, "go-svrquery drops an answer whose texts are not UTF-8")
	}
	return notes
}
