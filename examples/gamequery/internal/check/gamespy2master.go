package check

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"slices"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gamespy2"
	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
	"github.com/lobbywire/lobbywire/gamespy2/qr2"
	"github.com/lobbywire/lobbywire/gamespy2/sb2"
)

// A gameSpyServer is a server that registers with a master of GameSpy.
type gameSpyServer struct {
	session *Session
	source  int
	key     [4]byte // instance key
	game    Game
	info    []gamespy2.KeyValue // besides the keys about the server itself
	tables  bool
}

// newGameSpyServer returns a server at a source, with a new name and instance key.
func newGameSpyServer(s *Session, source int, game Game) *gameSpyServer {
	g := &gameSpyServer{session: s, source: source, game: game, tables: true}
	binary.BigEndian.PutUint32(g.key[:], rand.Uint32())
	g.info = []gamespy2.KeyValue{
		{Key: "hostname", Value: newServerName()}, {Key: "gamever", Value: "1.0"}, {Key: "mapname", Value: "Check"},
		{Key: "gametype", Value: "test"}, {Key: "numplayers", Value: "3"}, {Key: "maxplayers", Value: "16"},
	}
	return g
}

// name returns the name by which the server is found.
func (g *gameSpyServer) name() string { return g.info[0].Value }

// heartbeat returns the bytes of a heartbeat.
func (g *gameSpyServer) heartbeat(state qr2.State) []byte {
	identity := qr2.Identity{
		LocalPort: g.session.peer.(master).Address(g.source).Port(), State: state, GameName: g.game.Name,
	}
	m := qr2.Heartbeat{Key: g.key, Info: identity.AppendTo(nil)}
	if state != qr2.StateShutdown {
		m.Info = append(m.Info, g.info...)
	}
	if g.tables && state != qr2.StateShutdown {
		m.Players = &gamespy2.Table{Columns: []string{"player_"}, Rows: [][]string{{"Ada"}, {"Grace"}, {"Noor"}}}
		m.Teams = &gamespy2.Table{Columns: []string{"team_t"}}
	}
	return mustBinary(m)
}

// challenge sends a first heartbeat, and returns the challenge of the master.
func (g *gameSpyServer) challenge() (qr2.Challenge, error) {
	return g.challengeFor(g.heartbeat(qr2.StateStart))
}

// challengeFor sends a heartbeat, and returns the challenge of the master.
func (g *gameSpyServer) challengeFor(heartbeat []byte) (qr2.Challenge, error) {
	answers, err := g.session.ask(g.source, heartbeat)
	if err != nil {
		return qr2.Challenge{}, err
	}
	if len(answers) == 0 {
		return qr2.Challenge{}, errSilent
	}
	if refusal, err := qr2.ParseAddError(answers[0]); err == nil {
		return qr2.Challenge{}, fmt.Errorf("the master refuses the server: %q", refusal.Text)
	}
	c, err := qr2.ParseChallenge(answers[0])
	if err == nil && c.Key != g.key {
		err = errors.New("the challenge has another instance key")
	}
	return c, err
}

// answer sends an answer to a challenge, and returns what the master sends for it.
func (g *gameSpyServer) answer(text string) ([][]byte, error) {
	return g.session.askMaybe(g.source, mustBinary(qr2.ChallengeAnswer{Key: g.key, Text: text}))
}

// right returns the right answer to a challenge.
func (g *gameSpyServer) right(c qr2.Challenge) string {
	return string(qr2.AppendAnswer(nil, c.Text, g.game.Key))
}

// register registers the server with its heartbeat. Then the master lists it.
func (g *gameSpyServer) register() error { return g.registerWith(g.heartbeat(qr2.StateStart)) }

func (g *gameSpyServer) registerWith(heartbeat []byte) error {
	c, err := g.challengeFor(heartbeat)
	if err != nil {
		return err
	}
	_, err = g.answer(g.right(c))
	return err
}

// withdraw removes the server.
func (g *gameSpyServer) withdraw() {
	g.session.peer.(master).Send(g.source, g.heartbeat(qr2.StateShutdown))
}

// request returns a request for the list of the server's game.
func (g *gameSpyServer) request(filter string) sb2.ListRequest {
	var random [8]byte
	binary.BigEndian.PutUint64(random[:], rand.Uint64())
	return sb2.ListRequest{
		ForGame: g.game.Name, FromGame: g.game.Name, Challenge: sb2.MakeChallenge(random), Filter: filter,
		Fields:  sb2.MakeFieldList("hostname", "mapname", "maxplayers", "numplayers", "gamemode", "gametype"),
		Options: sb2.OptionAllFields,
	}
}

// A gameSpyList is the answer to a request for a list.
type gameSpyList struct {
	head    sb2.Head
	start   sb2.List // without servers
	servers []sb2.Server
}

// list sends a request, and returns the list.
func (g *gameSpyServer) list(request sb2.ListRequest) (l gameSpyList, err error) {
	return g.listIn(request, mustBinary(request))
}

// listIn sends a request in pieces, and returns the list.
func (g *gameSpyServer) listIn(request sb2.ListRequest, pieces ...[]byte) (l gameSpyList, err error) {
	stream := sb2.MasterStream{Secret: g.game.Key, Request: request}
	at, end := 0, error(nil)
	_, err = g.session.converse(inOrder(pieces...), func(heard []byte) bool {
		rest := heard[at:]
		for end == nil && len(l.servers) < sb2.MaxServers {
			var server sb2.Server
			server, rest, end = stream.NextServer(rest)
			if end == nil {
				l.servers = append(l.servers, server)
			}
		}
		at = len(heard) - len(rest)
		if end == lobbywire.ErrTruncated {
			end = nil
			return false
		}
		return true
	})
	l.head, l.start, _ = stream.Start()
	switch {
	case err != nil:
		return l, err
	case l.start.DefaultPort == sb2.ErrorPort:
		return l, fmt.Errorf("the master refuses the list: %q", l.start.Error)
	case end == sb2.ErrEndOfList:
		return l, nil
	case end == nil && at == 0:
		return l, errSilent
	case end == nil:
		return l, errors.New("the connection is closed before the end of the list")
	}
	return l, end
}

// find returns the server of a list, and an error unless it is there once.
func (g *gameSpyServer) find(l gameSpyList) (found sb2.Server, err error) {
	count := 0
	for _, server := range l.servers {
		if name, _ := server.Lookup("hostname"); name == g.name() {
			found, count = server, count+1
		}
	}
	switch {
	case count == 0:
		return found, errNotListed
	case count > 1:
		return found, fmt.Errorf("the server is listed %d times, want once", count)
	}
	return found, nil
}

// look requests a list, and returns it with the entry of the server.
func (g *gameSpyServer) look(filter string) (l gameSpyList, entry sb2.Server, err error) {
	l, err = g.list(g.request(filter))
	if err == nil {
		entry, err = g.find(l)
	}
	return l, entry, err
}

// listed waits until the list has the server, and returns its entry.
func (g *gameSpyServer) listed(filter string) (entry sb2.Server, err error) {
	err = g.session.awaits(func() error {
		_, entry, err = g.look(filter)
		return err
	})
	return entry, err
}

// absent returns an error if the list has the server.
func (g *gameSpyServer) absent(filter string) error {
	_, _, err := g.look(filter)
	switch {
	case err == nil:
		return errListed
	case errors.Is(err, errNotListed):
		return nil
	}
	return err
}

// gone waits until the list no longer has the server.
func (g *gameSpyServer) gone() error {
	return g.session.awaits(func() error { return g.absent("") })
}

// refused sends a request that is changed, and must get no list with the server.
func (g *gameSpyServer) refused(request sb2.ListRequest, change func(b []byte) []byte) error {
	heard, err := g.session.converse(inOrder(change(mustBinary(request))), nil)
	if err != nil || len(heard) == 0 {
		return err
	}
	answer, err := sb2.ParseAnswer(heard, g.game.Key, request)
	if err != nil || answer.List.DefaultPort == sb2.ErrorPort {
		return nil // it is no list, or says why there is none
	}
	if _, err := g.find(gameSpyList{servers: answer.List.Servers}); err == nil {
		return errListed
	}
	return nil
}

// rules requests all keys of the server after the list, on the same connection.
func (g *gameSpyServer) rules(entry sb2.Server) error {
	request := g.request("")
	stream := sb2.MasterStream{Secret: g.game.Key, Request: request}
	at, ended := 0, false
	var rules sb2.Server
	first := inOrder(mustBinary(request))
	say := func(heard []byte) []byte {
		if sent := first(heard); sent != nil || ended {
			return sent
		}
		rest, err := heard[at:], error(nil)
		for err == nil && !ended {
			_, rest, err = stream.NextServer(rest)
			ended = err == sb2.ErrEndOfList
		}
		at = len(heard) - len(rest)
		if err != sb2.ErrEndOfList {
			return nil
		}
		_, start, _ := stream.Start()
		return mustBinary(sb2.RulesRequest{Addr: entry.AddrPort(start.DefaultPort)})
	}
	_, err := g.session.converse(say, func(heard []byte) bool {
		rest, err := heard[at:], error(nil)
		for ended && err == nil && rules.Rules == nil {
			var m sb2.Push
			m, rest, err = stream.NextPush(rest)
			if pushed, ok := m.(sb2.PushServer); ok {
				rules = pushed.Server
			}
		}
		at = len(heard) - len(rest)
		return rules.Rules != nil || err != nil && err != lobbywire.ErrTruncated
	})
	if err != nil {
		return err
	}
	rules.Fields = nil
	return hasKeys(rules, "hostname", g.name(), "gamever", "1.0")
}

// answerGameSpy returns an answerer with our server.
func answerGameSpy(game Game) answerer {
	server := new(gamespy2net.Server)
	server.SetView(serverView(serverName, game))
	return func(source int, from netip.AddrPort, b []byte) [][]byte {
		m, err := gamespy2.ParseRequest(b)
		// The answer to an AvailabilityRequest looks like a challenge request.
		if err != nil || m.Type != gamespy2.TypeQuery && (m.Type != gamespy2.TypeChallenge || source == sources-1) {
			return nil
		}
		return server.Respond(from, b, [][]byte{})
	}
}

func explainGameSpyMaster(game Game) func(p Packet) lobbywire.Explanation {
	return func(p Packet) lobbywire.Explanation {
		switch {
		case !p.stream && p.Sent:
			return qr2.ExplainToMaster(p.Bytes)
		case !p.stream:
			return qr2.ExplainToServer(p.Bytes)
		case p.Sent:
			return sb2.ExplainRequest(p.Bytes)
		}
		request, err := sb2.ParseListRequest(p.Request)
		if err != nil {
			return lobbywire.Explanation{} // it continues an encrypted stream
		}
		return sb2.ExplainAnswer(p.Bytes, game.Key, request)
	}
}

// changed returns a text with another character at an index, from the end if it is
// negative.
func changedAt(text string, at int) string {
	b := []byte(text)
	if len(b) == 0 {
		return "A"
	}
	if at < 0 {
		at = len(b) - 1
	}
	b[at] = map[bool]byte{true: 'B', false: 'A'}[b[at] == 'A']
	return string(b)
}

// sendAll sends datagrams that must not be answered.
func (s *Session) sendAll(source int, all ...[]byte) error {
	for _, b := range all {
		if err := s.askNothing(source, b); err != nil {
			return fmt.Errorf("%x: %w", b[:min(len(b), 8)], err)
		}
	}
	return nil
}

// hasKeys returns an error unless a server has values, as pairs.
func hasKeys(server sb2.Server, pairs ...string) error {
	for pair := range slices.Chunk(pairs, 2) {
		if got, ok := server.Lookup(pair[0]); got != pair[1] || !ok {
			return fmt.Errorf("%s is %q, want %q", pair[0], got, pair[1])
		}
	}
	return nil
}
