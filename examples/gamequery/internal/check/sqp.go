package check

import (
	"encoding/binary"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strings"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/fuzzharness"
	"github.com/lobbywire/lobbywire/sqp"
	"github.com/lobbywire/lobbywire/sqp/sqpnet"
)

// sqpPeer is what is known of a server of SQP: the token of each address. Some servers
// accept it once, even in a query that they do not answer; others send no second token
// before they have answered a query.
type sqpPeer struct {
	tokens map[int]uint32
	used   map[int]bool // in a query that was not answered
	lists  bool         // the server has listed players
}

// token returns the token of an address, and if the last one is used, another if there is
// one.
func (p *sqpPeer) token(s *Session, source int) (uint32, error) {
	token, known := p.tokens[source]
	if known && !p.used[source] {
		return token, nil
	}
	ask := s.ask
	if known {
		ask = s.askMaybe
	}
	answers, err := ask(source, make([]byte, sqp.RequestSize))
	switch {
	case err != nil:
		return 0, err
	case len(answers) == 0 && known:
		return token, nil
	case len(answers) == 0:
		return 0, errSilent
	}
	m, err := sqp.ParseChallengeResponse(answers[0])
	if err == nil {
		err = fuzzharness.JudgeSQP(make([]byte, sqp.RequestSize), answers, m.Token)
	}
	if err == nil {
		p.tokens[source], p.used[source] = m.Token, false
	}
	return m.Token, summary(err)
}

// query asks for chunks from an address. edit, if not nil, changes the request. The
// answers are judged for the request as it was sent.
func (p *sqpPeer) query(s *Session, source int, q sqp.QueryRequest, edit func(b []byte) []byte) ([][]byte, error) {
	token, err := p.token(s, source)
	if err != nil {
		return nil, err
	}
	q.Token = token
	request, err := q.MarshalBinary()
	if err != nil {
		return nil, err
	}
	binary.BigEndian.PutUint16(request[5:], q.Version) // 0, too
	if edit != nil {
		request = edit(request)
	}
	least, _ := fuzzharness.ExpectSQP(request, token)
	answers, err := s.askWhole(source, request, one, least > 0)
	if err == nil {
		err = summary(fuzzharness.JudgeSQP(request, answers, token))
	}
	p.used[source] = true
	if len(answers) > 0 {
		p.note(source, answers[0])
	}
	return answers, err
}

// note notes what an answer means for the token of an address: it is used up, or another.
func (p *sqpPeer) note(source int, answer []byte) {
	delete(p.tokens, source)
	if m, err := sqp.ParseChallengeResponse(answer); err == nil {
		p.tokens[source], p.used[source] = m.Token, false
	}
}

// info is the query that every server answers.
var info = sqp.QueryRequest{Version: sqp.Version, Chunks: sqp.ChunkServerInfo}

// edited is a case of a query for info with a changed request.
func (p *sqpPeer) edited(edit func(b []byte) []byte) func(*Session) error {
	return func(s *Session) error {
		_, err := p.query(s, 0, info, edit)
		return err
	}
}

// foreign is a case of a query with the token of another address.
func (p *sqpPeer) foreign(other int) func(*Session) error {
	return func(s *Session) error {
		own, err := p.token(s, 0)
		if err != nil {
			return err
		}
		token, err := p.token(s, other)
		if err != nil {
			return err
		}
		if own == token {
			return fmt.Errorf("both have the token %d: it must depend on host and port", own)
		}
		_, err = p.query(s, 0, info, func(b []byte) []byte {
			binary.BigEndian.PutUint32(b[1:], token)
			return b
		})
		return err
	}
}

// show returns what a query for info shows, with the players if the server has them.
func (p *sqpPeer) show(s *Session, source int) (lobbywire.View, error) {
	q := sqp.QueryRequest{Version: sqp.Version, Chunks: sqp.ChunkPlayerInfo}
	var players sqp.QueryResponse
	answers, err := p.query(s, source, q, nil)
	switch {
	case len(answers) > 1: // which the specification does not have, and some clients read
		players, err = joined(answers, q.Chunks)
	case err == nil && len(answers) > 0: // other cases judge it
		players, err = sqp.ParseQueryResponse(answers[0], q.Chunks)
		p.lists = err == nil
	}
	if err != nil && p.lists {
		return lobbywire.View{}, err
	}
	answers, err = p.query(s, source, info, nil)
	if err != nil {
		return lobbywire.View{}, err
	}
	m, err := sqp.ParseQueryResponse(answers[0], info.Chunks)
	if err != nil {
		return lobbywire.View{}, err
	}
	m.PlayerInfo = players.PlayerInfo
	v := m.View()
	if !slices.ContainsFunc(v.Roster, func(p lobbywire.Player) bool { return p.Name != "" }) {
		v.Roster = nil // fields may have any names
	}
	return v, nil
}

// joined joins the packets of an answer.
func joined(packets [][]byte, chunks sqp.Chunks) (sqp.QueryResponse, error) {
	a := sqp.Assembler{Options: sqp.Options{Strict: true}}
	for _, b := range packets {
		if _, err := a.Add(b); err != nil {
			return sqp.QueryResponse{}, err
		}
	}
	return a.QueryResponse(chunks)
}

// response asks for chunks, and returns the answer. ok is false if there is none.
func (p *sqpPeer) response(s *Session, c sqp.Chunks) (m sqp.QueryResponse, ok bool, err error) {
	answers, err := p.query(s, 0, sqp.QueryRequest{Version: sqp.Version, Chunks: c}, nil)
	if err != nil || len(answers) == 0 {
		return m, false, err
	}
	m, err = sqp.ParseQueryResponse(answers[0], c)
	return m, err == nil, err
}

// sane returns an error if info cannot be right.
func (p *sqpPeer) sane(s *Session) error {
	m, ok, err := p.response(s, info.Chunks)
	switch {
	case !ok:
		return err
	case m.ServerInfo.ServerName == "":
		return errors.New("no serverName")
	case m.ServerInfo.Port == 0:
		return errors.New("no port: nobody can join")
	}
	return implausible(m.View())
}

// named returns an error if a player or a team has no name in a column for names.
func (p *sqpPeer) named(s *Session) error {
	for _, c := range []sqp.Chunks{sqp.ChunkPlayerInfo, sqp.ChunkTeamInfo} {
		m, ok, err := p.response(s, c)
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		v := m.View()
		for i, player := range v.Roster {
			if player.Name == "" && hasNames(m.PlayerInfo, "player") {
				return fmt.Errorf("player %d has no name", i)
			}
		}
		for i, team := range v.Teams {
			if team.Name == "" && hasNames(m.TeamInfo, "team") {
				return fmt.Errorf("team %d has no name", i)
			}
		}
		if err := implausible(v); err != nil {
			return err
		}
	}
	return nil
}

// sameInfo returns an error if answers with several chunks contradict the answer with info.
func (p *sqpPeer) sameInfo(s *Session) error {
	var first lobbywire.View
	for i, c := range []sqp.Chunks{sqp.ChunkServerInfo, sqp.ChunkServerInfo | sqp.ChunkPlayerInfo, sqp.AllChunks} {
		m, ok, err := p.response(s, c)
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		if n := int(m.ServerInfo.CurrentPlayers); m.PlayerInfo != nil && len(m.PlayerInfo.Rows) > n {
			return fmt.Errorf("%d players are listed, and currentPlayers is %d", len(m.PlayerInfo.Rows), n)
		}
		shown := sqp.QueryResponse{ServerInfo: m.ServerInfo}.View()
		if i == 0 {
			first = shown
		}
		if err := fuzzharness.Differ(first, shown); err != nil {
			return fmt.Errorf("%s after info: %w", c, err)
		}
	}
	return nil
}

// hasNames reports whether a table has a column of names.
func hasNames(t *sqp.Table, what string) bool {
	return t != nil && slices.ContainsFunc(t.Columns, func(column string) bool {
		column = strings.ToLower(strings.ReplaceAll(column, "_", ""))
		return column == "name" || column == what || column == what+"name"
	})
}

func sqpSuite() *Suite {
	p := &sqpPeer{tokens: map[int]uint32{}, used: map[int]bool{}}
	suite := &Suite{
		Protocol: "sqp",
		Sections: []string{"Flow", "Wire format", "Strictness", "Limits", "Quirks"},
		explain:  explainSQP,
		misread:  p.misread,
		sources:  3,
		edges:    fuzzharness.SQPEdges(),
		show:     p.show,
		again:    sqpSuite,
		helper: func(v lobbywire.View) Peer {
			server := new(sqpnet.Server)
			server.SetView(v)
			return responder{server.Respond}
		},
		optional: []string{"roster"},
	}
	add := suite.add
	add("Flow", Must, "a challenge request is answered with a token, once", func(s *Session) error {
		_, err := p.token(s, 0)
		return err
	})
	add("Flow", Must, "a query with the token is answered once, with the requested chunk", p.edited(nil))
	add("Flow", Must, "a query without a token is not answered", p.edited(func(b []byte) []byte {
		clear(b[1:5])
		return b
	}))
	for i := range 4 {
		add("Flow", Must, fmt.Sprintf("a token whose byte %d is wrong is refused", i), p.edited(func(b []byte) []byte {
			b[1+i] ^= 0x55
			return b
		}))
	}
	add("Flow", Must, "a token with its bytes in the other order is refused", p.edited(func(b []byte) []byte {
		b[1], b[2], b[3], b[4] = b[4], b[3], b[2], b[1]
		return b
	}))
	add("Flow", Must, "a token of another port is refused", p.foreign(1))
	add("Flow", Must, "a token of another host is refused", p.foreign(2))
	add("Flow", Must, "the answer to a query is not answered", func(s *Session) error {
		answers, err := p.query(s, 0, info, nil)
		if err != nil {
			return err
		}
		return s.askNothing(0, answers[0])
	})
	add("Flow", Must, "a request of an unknown type is not answered", p.edited(func(b []byte) []byte {
		b[0] = 2
		return b
	}))
	add("Flow", Must, "several clients at one time get answers of their own", func(s *Session) error {
		for i := range suite.sources {
			if _, err := p.token(s, i); err != nil {
				return err
			}
		}
		for i := range suite.sources {
			if _, err := p.query(s, i, info, nil); err != nil {
				return err
			}
		}
		return nil
	})
	for _, c := range []sqp.Chunks{
		sqp.ChunkServerRules, sqp.ChunkPlayerInfo, sqp.ChunkTeamInfo, sqp.ChunkMetrics, sqp.AllChunks,
	} {
		add("Wire format", Should, fmt.Sprintf("an answer to a query for %s, if there is one, is whole", c),
			func(s *Session) error {
				_, _, err := p.response(s, c)
				return err
			})
	}
	add("Wire format", Should, "info is the same with other chunks, and no more players are listed than there are",
		p.sameInfo)
	add("Strictness", Must, "a query with a byte too many is not answered", p.edited(func(b []byte) []byte {
		return append(b, 0)
	}))
	add("Strictness", Must, "a query without its last byte is not answered", p.edited(func(b []byte) []byte {
		return b[:len(b)-1]
	}))
	for _, size := range []int{sqp.RequestSize - 1, sqp.RequestSize + 1} {
		add("Strictness", Must, fmt.Sprintf("a challenge request of %d bytes is not answered", size),
			func(s *Session) error { return s.askNothing(0, make([]byte, size)) })
	}
	for _, version := range []uint16{0, 2} {
		add("Strictness", Should, fmt.Sprintf("an answer to a query of version %d, if there is one, has it", version),
			func(s *Session) error {
				_, err := p.query(s, 0, sqp.QueryRequest{Version: version, Chunks: sqp.ChunkServerInfo}, nil)
				return err
			})
	}
	add("Strictness", Should, "an answer to a query for no chunk, if there is one, has none",
		func(s *Session) error {
			m, _, err := p.response(s, 0)
			if err == nil && len(m.Extra) > 0 {
				err = fmt.Errorf("%d bytes were not requested", len(m.Extra))
			}
			return err
		})
	add("Strictness", Robust, "broken requests are answered as they must be, and the server survives them",
		func(s *Session) error {
			for range mutations {
				if _, err := p.query(s, 0, info, s.mutated); err != nil {
					return err
				}
			}
			_, err := p.query(s, 0, info, nil)
			return err
		})
	add("Limits", Should, "an answer with all chunks fits a datagram", func(s *Session) error {
		answers, err := p.query(s, 0, sqp.QueryRequest{Version: sqp.Version, Chunks: sqp.AllChunks}, nil)
		if err == nil && len(answers) > 0 && len(answers[0]) > sqp.MaxDatagram {
			err = fmt.Errorf("%d bytes: clients of Unity read %d", len(answers[0]), sqp.MaxDatagram)
		}
		return err
	})
	add("Limits", Must, "no client without a token gets more bytes than it sent", func(s *Session) error {
		for _, request := range [][]byte{make([]byte, sqp.RequestSize), {1, 0, 0, 0, 0, 0, 1, 1}} {
			answers, err := s.askMaybe(1, request)
			if err != nil {
				return err
			}
			size := 0
			for _, b := range answers {
				p.note(1, b)
				size += len(b)
			}
			p.used[1] = request[0] != 0
			if size > len(request) {
				return fmt.Errorf("%d bytes for %d", size, len(request))
			}
		}
		return nil
	})
	add("Flow", Must, "tokens cannot be guessed from those of other clients", func(s *Session) error {
		var tokens []uint32
		for source := range suite.sources {
			p.used[source] = true // a new one
			token, err := p.token(s, source)
			if err != nil {
				return err
			}
			tokens = append(tokens, token)
		}
		return guessed(tokens)
	})
	add("Wire format", Should, "info has a name and a port, no text has its end, and there are places for the players",
		p.sane)
	add("Wire format", Should, "players and teams have names, if they have a column for names", p.named)
	suite.addStates(mustBut)
	return suite
}

// mutations is how many broken requests a robust case sends.
const mutations = 50

// explainSQP explains a packet.
func explainSQP(p Packet) lobbywire.Explanation {
	if p.Sent {
		return sqp.Explain[sqp.Request](p.Bytes)
	}
	m, _ := sqp.ParseRequest(p.Request)
	if m.Type == sqp.TypeChallenge {
		return sqp.Explain[sqp.ChallengeResponse](p.Bytes)
	}
	return sqp.ExplainQueryResponse(p.Bytes, m.Query.Chunks)
}

// misread returns what clients of others misread.
func (p *sqpPeer) misread(s *Session) (notes []string) {
	answers, _ := p.query(s, 0, info, nil) // the cases have judged it
	if len(answers) == 0 {
		return nil
	}
	if len(answers[0]) > sqp.MaxDatagram {
		notes = append(notes, "Unity's clients have room for 1472 bytes, and cut the answer")
	}
	if m, lax := sqp.ParsePacket(answers[0]); lax == nil && m.LastPacket > 0 {
		notes = append(notes, "go-svrquery and Unity's clients read only the first packet of an answer")
	}
	_, lax := sqp.ParseQueryResponse(answers[0], info.Chunks)
	_, strict := sqp.Options{Strict: true}.ParseQueryResponse(answers[0], info.Chunks)
	if lax == nil && errors.Is(strict, lobbywire.ErrInvalid) {
		notes = append(notes, "go-svrquery drops an answer whose texts are not UTF-8")
	}
	return notes
}

// A responder is a server in this process.
type responder struct {
	respond func(from netip.AddrPort, request []byte, dst [][]byte) [][]byte
}

// addresses are where the clients of a server in this process are.
var addresses = [...]netip.AddrPort{
	netip.MustParseAddrPort("192.0.2.7:50000"),
	netip.MustParseAddrPort("192.0.2.7:50001"),
	netip.MustParseAddrPort("198.51.100.8:50000"),
}

// Ask calls the server.
func (r responder) Ask(source int, request []byte, _ Whole, _ bool) ([][]byte, error) {
	return r.respond(addresses[source], request, nil), nil
}

// Dial fails: the protocols of responders have no connections.
func (responder) Dial(int) (*Line, error) {
	return nil, errors.New("these servers have no connections")
}
