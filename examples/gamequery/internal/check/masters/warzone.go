package masters

import (
	"encoding"
	"errors"
	"fmt"
	"net/netip"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/fuzzharness"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/check"
	"github.com/lobbywire/lobbywire/examples/internal/traffic"
	"github.com/lobbywire/lobbywire/warzone"
)

// A warzoneLobby is a lobby, with the games that the running case hosts.
type warzoneLobby struct {
	*check.Session
	games [2]warzone.Game
	calls []*check.Call
}

func warzoneSuite() *check.Suite {
	l := &warzoneLobby{Session: new(check.Session)}
	return &check.Suite{
		Protocol: "warzone",
		Cases:    check.Cases("warzone", l, warzoneRows()),
		Session:  l.Session,
		Service:  traffic.ServiceOf("warzone", traffic.Master),
		Alive:    func() { check.AliveStream(l.Session, l) },
		Reset:    l.reset,
		Sources:  1,
	}
}

// reset closes the connections of the last case.
func (l *warzoneLobby) reset() {
	for _, c := range l.calls {
		c.Line.Close()
	}
	l.calls = nil
}

// streamOf returns messages as a stream. All messages of the cases can be encoded.
func streamOf(messages ...encoding.BinaryAppender) (b []byte) {
	for _, m := range messages {
		b, _ = m.AppendBinary(b)
	}
	return b
}

// Query returns a list request.
func (l *warzoneLobby) Query() []byte { return streamOf(warzone.ListRequest{}) }

// IsWhole reports whether a list has come.
func (l *warzoneLobby) IsWhole(answers []byte) bool {
	_, err := warzone.ParseListReply(answers)
	return !errors.Is(err, lobbywire.ErrTruncated)
}

// Judge returns an error if the answer to a list request is wrong.
func (l *warzoneLobby) Judge(answers []byte) error {
	return fuzzharness.JudgeWarzone(l.Query(), answers)
}

// judged sends a stream on one connection, and judges the answers.
func (l *warzoneLobby) judged(sent []byte) []byte {
	answers := l.Talk(sent)
	l.Check(fuzzharness.JudgeWarzone(sent, answers))
	return answers
}

// list sends a list request, and returns the list.
func (l *warzoneLobby) list() warzone.ListReply {
	return check.Parsed(l.Session, warzone.ParseListReply, l.judged(l.Query()))
}

// Sizes of messages that do not contain them.
const (
	gameIDReplySize  = 4
	aliveRequestSize = 8
)

// alive returns the answer to a lobby that checks a game: the id that the lobby has sent.
// It returns nil before that.
func alive(line, _ []byte) []byte {
	id, err := warzone.ParseGameIDReply(line[:min(len(line), gameIDReplySize)])
	if err != nil {
		return nil
	}
	return check.MustBinary(warzone.AliveReply{Version: warzone.AliveVersion, GameID: id.GameID})
}

// place sets the port of a game to a port that the lobby can reach, if there is one. It
// returns the address, which is invalid or unspecified if it is unknown.
func (l *warzoneLobby) place(server int, game *warzone.Game) netip.Addr {
	h, ok := l.Peer.(check.Host)
	if !ok {
		return netip.Addr{}
	}
	at, err := h.Host(server, check.Answer{
		IsWhole: func(check []byte) bool { return len(check) >= aliveRequestSize }, Reply: alive,
	})
	l.Check(err)
	game.HostPort = at.Port()
	return at.Addr()
}

// newRoom returns a game with a new name.
func newRoom(i int) warzone.Game {
	game := fuzzharness.WarzoneGames()[i]
	game.Name = check.NewName()
	return game
}

// accepted fails if a status refuses a game.
func (l *warzoneLobby) accepted(status warzone.Status) {
	if !status.Code.OK() {
		l.Failf("%w: %q", check.ErrRefused, status.Text)
	}
}

// hosted gets an id, adds a game, updates it to each of the others, and requests the
// list, on one connection. It returns the entries of the list with the name of the last
// game.
func (l *warzoneLobby) hosted(games []warzone.Game, more ...encoding.BinaryAppender) (
	last warzone.Game, entries []warzone.Game,
) {
	messages := []encoding.BinaryAppender{warzone.GameIDRequest{}}
	for i, g := range games {
		l.place(0, &g)
		last = g
		if i == 0 {
			messages = append(messages, warzone.AddGame{Game: g})
		} else {
			messages = append(messages, warzone.Update{Game: g})
		}
	}
	sent := streamOf(append(append(messages, more...), warzone.ListRequest{})...)
	answers := l.Talk(sent)
	var reader warzone.LobbyStream
	rest := answers
	for i := range 1 + len(games) {
		m, after, err := reader.NextResponse(rest)
		if err != nil {
			l.Failf("answer %d: %w", i+1, err)
		}
		if status, ok := m.(warzone.Status); ok {
			l.accepted(status)
		}
		rest = after
	}
	l.Check(fuzzharness.JudgeWarzone(sent, answers))
	return last, named(check.Parsed(l.Session, warzone.ParseListReply, rest), last.Name)
}

// named returns the games with a name in a list.
func named(list warzone.ListReply, name string) (found []warzone.Game) {
	for _, g := range list.Games {
		if g.Name == name {
			found = append(found, g)
		}
	}
	return found
}

// isShown fails unless a list shows a game as its host has sent it, at the address of its host, and
// clients show it.
func (l *warzoneLobby) isShown(sent, got warzone.Game) {
	want := l.place(0, &warzone.Game{})
	at, wrong := netip.ParseAddr(got.Host)
	isKnown := want.IsValid() && !want.IsUnspecified()
	if wrong != nil || at.Is4In6() || at.IsUnspecified() || got.Host == sent.Host || isKnown && at != want {
		l.Failf("the game is at %q, which is not the address of its host", got.Host)
	}
	if got.Size == 0 {
		l.Failf("the game has no size: clients do not show it")
	}
	sent.Host, sent.SecondaryHosts, sent.Extra, sent.Size, sent.GameID = // which lobbies set
		got.Host, got.SecondaryHosts, got.Extra, got.Size, got.GameID
	l.Check(fuzzharness.Differ(sent.View(), got.View()))
	if sent != got {
		l.Failf("the game has other numbers: %+v, want %+v", got, sent)
	}
}

// open hosts a game on a connection, with messages in pieces, and sets its port.
func (l *warzoneLobby) open(server int, game *warzone.Game) *check.Call {
	l.place(server, game)
	c := l.Dial()
	l.calls = append(l.calls, c)
	c.Send(check.Pieces(streamOf(warzone.GameIDRequest{}), 2)...)
	c.Hear(func(answers []byte) bool { return len(answers) >= gameIDReplySize })
	c.Send(check.Pieces(streamOf(warzone.AddGame{Game: *game}), 3, 7, 100, -1)...)
	l.accepted(check.Parsed(l.Session, warzone.ParseStatus, c.Hear(func(answers []byte) bool {
		_, err := warzone.ParseStatus(answers)
		return !errors.Is(err, lobbywire.ErrTruncated)
	})))
	return c
}

// The following implement registry.

func (l *warzoneLobby) register(server int) {
	l.games[server] = newRoom(server)
	l.open(server, &l.games[server])
}

func (l *warzoneLobby) refresh(server int) { l.calls[server].Send(streamOf(warzone.Keep{})) }

// end resets the connection: there is no other goodbye.
func (l *warzoneLobby) end(server int) { l.calls[server].Line.Close() }

func (l *warzoneLobby) entries(server int) int {
	found := named(l.list(), l.games[server].Name)
	for _, game := range found {
		l.In(fmt.Sprintf("the game %q", game.Name), func() { l.isShown(l.games[server], game) })
	}
	return len(found)
}
