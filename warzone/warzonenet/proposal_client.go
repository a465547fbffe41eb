package warzonenet

import (
	"context"
	"net"
	"slices"
	"time"

	"github.com/lobbywire/lobbywire/internal/listcache"
	"github.com/lobbywire/lobbywire/internal/stream"
	"github.com/lobbywire/lobbywire/warzone/wzproposal"
)

// A ProposalClient fetches the lists of lobbies of the text or the binary
// proposal, and opens games there. Its zero value is ready. It makes a
// connection for each request, and may be used by several goroutines at once;
// fields must not change while it is used.
//
// A game is listed at the address of its host's connection. A host with both
// IPv4 and IPv6 addresses should choose one by a Dial that uses "tcp4" or
// "tcp6" instead of "tcp"; otherwise it may be unable to close a game that it
// has opened.
//
// Errors are a [*LobbyError] if the lobby refuses, [lobbywire.ErrTimeout],
// [io.ErrUnexpectedEOF] if the lobby closes the connection too early, and
// errors of the codec and the network.
type ProposalClient struct {
	// Encoding is the encoding that the lobbies use.
	Encoding wzproposal.Encoding

	// Timeout limits the time to connect, and each pause within an answer; 0
	// means 5 s. A whole request takes at most 10 times that.
	Timeout time.Duration

	// ListEvery is the minimum time between two requests to a lobby for its
	// list. Until then, List returns the last result. 0 means 2 s; a negative
	// value disables caching.
	ListEvery time.Duration

	// Options are the options for decoding answers. They limit the size of a
	// list. Options.Encoding is ignored.
	Options wzproposal.Options

	// Dial connects to lobbies; nil means plain TCP.
	Dial func(ctx context.Context, network, addr string) (net.Conn, error)

	lists listcache.Cache[ProposalListing] // by lobby
}

// A ProposalListing is a lobby's list.
type ProposalListing struct {
	// Games are in the order of the wire. Texts are as the lobby sent them, so
	// quote them before showing them.
	Games []wzproposal.Game

	RTT time.Duration // from the request to the first bytes of the answer
}

// List fetches the games of the lobby at addr, host:port. An empty list is not
// an error.
//
// Requests are limited as in [Client.List]. Each caller gets its own copy of
// the listing.
func (c *ProposalClient) List(ctx context.Context, addr string) (ProposalListing, error) {
	l, err := c.lists.Get(ctx, addr, "", c.ListEvery, func(ctx context.Context) (ProposalListing, error) {
		return c.fetch(ctx, addr)
	})
	l.Games = slices.Clone(l.Games)
	return l, err
}

func (c *ProposalClient) fetch(ctx context.Context, addr string) (l ProposalListing, err error) {
	request, err := c.Encoding.Append(nil, wzproposal.List{})
	if err != nil {
		return l, err
	}
	l.RTT, err = c.requester().do(ctx, addr, request, func(conn *stream.Conn) (err error) {
		l.Games, err = c.readGames(conn)
		return err
	})
	if err != nil {
		return ProposalListing{}, err
	}
	return l, nil
}

// OpenGame adds the caller's game to the list of a lobby, or lists it again.
func (c *ProposalClient) OpenGame(ctx context.Context, addr string, m wzproposal.OpenGame) error {
	return c.do(ctx, addr, m)
}

// StartGame reports that the caller's game is being played.
func (c *ProposalClient) StartGame(ctx context.Context, addr string, m wzproposal.StartGame) error {
	return c.do(ctx, addr, m)
}

// CloseGame removes the caller's game from the list.
func (c *ProposalClient) CloseGame(ctx context.Context, addr string, m wzproposal.CloseGame) error {
	return c.do(ctx, addr, m)
}

// do sends a request whose answer is Done.
func (c *ProposalClient) do(ctx context.Context, addr string, m wzproposal.Request) error {
	request, err := c.Encoding.Append(nil, m)
	if err != nil {
		return err
	}
	_, err = c.requester().do(ctx, addr, request, func(conn *stream.Conn) error {
		frame, err := read(conn, c.framer())
		if err != nil {
			return err
		}
		if _, err := c.options().ParseDone(frame); err != nil {
			return errNoAnswer
		}
		return nil
	})
	return err
}

func (c *ProposalClient) options() wzproposal.Options {
	o := c.Options
	o.Encoding = c.Encoding
	return o
}

func (c *ProposalClient) framer() *wzproposal.Framer {
	return &wzproposal.Framer{Options: c.options()}
}

func (c *ProposalClient) requester() requester {
	maxFrame := positiveOr(c.Options.MaxLine, wzproposal.MaxLine)
	if c.Encoding == wzproposal.Binary {
		maxFrame = wzproposal.MaxFrame
	}
	return requester{timeout: c.Timeout, dial: c.Dial, maxFrame: maxFrame}
}

// read reads a line or frame that is not an Error.
func read(conn *stream.Conn, f *wzproposal.Framer) (frame []byte, err error) {
	if frame, err = stream.Next(conn, f.Next); err != nil {
		return nil, err
	}
	if m, err := f.Options.ParseError(frame); err == nil {
		return nil, &LobbyError{m.Text}
	}
	return frame, nil
}

// readGames reads a list game by game.
func (c *ProposalClient) readGames(conn *stream.Conn) ([]wzproposal.Game, error) {
	f := c.framer()
	o := f.Options
	frame, err := read(conn, f)
	if err != nil {
		return nil, err
	}
	count, err := o.ParseCount(frame)
	if err != nil {
		return nil, err
	}
	var games []wzproposal.Game
	for range count.Games {
		if frame, err = stream.Next(conn, f.Next); err != nil {
			return nil, err
		}
		g, err := o.ParseGame(frame)
		if err != nil {
			return nil, err
		}
		games = append(games, g)
	}
	return games, nil
}
