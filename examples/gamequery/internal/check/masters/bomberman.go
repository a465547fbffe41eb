package masters

import (
	"errors"
	"fmt"
	"slices"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/bomberman"
	"github.com/lobbywire/lobbywire/examples/fuzzharness"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/check"
	"github.com/lobbywire/lobbywire/examples/internal/traffic"
)

// A bombermanMaster is a management server, with the games that the running case hosts.
type bombermanMaster struct {
	*check.Session
	games [2]bomberman.RegisterGameServer
	calls [2]*check.Call
}

func bombermanSuite() *check.Suite {
	m := &bombermanMaster{Session: new(check.Session)}
	return &check.Suite{
		Protocol: "bomberman",
		Cases:    check.Cases("bomberman", m, bombermanRows()),
		Session:  m.Session,
		Service:  traffic.ServiceOf("bomberman", traffic.Master),
		Alive:    func() { check.AliveStream(m.Session, m) },
		Reset:    m.reset,
		Sources:  1,
	}
}

// reset closes the connections of the last case.
func (m *bombermanMaster) reset() {
	for i, c := range m.calls {
		if c != nil {
			c.Line.Close()
			m.calls[i] = nil
		}
	}
}

// Query returns a request for the list of games.
func (m *bombermanMaster) Query() []byte { return check.Frames(bomberman.QueryGameServers{}) }

// IsWhole reports whether a list has come.
func (m *bombermanMaster) IsWhole(answers []byte) bool {
	_, _, err := new(bomberman.Framer).Next(answers)
	return !errors.Is(err, lobbywire.ErrTruncated)
}

// Judge returns an error if the answer to a query is wrong.
func (m *bombermanMaster) Judge(answers []byte) error {
	return fuzzharness.JudgeBomberman(m.Query(), answers)
}

// A list is the answer to a query.
type list = bomberman.QueryGameServersResponse

// lists sends messages on one connection, and returns the lists that come back, judged.
func (m *bombermanMaster) lists(messages ...bomberman.Message) []list {
	return m.listsOf(check.Frames(messages...))
}

// listsOf is lists for a stream.
func (m *bombermanMaster) listsOf(stream []byte) []list {
	answers := m.Talk(stream)
	m.Check(fuzzharness.JudgeBomberman(stream, answers))
	return m.parsed(answers)
}

// parsed returns the lists of a stream.
func (m *bombermanMaster) parsed(answers []byte) (all []list) {
	var framer bomberman.Framer
	for len(answers) > 0 {
		payload, rest, err := framer.Next(answers)
		m.Check(err)
		all = append(all, check.Parsed(m.Session, bomberman.ParseQueryGameServersResponse, payload))
		answers = rest
	}
	return all
}

// listOn asks on an open connection.
func (m *bombermanMaster) listOn(c *check.Call, pieces ...int) list {
	c.Send(check.Pieces(m.Query(), pieces...)...)
	answers := c.Hear(m.IsWhole)
	m.Check(m.Judge(answers))
	return m.parsed(answers)[0]
}

// host registers a game on a connection of its own.
func (m *bombermanMaster) host(server int, game bomberman.RegisterGameServer, pieces ...int) {
	if m.calls[server] == nil {
		m.calls[server] = m.Dial()
	}
	m.games[server] = game
	m.calls[server].Send(check.Pieces(check.Frames(game), pieces...)...)
}

// The following implement registry.

func (m *bombermanMaster) register(server int) { m.host(server, newGame(server)) }

func (m *bombermanMaster) end(server int) {
	m.calls[server].Send(check.Frames(bomberman.UnregisterGameServer{}))
}

func (m *bombermanMaster) entries(server int) int {
	return countOf(m.lists(bomberman.QueryGameServers{})[0], m.games[server])
}

// newGame returns a game with a new name.
func newGame(i int) bomberman.RegisterGameServer {
	game := fuzzharness.BombermanGames()[i]
	game.ServerName = check.NewName()
	return game
}

// countOf returns how many entries of a list are a game.
func countOf(l list, g bomberman.RegisterGameServer) (n int) {
	for _, found := range l.Servers {
		if found.Name == g.ServerName && found.Address == g.ServerAddress && found.Port == g.ServerPort {
			n++
		}
	}
	return n
}

// answered is a case of a stream with a number of queries, which must all be answered.
func answered(queries int, stream []byte) func(m *bombermanMaster) {
	return func(m *bombermanMaster) {
		if n := len(m.listsOf(stream)); n != queries {
			m.Failf("%d lists, want %d", n, queries)
		}
	}
}

// hasTimes fails unless a list contains a name the right number of times.
func (m *bombermanMaster) hasTimes(l list, name string, want int) {
	if _, n := entry(l, name); n != want {
		m.Failf("the list has the game %q %d times, want %d", clip(name), n, want)
	}
}

// entry returns the game of a name in a list.
func entry(l list, name string) (found bomberman.Server, count int) {
	for _, g := range l.Servers {
		if g.Name == name {
			found, count = g, count+1
		}
	}
	return found, count
}

// shows is a case of a game that is registered. Its list must show it.
func shows(g bomberman.RegisterGameServer) func(m *bombermanMaster) {
	return func(m *bombermanMaster) {
		l := m.lists(g, bomberman.QueryGameServers{})[0]
		m.hasTimes(l, g.ServerName, 1)
		found, _ := entry(l, g.ServerName)
		v := found.View()
		v.Mode, v.Players, v.Max, v.Rules = "", nil, nil, nil // what no registration has
		m.Check(fuzzharness.Differ(g.View(), v))
	}
}

// drops is a case of an invalid registration. The game must not be listed, and the game
// that was registered before stays.
func drops(name, address, port string) func(m *bombermanMaster) {
	const form = `{"command":"msRegisterGameServer","content":{"serverName":%q,"serverAddress":%s,"serverPort":%s}}`
	return func(m *bombermanMaster) {
		game := fuzzharness.BombermanGames()[0]
		object := fmt.Sprintf(form, name, address, port)
		all := m.listsOf(slices.Concat(check.Frames(game), check.Framed(object), m.Query()))
		last := all[len(all)-1]
		m.hasTimes(last, name, 0)
		m.hasTimes(last, game.ServerName, 1)
	}
}

// clip returns the start of a text.
func clip(text string) string {
	const most = 20
	if len(text) <= most {
		return text
	}
	return text[:most] + "..."
}
