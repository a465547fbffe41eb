package warzonenet

import (
	"context"
	"net"
	"slices"
	"time"

	"github.com/lobbywire/lobbywire/internal/listcache"
	"github.com/lobbywire/lobbywire/internal/stream"
	"github.com/lobbywire/lobbywire/warzone/wzbin"
)

// A BinaryClient asks lobbies of the binary proposal for their games, and opens
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
type BinaryClient struct {
	// Timeout is how long connecting, and each silence before the end of an
	// answer, may take; 0 means 5 s. All of a request takes 10 times that at
	// most.
	Timeout time.Duration

	// ListEvery is how often a lobby is asked for its list: meanwhile List
	// returns what it returned before. 0 means 2 s; it is always if negative.
	ListEvery time.Duration

	// Options are for reading answers, and limit what a List takes.
	Options wzbin.Options

	// Dial connects to lobbies; nil means as the system does.
	Dial func(ctx context.Context, network, addr string) (net.Conn, error)

	lists listcache.Cache[[]wzbin.Game] // by lobby
}

// List asks the lobby at addr, host:port, for its games. An empty list is no
// error. Texts are as the lobby sent them, so they need care before they are
// shown.
//
// A lobby is asked again only after ListEvery, and more seldom while it fails, as
// by [Client.List]. The slice is each caller's own.
func (c *BinaryClient) List(ctx context.Context, addr string) ([]wzbin.Game, error) {
	games, err := c.lists.Get(ctx, addr, c.ListEvery, func(ctx context.Context) ([]wzbin.Game, error) {
		return c.fetch(ctx, addr)
	})
	return slices.Clone(games), err
}

func (c *BinaryClient) fetch(ctx context.Context, addr string) (games []wzbin.Game, err error) {
	err = c.asker().ask(ctx, addr, encoded(wzbin.List{}), func(conn *stream.Conn) (err error) {
		games, err = readGames(c.answers(), conn, c.Options.ParseGame)
		return err
	})
	return games, err
}

// OpenGame lists the game of the caller at a lobby, or lists it again.
func (c *BinaryClient) OpenGame(ctx context.Context, addr string, m wzbin.OpenGame) error {
	return c.do(ctx, addr, m)
}

// StartGame says that the game of the caller is being played.
func (c *BinaryClient) StartGame(ctx context.Context, addr string, m wzbin.StartGame) error {
	return c.do(ctx, addr, m)
}

// CloseGame takes the game of the caller off the list.
func (c *BinaryClient) CloseGame(ctx context.Context, addr string, m wzbin.CloseGame) error {
	return c.do(ctx, addr, m)
}

// do sends what is answered by Done.
func (c *BinaryClient) do(ctx context.Context, addr string, m wzbin.Request) error {
	request, err := m.MarshalBinary()
	if err != nil {
		return err
	}
	return c.asker().ask(ctx, addr, request, c.answers().readDone)
}

func (c *BinaryClient) asker() asker {
	return asker{timeout: c.Timeout, dial: c.Dial, maxFrame: wzbin.MaxFrame}
}

func (c *BinaryClient) answers() *answers {
	return &answers{
		next: wzbin.NextFrame,
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
