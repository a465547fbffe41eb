package masters

import (
	"bytes"
	"cmp"
	"net/netip"
	"slices"
	"sync/atomic"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/check"
	"github.com/lobbywire/lobbywire/examples/internal/oneport"
	"github.com/lobbywire/lobbywire/examples/internal/traffic"
	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1"
)

// A nativeMaster is a master of GameAgent, in the native form.
type nativeMaster struct {
	session
	game       Game
	registered bool // server 0, by an earlier case
}

// A legacyMaster is a master of GameAgent, in the legacy form. Its list is served over TCP.
type legacyMaster struct {
	session
	game   Game
	silent atomic.Bool // the server at legacySource answers no queries
}

// legacySource is the source of the server in the legacy form.
const legacySource = 2

func gameAgentSuite(game Game) *check.Suite {
	if game.Name == "" {
		game = Game{"serioussamse", cmp.Or(game.Key, gamespy1.SeriousSamKey)}
	}
	s := session{new(check.Session)}
	native, legacy := &nativeMaster{session: s, game: game}, &legacyMaster{session: s, game: game}
	const protocol = "gameagent-master"
	slow := check.Slow(check.Cases(protocol, native, []row[*nativeMaster]{{
		"1.15", check.Must, "a silent server is removed within ten minutes, and no server with heartbeats", gaMaster,
		removesSilent[*nativeMaster],
	}}))
	return &check.Suite{
		Protocol: protocol,
		Cases: slices.Concat(check.Cases(protocol, native, nativeRows()), check.Cases(protocol, legacy, legacyRows()),
			slow),
		Session: s.Session,
		Service: traffic.ServiceOf("gameagent", traffic.Master),
		Lists:   traffic.ServiceOf("gameagent", traffic.List),
		Alive:   func() { s.askOnce(1, check.MustBinary(gameagent.Join{})) },
		Sources: sources,
		Answer:  legacy.answerer(),
		Withdraw: func() {
			native.withdraw()
			legacy.withdraw()
		},
	}
}

// address returns the address of a server in a list: the native list contains the port of
// the game, one below the query port.
func (s session) address(source, lower int) netip.AddrPort {
	at := s.peer().Address(source)
	return netip.AddrPortFrom(at.Addr(), at.Port()-uint16(lower))
}

// entriesOf returns how many entries of a list are an address.
func entriesOf(servers []netip.AddrPort, want netip.AddrPort) (n int) {
	for _, at := range servers {
		if at == want || at.Port() == want.Port() && want.Addr().IsUnspecified() {
			n++
		}
	}
	return n
}

// join sends a join, and returns the challenge of the master.
func (m *nativeMaster) join(source int) int32 {
	return m.challenge(source, check.MustBinary(gameagent.Join{}))
}

// challenge sends a datagram that must be answered with a challenge.
func (m *nativeMaster) challenge(source int, b []byte) int32 {
	c := check.Parsed(m.Session, gameagent.ParseChallenge, m.askOnce(source, b)).Challenge
	if c == 0 {
		m.Failf("the challenge is 0, which means that there is none")
	}
	return c
}

// heartbeat returns the bytes of a heartbeat.
func (m *nativeMaster) heartbeat(challenge int32) []byte {
	return check.MustBinary(gameagent.Heartbeat{
		Challenge: challenge, Players: new(3), MaxPlayers: new(16), Level: "Check", GameType: "test",
		Version: "1.0", Product: m.game.Name,
	})
}

// The following implement registry.

func (m *nativeMaster) register(server int) {
	m.AskMaybe(server, m.heartbeat(m.join(server)))
	m.registered = m.registered || server == 0
}

func (m *nativeMaster) refresh(server int) { m.AskMaybe(server, m.heartbeat(0)) }

// end hides the server with a join: there is no goodbye.
func (m *nativeMaster) end(server int) {
	m.join(server)
	m.registered = m.registered && server != 0
}

func (m *nativeMaster) entries(server int) int { return entriesOf(m.list(), m.address(server, 1)) }

// list requests the list.
func (m *nativeMaster) list() (all []netip.AddrPort) {
	m.Wait(listPace)
	answers := m.AskWhole(1, check.MustBinary(gameagent.ListRequest{}), func(answers [][]byte) bool {
		return len(answers[len(answers)-1]) <= maxListPacket-6 // a full packet may have another after it
	}, true)
	for _, b := range answers {
		all = append(all, check.Parsed(m.Session, gameagent.Options{Strict: true}.ParseServerList, b).Servers...)
		if len(b) > maxListPacket {
			m.Failf("a packet has %d bytes, want at most %d", len(b), maxListPacket)
		}
	}
	return all
}

// maxListPacket is the size of the largest packet of a list: a type and 170 servers.
const maxListPacket = 1 + 170*6

// withdraw hides a server that the master may still list.
func (m *nativeMaster) withdraw() {
	if m.registered {
		m.peer().Send(0, check.MustBinary(gameagent.Join{}))
	}
}

// answerer returns an Answerer with our server.
func (m *legacyMaster) answerer() check.Answerer {
	server := oneport.New(lobbywire.Rates{})
	server.SetView(serverView(check.NameStart, m.game))
	return func(source int, from netip.AddrPort, b []byte) [][]byte {
		if !isQuery(b) {
			query, _ := gamespy1.ParseToServer(b)
			secure, ok := query.(gamespy1.Secure)
			if !ok {
				return nil
			}
			answer := gamespy1.Validation{Validate: gamespy1.Validate(secure.Secure, m.game.Key)}
			return [][]byte{check.MustBinary(answer)}
		}
		if source != legacySource || m.silent.Load() {
			return [][]byte{}
		}
		out, _ := server.Respond(from, b, [][]byte{})
		return out
	}
}

// isQuery reports whether a server answers b in one of the forms.
func isQuery(b []byte) bool {
	if gameagent.IsToServer(b) {
		query, err := gameagent.ParseToServer(b)
		_, isChallenge := query.(gameagent.Challenge)
		return err == nil && !isChallenge
	}
	query, err := gamespy1.ParseToServer(b)
	_, ok := query.(gamespy1.Request)
	return err == nil && ok
}

// heartbeat returns the bytes of a heartbeat.
func (m *legacyMaster) heartbeat(source int, stops bool) []byte {
	return check.MustBinary(gamespy1.Heartbeat{
		QueryPort: m.peer().Address(source).Port(), GameName: m.game.Name, StateChanged: stops, ShuttingDown: stops,
	})
}

// list fetches the list of a game over TCP, in one of its forms. answer makes the answer to
// the challenge of the master. list sends the request in pieces, as some clients do.
func (m *legacyMaster) list(game, form string, answer func(secure string) string) []byte {
	asked, at := false, 0
	var next func(heard []byte) []byte
	heard := m.converse(func(heard []byte) []byte {
		if asked {
			return next(heard)
		}
		greeting, rest, err := gamespy1.NextGreeting(heard)
		if err != nil {
			return nil
		}
		asked, at = true, len(heard)-len(rest)
		request := check.MustBinary(gamespy1.ListRequest{
			GameName: m.game.Name, Validate: answer(greeting.Secure), QueryID: "1.1", List: form, ListName: game,
		})
		next = inOrder(check.Pieces(request, bytes.Index(request, []byte(`\list\`)))...)
		return next(heard)
	}, func(heard []byte) bool {
		if form == gamespy1.ListCompact {
			return asked && gamespy1.IsListComplete(heard[at:])
		}
		return asked && gamespy1.IsTextComplete(heard[at:])
	})
	switch {
	case !asked && len(heard) == 0:
		m.Failf("the connection is closed without a greeting")
	case !asked:
		_, _, err := gamespy1.NextGreeting(heard)
		m.Fail(err)
	}
	if list, ok := gamespy1.CutEnd(heard[at:]); ok && len(list) > 0 {
		return list // the end mark was the end of the greeting
	}
	return heard[at:]
}

// right returns the right answer to the challenge of a master.
func (m *legacyMaster) right(secure string) string {
	return gamespy1.Validate(secure, m.game.Key)
}

// entriesIn returns how many entries of a list are the server at a source.
func (m *legacyMaster) entriesIn(form string, source int) int {
	b := m.list(m.game.Name, form, m.right)
	if form == gamespy1.ListCompact {
		return entriesOf(check.Parsed(m.Session, gamespy1.ParseServerList, b).Servers, m.address(source, 0))
	}
	return entriesOf(check.Parsed(m.Session, gamespy1.ParseAddressList, b).Servers, m.address(source, 0))
}

// serversIn returns the number of servers of a compact legacy list. A refusal has no servers,
// although its text can be read as addresses.
func serversIn(list []byte) int {
	_, noError := gamespy1.ParseError(list)
	_, noEcho := gamespy1.ParseEcho(list)
	l, err := gamespy1.ParseServerList(list)
	if noError == nil || noEcho == nil || err != nil {
		return 0
	}
	return len(l.Servers)
}

// The following implement registry, for the one server.

func (m *legacyMaster) register(int) {
	m.silent.Store(false)
	m.AskMaybe(legacySource, m.heartbeat(legacySource, false))
}

// end sends that the server stops; from then on it is silent.
func (m *legacyMaster) end(int) {
	m.silent.Store(true)
	m.AskMaybe(legacySource, m.heartbeat(legacySource, true))
}

func (m *legacyMaster) entries(int) int {
	return m.entriesIn(gamespy1.ListCompact, legacySource)
}

// withdraw sends that the server stops.
func (m *legacyMaster) withdraw() {
	m.silent.Store(true)
	m.peer().Send(legacySource, m.heartbeat(legacySource, true))
}
