package servers

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/bomberman"
	"github.com/lobbywire/lobbywire/examples/fuzzharness"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/check"
	"github.com/lobbywire/lobbywire/examples/internal/traffic"
)

// A bombermanGame is a game server of Bomberman, in its lobby, with the players of the running
// case.
type bombermanGame struct {
	*check.Session
	calls []*check.Call
}

func bombermanGameSuite() *check.Suite {
	g := &bombermanGame{Session: new(check.Session)}
	return &check.Suite{
		Protocol: "bombermangame",
		Cases:    check.Cases("bombermangame", g, bombermanGameRows()),
		Session:  g.Session,
		Service:  traffic.ServiceOf("bomberman", traffic.Master), // the frames are the same
		Alive:    func() { check.AliveStream(g.Session, g) },
		Reset:    g.reset,
		Sources:  1,
	}
}

// Sources of the cases of a game server: pages of the specification.
const (
	bgRegister = "game-server, gsRegisterPlayer"
	bgPlayers  = "game-server, cPlayersUpdated"
	bgMode     = "game-server, modes"
	bgFrame    = "protocol, frames"
)

// bombermanGameRows are the cases of a game server, in its lobby.
func bombermanGameRows() []row[*bombermanGame] {
	type g = *bombermanGame
	return []row[g]{
		{"1.1", check.Must, "a player who registers gets a name, and the list of players with it", bgRegister,
			func(g g) { g.join("Ada") }},
		{"1.2", check.Must, "two players of one name get different names, which start with it", bgRegister, g.renames},
		{"1.3", check.Must, "a player gets the list with those who come later", bgPlayers, g.tellsOfNext},
		{"1.4", check.Must, "a player whose connection ends is no longer in the list", bgPlayers, g.removesClosed},
		{"1.5", check.Must, "a name with other characters than letters and digits is rejected", bgRegister, rejects("a b-c")},
		{"1.6", check.Must, "an empty name is rejected", bgRegister, rejects("")},
		{"1.7", check.Must, "one player is the leader", bgPlayers, g.hasLeader},
		{"2.1", check.Must, "frames that come in pieces are read, and answered while the connection is open", bgFrame,
			func(g g) { check.AskPieces(g.Session, g, 1, 2, 20, -1) }},
		{"2.2", check.Must, "a client in the middle of a frame does not keep others waiting", bgFrame,
			func(g g) { check.AskBesideSlow(g.Session, g, 10) }},
		{"2.3", check.Must, "two frames in one packet are two messages", bgFrame, after(check.Frames(bomberman.Heartbeat{}))},
		{"3.1", check.Must, "an unknown command is ignored, and the connection goes on", bgFrame,
			after(check.Framed(`{"command":"gsUnknown"}`))},
		{"3.2", check.Must, "JSON that is broken is ignored, and the connection goes on", bgFrame,
			after(check.Framed(`{"command":"gsRegisterPlayer",}`))},
		{"3.3", check.Should, "a message for a round is ignored in the lobby", bgMode,
			after(check.Frames(bomberman.PlayerAction{Action: 1}))},
		{"3.4", check.Must, "a message that only servers send is ignored", bgMode,
			after(check.Framed(`{"command":"gsRRegisterPlayer","content":{"rejected":false,"adaptedName":"Eve"}}`))},
		{"5.1", check.Robust, "broken streams do not end the server", bgFrame, g.survives},
	}
}

// reset closes the connections of the last case.
func (g *bombermanGame) reset() {
	for _, c := range g.calls {
		c.Line.Close()
	}
	g.calls = nil
}

// Query returns the registration of a player.
func (g *bombermanGame) Query() []byte { return check.Frames(bomberman.RegisterPlayer{Name: "Ada"}) }

// IsWhole reports whether the answer and the list of players have come.
func (g *bombermanGame) IsWhole(answers []byte) bool {
	all, err := messages(answers)
	_, hasList := lastPlayers(all)
	return err != nil || hasList
}

// Judge returns an error if the answers to a registration are wrong.
func (g *bombermanGame) Judge(answers []byte) error {
	_, err := judgeRegistration(answers, "Ada")
	return err
}

// messages returns the messages of a stream whose last frame may be cut.
func messages(stream []byte) (all []bomberman.Message, err error) {
	framer := bomberman.Framer{Options: bomberman.Options{Strict: true}}
	for {
		payload, rest, err := framer.Next(stream)
		if errors.Is(err, lobbywire.ErrTruncated) {
			return all, nil
		}
		if err != nil {
			return all, err
		}
		m, err := bomberman.Options{Strict: true}.ParseMessage(payload)
		if err != nil {
			return all, err
		}
		all, stream = append(all, m), rest
	}
}

// lastPlayers returns the last list of players.
func lastPlayers(all []bomberman.Message) (players []string, ok bool) {
	for _, m := range all {
		if m, is := m.(bomberman.PlayersUpdated); is {
			players, ok = nil, true
			for _, p := range m.Players {
				players = append(players, p.Name)
			}
		}
	}
	return players, ok
}

// judgeRegistration returns the name that a player gets.
func judgeRegistration(answers []byte, name string) (adapted string, err error) {
	all, err := messages(answers)
	if err != nil {
		return "", err
	}
	var response *bomberman.RegisterPlayerResponse
	for _, m := range all {
		if m, is := m.(bomberman.RegisterPlayerResponse); is && response != nil {
			return "", fmt.Errorf("two responses: %w", fuzzharness.ErrRepeated)
		} else if is {
			response = &m
		}
	}
	players, hasList := lastPlayers(all)
	switch {
	case response == nil:
		return "", errors.New("no gsRRegisterPlayer")
	case response.Rejected:
		return "", fmt.Errorf("%w: the name %q is rejected", check.ErrRefused, name)
	case !strings.HasPrefix(response.AdaptedName, name):
		return "", fmt.Errorf("the name is %q, which does not start with %q", response.AdaptedName, name)
	case !hasList || !slices.Contains(players, response.AdaptedName):
		return "", fmt.Errorf("the list of players does not have %q", response.AdaptedName)
	}
	return response.AdaptedName, nil
}

// call sends a stream on a new connection, and returns the answers when they are whole.
func (g *bombermanGame) call(stream []byte, isWhole func(answers []byte) bool) (*check.Call, []byte) {
	c := g.Dial()
	g.calls = append(g.calls, c)
	c.Send(stream)
	return c, c.Hear(isWhole)
}

// join registers a player on a new connection, and returns the name that the player gets.
func (g *bombermanGame) join(name string) (c *check.Call, adapted string) {
	c, answers := g.call(check.Frames(bomberman.RegisterPlayer{Name: name}), g.IsWhole)
	adapted, err := judgeRegistration(answers, name)
	g.Check(err)
	return c, adapted
}

func (g *bombermanGame) renames() {
	_, first := g.join("Ada")
	if _, second := g.join("Ada"); first == second {
		g.Failf("both are called %q", first)
	}
}

// hearPlayers waits for a list of players with or without a name.
func hearPlayers(c *check.Call, name string, want bool) {
	c.Hear(func(answers []byte) bool {
		all, err := messages(answers)
		players, ok := lastPlayers(all)
		return err != nil || ok && slices.Contains(players, name) == want
	})
}

func (g *bombermanGame) tellsOfNext() {
	first, _ := g.join("Ada")
	_, second := g.join("Grace")
	hearPlayers(first, second, true)
}

func (g *bombermanGame) removesClosed() {
	first, _ := g.join("Ada")
	left, second := g.join("Grace")
	hearPlayers(first, second, true)
	left.Line.Close()
	hearPlayers(first, second, false)
}

// rejects is a case of a name that no player may have.
func rejects(name string) func(g *bombermanGame) {
	return func(g *bombermanGame) {
		var found *bomberman.RegisterPlayerResponse
		var wrong error
		request := check.Framed(fmt.Sprintf(`{"command":"gsRegisterPlayer","content":{"name":%q}}`, name))
		g.call(request, func(answers []byte) bool {
			var all []bomberman.Message
			all, wrong = messages(answers)
			for _, m := range all {
				if m, is := m.(bomberman.RegisterPlayerResponse); is {
					found = &m
				}
			}
			return wrong != nil || found != nil
		})
		g.Check(wrong)
		if !found.Rejected {
			g.Failf("the name %q is accepted", name)
		}
	}
}

func (g *bombermanGame) hasLeader() {
	_, answers := g.call(g.Query(), g.IsWhole)
	all, err := messages(answers)
	g.Check(err)
	leaders := 0
	for _, m := range all {
		m, is := m.(bomberman.PlayersUpdated)
		if !is {
			continue
		}
		leaders = 0
		for _, p := range m.Players {
			if p.IsLeader {
				leaders++
			}
		}
	}
	if leaders != 1 {
		g.Failf("%d players are leaders, want 1", leaders)
	}
}

// after is a case of a registration after other bytes, in one packet.
func after(before []byte) func(g *bombermanGame) {
	return func(g *bombermanGame) {
		_, answers := g.call(append(slices.Clone(before), g.Query()...), g.IsWhole)
		g.Check(g.Judge(answers))
	}
}

func (g *bombermanGame) survives() {
	for range check.Mutations {
		c := g.Dial()
		c.Send(g.Mutated(g.Query()))
		c.Line.Close()
	}
	g.join("Ada")
}
