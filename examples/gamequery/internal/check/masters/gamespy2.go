package masters

import (
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"net/netip"
	"slices"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/fuzzharness"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/check"
	"github.com/lobbywire/lobbywire/examples/internal/formats"
	"github.com/lobbywire/lobbywire/examples/internal/traffic"
	"github.com/lobbywire/lobbywire/gamespy2"
	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
	"github.com/lobbywire/lobbywire/gamespy2/qr2"
	"github.com/lobbywire/lobbywire/gamespy2/sb2"
)

// A gameSpyMaster is a master of GameSpy, with the servers that the running case registers.
type gameSpyMaster struct {
	session
	game    Game
	servers [2]*gameSpyServer
	silent  bool // it answers no availability request, but heartbeats
}

func gameSpySuite(game Game) *check.Suite {
	m := &gameSpyMaster{session: session{new(check.Session)}, game: game}
	const protocol = "gamespy2-master"
	slow := check.Slow(check.Cases(protocol, m, []row[*gameSpyMaster]{{
		"1.19", check.Must, "a silent server is removed within ten minutes, and no server with keepalives", qrKeepalive,
		removesSilent[*gameSpyMaster],
	}}))
	return &check.Suite{
		Protocol: protocol,
		Cases:    append(check.Cases(protocol, m, gameSpyRows()), slow...),
		Session:  m.Session,
		Service:  traffic.ServiceOf("qr2", traffic.Master),
		Lists:    traffic.ServiceOf("sb2", traffic.List),
		Options:  formats.Options{ServerBrowsing: formats.ServerBrowsing{Secret: game.Key}},
		Alive:    m.alive,
		Reset:    m.reset,
		Sources:  sources,
		Answer:   answerGameSpy(game),
		Withdraw: m.reset,
	}
}

// reset withdraws the servers of the last case.
func (m *gameSpyMaster) reset() {
	for i, g := range m.servers {
		if g != nil {
			g.withdraw()
		}
		m.servers[i] = nil
	}
}

// alive fails if the master answers neither an availability request nor a heartbeat.
func (m *gameSpyMaster) alive() {
	if !m.silent {
		err := m.Try(func() { m.availability() })
		if !errors.Is(err, fuzzharness.ErrSilent) {
			m.Check(err)
			return
		}
	}
	m.askOnce(sources-1, newGameSpyServer(m, sources-1).heartbeat(qr2.StateStart))
	m.silent = true
}

// availability returns the answer to an availability request.
func (m *gameSpyMaster) availability() []byte {
	return m.askOnce(sources-1, check.MustBinary(qr2.AvailabilityRequest{GameName: m.game.Name}))
}

// new returns a new server, which is withdrawn at the end of the case.
func (m *gameSpyMaster) new(source int) *gameSpyServer {
	m.servers[source] = newGameSpyServer(m, source)
	return m.servers[source]
}

// The following implement registry.

func (m *gameSpyMaster) register(server int) { m.new(server).register() }

func (m *gameSpyMaster) refresh(server int) {
	m.AskMaybe(server, check.MustBinary(qr2.Keepalive{Key: m.servers[server].key}))
}

func (m *gameSpyMaster) entries(server int) int {
	_, n := m.servers[server].find(m.servers[server].list(""))
	return n
}

func (m *gameSpyMaster) end(server int) { m.servers[server].withdraw() }

// A gameSpyServer is a server that registers with a master of GameSpy.
type gameSpyServer struct {
	session session
	source  int
	key     [4]byte // instance key
	game    Game
	info    []gamespy2.KeyValue // besides the keys about the server itself
	tables  bool
}

// newGameSpyServer returns a server at a source, with a new name and instance key.
func newGameSpyServer(m *gameSpyMaster, source int) *gameSpyServer {
	g := &gameSpyServer{session: m.session, source: source, game: m.game, tables: true}
	binary.BigEndian.PutUint32(g.key[:], rand.Uint32())
	g.info = []gamespy2.KeyValue{
		{Key: "hostname", Value: check.NewName()}, {Key: "gamever", Value: "1.0"}, {Key: "mapname", Value: "Check"},
		{Key: "gametype", Value: "test"}, {Key: "numplayers", Value: "3"}, {Key: "maxplayers", Value: "16"},
	}
	return g
}

// name returns the name that identifies the server in lists.
func (g *gameSpyServer) name() string { return g.info[0].Value }

// heartbeat returns the bytes of a heartbeat.
func (g *gameSpyServer) heartbeat(state qr2.State) []byte {
	identity := qr2.Identity{
		LocalPort: g.session.peer().Address(g.source).Port(), State: state, GameName: g.game.Name,
	}
	m := qr2.Heartbeat{Key: g.key, Info: identity.AppendTo(nil)}
	if state != qr2.StateShutdown {
		m.Info = append(m.Info, g.info...)
	}
	if g.tables && state != qr2.StateShutdown {
		m.Players = &gamespy2.Table{Columns: []string{"player_"}, Rows: [][]string{{"Ada"}, {"Grace"}, {"Noor"}}}
		m.Teams = &gamespy2.Table{Columns: []string{"team_t"}}
	}
	return check.MustBinary(m)
}

// challenge sends a first heartbeat, and returns the challenge of the master.
func (g *gameSpyServer) challenge() qr2.Challenge { return g.challengeFor(g.heartbeat(qr2.StateStart)) }

// challengeFor sends a heartbeat, and returns the challenge of the master.
func (g *gameSpyServer) challengeFor(heartbeat []byte) qr2.Challenge {
	answer := g.session.askOnce(g.source, heartbeat)
	if refusal, err := qr2.ParseAddError(answer); err == nil {
		g.session.Failf("the master refuses the server: %q", refusal.Text)
	}
	c := check.Parsed(g.session.Session, qr2.ParseChallenge, answer)
	if c.Key != g.key {
		g.session.Failf("the challenge has another instance key")
	}
	return c
}

// answer sends an answer to a challenge, and returns what the master sends for it.
func (g *gameSpyServer) answer(text string) [][]byte {
	return g.session.AskMaybe(g.source, check.MustBinary(qr2.ChallengeAnswer{Key: g.key, Text: text}))
}

// right returns the right answer to a challenge.
func (g *gameSpyServer) right(c qr2.Challenge) string {
	return string(qr2.AppendAnswer(nil, c.Text, g.game.Key))
}

// register registers the server with its heartbeat. Then the master lists it.
func (g *gameSpyServer) register() { g.registerWith(g.heartbeat(qr2.StateStart)) }

func (g *gameSpyServer) registerWith(heartbeat []byte) { g.answer(g.right(g.challengeFor(heartbeat))) }

// withdraw removes the server.
func (g *gameSpyServer) withdraw() {
	g.session.peer().Send(g.source, g.heartbeat(qr2.StateShutdown))
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

// list requests the list of the servers that match a filter.
func (g *gameSpyServer) list(filter string) gameSpyList {
	request := g.request(filter)
	return g.listIn(request, check.MustBinary(request))
}

// listIn sends a request in pieces, and returns the list.
func (g *gameSpyServer) listIn(request sb2.ListRequest, pieces ...[]byte) (l gameSpyList) {
	stream := sb2.MasterStream{Secret: g.game.Key, Request: request}
	at, end := 0, error(nil)
	g.session.converse(inOrder(pieces...), func(heard []byte) bool {
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
	case l.start.DefaultPort == sb2.ErrorPort:
		g.session.Failf("the master refuses the list: %q", l.start.Error)
	case end == nil && at == 0:
		g.session.Fail(fuzzharness.ErrSilent)
	case end == nil:
		g.session.Failf("the connection is closed before the end of the list")
	case end != sb2.ErrEndOfList:
		g.session.Fail(end)
	}
	return l
}

// find returns the server in a list, and how many times the list contains it.
func (g *gameSpyServer) find(l gameSpyList) (found sb2.Server, count int) {
	for _, server := range l.servers {
		if name, _ := server.Lookup("hostname"); name == g.name() {
			found, count = server, count+1
		}
	}
	return found, count
}

// look requests a list, and returns it with the entry of the server, which must occur
// once.
func (g *gameSpyServer) look(filter string) (l gameSpyList, entry sb2.Server) {
	l = g.list(filter)
	entry, count := g.find(l)
	switch {
	case count == 0:
		g.session.Fail(check.ErrNotListed)
	case count > 1:
		g.session.Failf("the server is listed %d times, want once", count)
	}
	return l, entry
}

// listed waits until the list contains the server, and returns its entry.
func (g *gameSpyServer) listed(filter string) (entry sb2.Server) {
	g.session.AwaitList(func() { _, entry = g.look(filter) })
	return entry
}

// absent fails if the list contains the server.
func (g *gameSpyServer) absent(filter string) {
	if _, n := g.find(g.list(filter)); n > 0 {
		g.session.Fail(check.ErrListed)
	}
}

// refused sends a request that is changed, and must get no list with the server.
func (g *gameSpyServer) refused(request sb2.ListRequest, change func(b []byte) []byte) {
	heard := g.session.converse(inOrder(change(check.MustBinary(request))), nil)
	answer, err := sb2.ParseAnswer(heard, g.game.Key, request)
	if err != nil || answer.List.DefaultPort == sb2.ErrorPort {
		return // it is not a list, or it is a reason for the refusal
	}
	if _, n := g.find(gameSpyList{servers: answer.List.Servers}); n > 0 {
		g.session.Fail(check.ErrListed)
	}
}

// rules requests all keys of the server after the list, on the same connection.
func (g *gameSpyServer) rules(entry sb2.Server) {
	request := g.request("")
	stream := sb2.MasterStream{Secret: g.game.Key, Request: request}
	at, ended := 0, false
	var rules sb2.Server
	first := inOrder(check.MustBinary(request))
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
		return check.MustBinary(sb2.RulesRequest{Addr: entry.AddrPort(start.DefaultPort)})
	}
	g.session.converse(say, func(heard []byte) bool {
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
	rules.Fields = nil
	g.hasKeys(rules, "hostname", g.name(), "gamever", "1.0")
}

// answerGameSpy returns an Answerer with our server.
func answerGameSpy(game Game) check.Answerer {
	server := new(gamespy2net.Server)
	server.SetView(serverView(check.NameStart, game))
	return func(source int, from netip.AddrPort, b []byte) [][]byte {
		m, err := gamespy2.ParseRequest(b)
		// The answer to an AvailabilityRequest looks like a challenge request.
		if err != nil || m.Type != gamespy2.TypeQuery && (m.Type != gamespy2.TypeChallenge || source == sources-1) {
			return nil
		}
		out, _ := server.Respond(from, b, [][]byte{})
		return out
	}
}

// hasKeys fails unless a server has values, as pairs.
func (g *gameSpyServer) hasKeys(server sb2.Server, pairs ...string) {
	for pair := range slices.Chunk(pairs, 2) {
		if got, ok := server.Lookup(pair[0]); got != pair[1] || !ok {
			g.session.Failf("%s is %q, want %q", pair[0], got, pair[1])
		}
	}
}
