package masters

import (
	"encoding"
	"errors"
	"fmt"
	"net/netip"
	"slices"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/fuzzharness"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/check"
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
		Cases:    cases("warzone", l, warzoneRows()),
		Session:  l.Session,
		Explain:  explainWarzone,
		Alive:    func() error { return check.AliveStream(l.Session, l) },
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

// streamOf returns messages as a stream. Those of the cases can all be encoded.
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
func (l *warzoneLobby) judged(sent []byte) ([]byte, error) {
	answers, err := l.Talk(sent)
	if err == nil {
		err = check.Bare(fuzzharness.JudgeWarzone(sent, answers))
	}
	return answers, err
}

// list sends a list request, and returns the list.
func (l *warzoneLobby) list() (warzone.ListReply, error) {
	answers, err := l.judged(l.Query())
	if err != nil {
		return warzone.ListReply{}, err
	}
	return warzone.ParseListReply(answers)
}

// Sizes of messages that do not contain them.
const (
	gameIDReplySize  = 4
	aliveRequestSize = 8
)

// alive is the answer to a lobby that checks a game: the id is what the lobby sent
// first. It is nil before that.
func alive(line, _ []byte) []byte {
	id, err := warzone.ParseGameIDReply(line[:min(len(line), gameIDReplySize)])
	if err != nil {
		return nil
	}
	return check.MustBinary(warzone.AliveReply{Version: warzone.AliveVersion, GameID: id.GameID})
}

// place sets the port of a game to one that the lobby can reach, if there is one. It returns
// the address, which is not valid or unspecified if it is unknown.
func (l *warzoneLobby) place(server int, game *warzone.Game) (netip.Addr, error) {
	h, ok := l.Peer.(check.Host)
	if !ok {
		return netip.Addr{}, nil
	}
	at, err := h.Host(server, check.Answer{
		IsWhole: func(check []byte) bool { return len(check) >= aliveRequestSize }, Reply: alive,
	})
	game.HostPort = at.Port()
	return at.Addr(), err
}

// hosted gets an id, adds a game and updates it to others, and requests the list, on one
// connection. It returns the entries of the list with the name of the last.
func (l *warzoneLobby) hosted(games []warzone.Game, more ...encoding.BinaryAppender) (
	last warzone.Game, entries []warzone.Game, err error,
) {
	games = slices.Clone(games)
	for i := range games {
		if _, err := l.place(0, &games[i]); err != nil {
			return last, nil, err
		}
	}
	last = games[len(games)-1]
	messages := []encoding.BinaryAppender{warzone.GameIDRequest{}}
	for i, g := range games {
		if i == 0 {
			messages = append(messages, warzone.AddGame{Game: g})
		} else {
			messages = append(messages, warzone.Update{Game: g})
		}
	}
	sent := streamOf(append(append(messages, more...), warzone.ListRequest{})...)
	answers, err := l.Talk(sent)
	if err != nil {
		return last, nil, err
	}
	var reader warzone.LobbyStream
	rest := answers
	for i := range 1 + len(games) {
		m, after, err := reader.NextResponse(rest)
		if err != nil {
			return last, nil, fmt.Errorf("answer %d: %w", i+1, err)
		}
		if status, ok := m.(warzone.Status); ok && !status.Code.OK() {
			return last, nil, fmt.Errorf("%w: %q", check.ErrRefused, status.Text)
		}
		rest = after
	}
	if err := check.Bare(fuzzharness.JudgeWarzone(sent, answers)); err != nil {
		return last, nil, err
	}
	list, err := warzone.ParseListReply(rest)
	if err != nil {
		return last, nil, err
	}
	return last, named(list, last.Name), nil
}

// named returns the games of a list that have a name.
func named(list warzone.ListReply, name string) (found []warzone.Game) {
	for _, g := range list.Games {
		if g.Name == name {
			found = append(found, g)
		}
	}
	return found
}

// isShown returns an error if a list does not have a game as its host has sent it, at the
// address of its host, or clients hide it.
func (l *warzoneLobby) isShown(sent, got warzone.Game) error {
	want, err := l.place(0, &warzone.Game{})
	if err != nil {
		return err
	}
	at, wrong := netip.ParseAddr(got.Host)
	isKnown := want.IsValid() && !want.IsUnspecified()
	if wrong != nil || at.Is4In6() || at.IsUnspecified() || got.Host == sent.Host || isKnown && at != want {
		return fmt.Errorf("the game is at %q, which is not the address of its host", got.Host)
	}
	if got.Size == 0 {
		return errors.New("the game has no size: clients do not show it")
	}
	sent.Host, sent.SecondaryHosts, sent.Extra, sent.Size, sent.GameID = // which lobbies set
		got.Host, got.SecondaryHosts, got.Extra, got.Size, got.GameID
	if err := fuzzharness.Differ(sent.View(), got.View()); err != nil {
		return err
	}
	if sent != got {
		return fmt.Errorf("the game has other numbers: %+v, want %+v", got, sent)
	}
	return nil
}

// open hosts a game on a connection, with messages in pieces, and sets its port.
func (l *warzoneLobby) open(server int, game *warzone.Game) (*check.Call, error) {
	if _, err := l.place(server, game); err != nil {
		return nil, err
	}
	c, err := l.Dial()
	if err != nil {
		return nil, err
	}
	l.calls = append(l.calls, c)
	c.Send(check.Pieces(streamOf(warzone.GameIDRequest{}), 2)...)
	_, err = c.Hear(func(answers []byte) bool { return len(answers) >= gameIDReplySize })
	if err != nil {
		return nil, err
	}
	c.Send(check.Pieces(streamOf(warzone.AddGame{Game: *game}), 3, 7, 100, -1)...)
	answers, err := c.Hear(func(answers []byte) bool {
		_, err := warzone.ParseStatus(answers)
		return !errors.Is(err, lobbywire.ErrTruncated)
	})
	if err != nil {
		return nil, err
	}
	status, err := warzone.ParseStatus(answers)
	if err == nil && !status.Code.OK() {
		err = fmt.Errorf("%w: %q", check.ErrRefused, status.Text)
	}
	return c, err
}

// The following implement registry.

func (l *warzoneLobby) register(server int) error {
	l.games[server] = fuzzharness.WarzoneGames()[server]
	l.games[server].Name = check.NewName()
	_, err := l.open(server, &l.games[server])
	return err
}

func (l *warzoneLobby) refresh(server int) error {
	l.calls[server].Send(streamOf(warzone.Keep{}))
	return nil
}

// end resets the connection: there is no other goodbye.
func (l *warzoneLobby) end(server int) error {
	l.calls[server].Line.Close()
	return nil
}

func (l *warzoneLobby) absent(server int) error {
	list, err := l.list()
	if err != nil {
		return err
	}
	found := named(list, l.games[server].Name)
	switch {
	case len(found) > 1:
		return fmt.Errorf("the list has the game %d times, want once", len(found))
	case len(found) == 0:
		return nil
	}
	if err := l.isShown(l.games[server], found[0]); err != nil {
		return fmt.Errorf("the game %q: %w", found[0].Name, err)
	}
	return check.ErrListed
}

func (l *warzoneLobby) await(check func() error) error { return l.AwaitList(check) }

// explainWarzone explains the first message of a stream.
func explainWarzone(p check.Packet) lobbywire.Explanation {
	if p.Sent {
		return warzone.ExplainRequest(p.Bytes)
	}
	var requests warzone.HostStream
	m, _, _ := requests.NextRequest(p.Request)
	switch m.(type) {
	case warzone.GameIDRequest:
		return warzone.Explain[warzone.GameIDReply](p.Bytes)
	case warzone.AddGame, warzone.Update:
		return warzone.Explain[warzone.Status](p.Bytes)
	}
	return warzone.Explain[warzone.ListReply](p.Bytes)
}
