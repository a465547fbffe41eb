package masters

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/bomberman"
	"github.com/lobbywire/lobbywire/examples/fuzzharness"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/check"
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
		Cases:    cases("bomberman", m, bombermanRows()),
		Session:  m.Session,
		Explain:  func(p check.Packet) lobbywire.Explanation { return bomberman.ExplainFrame(p.Bytes) }, // the first one
		Alive:    func() error { return check.AliveStream(m.Session, m) },
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

// Query returns a query.
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

// lists sends a stream on one connection, and returns the lists that come back, judged.
func (m *bombermanMaster) lists(stream []byte) (all []bomberman.QueryGameServersResponse, err error) {
	answers, err := m.Talk(stream)
	if err == nil {
		err = check.Bare(fuzzharness.JudgeBomberman(stream, answers))
	}
	if err != nil {
		return nil, err
	}
	return parsedLists(answers)
}

// list returns the list.
func (m *bombermanMaster) list() (list bomberman.QueryGameServersResponse, err error) {
	all, err := m.lists(m.Query())
	if err != nil {
		return list, err
	}
	return all[0], nil
}

// parsedLists returns the lists of a stream.
func parsedLists(answers []byte) (all []bomberman.QueryGameServersResponse, err error) {
	var framer bomberman.Framer
	for len(answers) > 0 {
		payload, rest, err := framer.Next(answers)
		if err != nil {
			return nil, err
		}
		list, err := bomberman.ParseQueryGameServersResponse(payload)
		if err != nil {
			return nil, err
		}
		all, answers = append(all, list), rest
	}
	return all, nil
}

// listOn asks on an open connection.
func (m *bombermanMaster) listOn(c *check.Call, pieces ...int) (list bomberman.QueryGameServersResponse, err error) {
	c.Send(check.Pieces(m.Query(), pieces...)...)
	answers, err := c.Hear(m.IsWhole)
	if err == nil {
		err = check.Bare(m.Judge(answers))
	}
	if err != nil {
		return list, err
	}
	all, err := parsedLists(answers)
	if err != nil {
		return list, err
	}
	return all[0], nil
}

// host registers a game on a connection of its own.
func (m *bombermanMaster) host(server int, game bomberman.RegisterGameServer, pieces ...int) error {
	if m.calls[server] == nil {
		c, err := m.Dial()
		if err != nil {
			return err
		}
		m.calls[server] = c
	}
	m.games[server] = game
	m.calls[server].Send(check.Pieces(check.Frames(game), pieces...)...)
	return nil
}

// The following implement registry.

func (m *bombermanMaster) register(server int) error {
	game := fuzzharness.BombermanGames()[server]
	game.ServerName = check.NewName()
	return m.host(server, game)
}

func (m *bombermanMaster) end(server int) error {
	m.calls[server].Send(check.Frames(bomberman.UnregisterGameServer{}))
	return nil
}

func (m *bombermanMaster) absent(server int) error {
	list, err := m.list()
	if err != nil {
		return err
	}
	count := countOf(list, m.games[server])
	switch {
	case count > 1:
		return fmt.Errorf("the list has the game %d times, want once", count)
	case count == 1:
		return check.ErrListed
	}
	return nil
}

func (m *bombermanMaster) await(check func() error) error { return m.AwaitList(check) }

// countOf returns how many entries of a list are a game.
func countOf(list bomberman.QueryGameServersResponse, g bomberman.RegisterGameServer) (n int) {
	for _, found := range list.Servers {
		if found.Name == g.ServerName && found.Address == g.ServerAddress && found.Port == g.ServerPort {
			n++
		}
	}
	return n
}

// answered is a case of a stream with a number of queries, which must all be answered.
func answered(queries int, bytes []byte) func(m *bombermanMaster) error {
	return func(m *bombermanMaster) error {
		all, err := m.lists(bytes)
		if err == nil && len(all) != queries {
			err = fmt.Errorf("%d lists, want %d", len(all), queries)
		}
		return err
	}
}

// hasTimes returns an error if a list does not have a name as many times as it must.
func hasTimes(list bomberman.QueryGameServersResponse, name string, want int) error {
	if _, n := entry(list, name); n != want {
		return fmt.Errorf("the list has the game %q %d times, want %d", clip(name), n, want)
	}
	return nil
}

// entry returns the game of a name in a list.
func entry(list bomberman.QueryGameServersResponse, name string) (found bomberman.Server, count int) {
	for _, g := range list.Servers {
		if g.Name == name {
			found, count = g, count+1
		}
	}
	return found, count
}

// shows is a case of a game that is registered. Its list must show it.
func shows(g bomberman.RegisterGameServer) func(m *bombermanMaster) error {
	return func(m *bombermanMaster) error {
		all, err := m.lists(check.Frames(g, bomberman.QueryGameServers{}))
		if err != nil {
			return err
		}
		if err := hasTimes(all[0], g.ServerName, 1); err != nil {
			return err
		}
		found, _ := entry(all[0], g.ServerName)
		v := found.View()
		v.Mode, v.Players, v.Max, v.Rules = "", nil, nil, nil // what no registration has
		return fuzzharness.Differ(g.View(), v)
	}
}

// drops is a case of a registration that is not valid. The game must not be listed, and
// the one that was registered before stays.
func drops(name, address, port string) func(m *bombermanMaster) error {
	const form = `{"command":"msRegisterGameServer","content":{"serverName":%q,"serverAddress":%s,"serverPort":%s}}`
	return func(m *bombermanMaster) error {
		game := fuzzharness.BombermanGames()[0]
		object := fmt.Sprintf(form, name, address, port)
		all, err := m.lists(slices.Concat(check.Frames(game), check.Framed(object), check.Frames(bomberman.QueryGameServers{})))
		if err != nil {
			return err
		}
		last := all[len(all)-1]
		return cmp.Or(hasTimes(last, name, 0), hasTimes(last, game.ServerName, 1))
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
