package warzonenet

import (
	"cmp"
	"context"
	"net"
	"slices"
	"time"

	"github.com/lobbywire/lobbywire/internal/listcache"
	"github.com/lobbywire/lobbywire/internal/stream"
	"github.com/lobbywire/lobbywire/warzone/wztext"
)

// A TextClient asks lobbies of the text proposal for their games, and opens
// games there. Its zero value is ready. Each request has a connection of its
// own; it may be used by many goroutines at once, and fields must not change
// then.
//
// A game is where the connection comes from. A host that has addresses of IPv4
// and IPv6 should decide for one, by a Dial that takes "tcp4" or "tcp6" instead
// of "tcp", or it cannot close what it has opened.
//
// Errors are a [*LobbyError] for what the lobby refuses, [lobbywire.ErrTimeout],
// [io.ErrUnexpectedEOF] if it closes the connection first, and those of the
// codec and of the network.
type TextClient struct {
	// Timeout is how long connecting, and each silence before the end of an
	// answer, may take; 0 means 5 s. All of a request takes 10 times that at
	// most.
	Timeout time.Duration

	// ListEvery is how often a lobby is asked for its list: meanwhile List
	// returns what it returned before. 0 means 2 s; it is always if negative.
	ListEvery time.Duration

	// Options are for reading answers, and limit what a List takes.
	Options wztext.Options

	// Dial connects to lobbies; nil means as the system does.
	Dial func(ctx context.Context, network, addr string) (net.Conn, error)

	lists listcache.Cache[[]wztext.Game] // by lobby
}

// List asks the lobby at addr, host:port, for its games. An empty list is no
// error. Texts are as the lobby sent them, so they need care before they are
// shown.
//
// A lobby is asked again only after ListEvery, and more seldom while it fails, as
// by [Client.List]. The slice is each caller's own.
func (c *TextClient) List(ctx context.Context, addr string) ([]wztext.Game, error) {
	games, err := c.lists.Get(ctx, addr, c.ListEvery, func(ctx context.Context) ([]wztext.Game, error) {
		return c.fetch(ctx, addr)
	})
	return slices.Clone(games), err
}

func (c *TextClient) fetch(ctx context.Context, addr string) (games []wztext.Game, err error) {
	err = c.asker().ask(ctx, addr, encoded(wztext.List{}), func(conn *stream.Conn) (err error) {
		games, err = readGames(c.answers(), conn, c.Options.ParseGame)
		return err
	})
	return games, err
}

// OpenGame lists the game of the caller at a lobby, or lists it again.
func (c *TextClient) OpenGame(ctx context.Context, addr string, m wztext.OpenGame) error {
	return c.do(ctx, addr, m)
}

// StartGame says that the game of the caller is being played.
func (c *TextClient) StartGame(ctx context.Context, addr string, m wztext.StartGame) error {
	return c.do(ctx, addr, m)
}

// CloseGame takes the game of the caller off the list.
func (c *TextClient) CloseGame(ctx context.Context, addr string, m wztext.CloseGame) error {
	return c.do(ctx, addr, m)
}

// do sends what is answered by Done.
func (c *TextClient) do(ctx context.Context, addr string, m wztext.Request) error {
	request, err := m.MarshalBinary()
	if err != nil {
		return err
	}
	return c.asker().ask(ctx, addr, request, c.answers().readDone)
}

func (c *TextClient) asker() asker {
	return asker{timeout: c.Timeout, dial: c.Dial, maxFrame: c.maxLine()}
}

func (c *TextClient) maxLine() int { return cmp.Or(c.Options.MaxLine, wztext.MaxLine) }

func (c *TextClient) answers() *answers {
	return &answers{
		next: func(b []byte) (frame, rest []byte, err error) { return wztext.NextFrame(b, c.maxLine()) },
		failure: func(frame []byte) (string, error) {
			m, err := c.Options.ParseError(frame)
			return m.Text, err
		},
		count: func(frame []byte) (uint32, error) {
			m, err := c.Options.ParseCount(frame)
			return m.Games, err
		},
		done: func(frame []byte) error {
			_, err := c.Options.ParseDone(frame)
			return err
		},
	}
}
