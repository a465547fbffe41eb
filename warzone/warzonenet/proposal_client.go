package warzonenet

import (
	"cmp"
	"context"
	"errors"
	"net"
	"slices"
	"strconv"
	"time"

	"github.com/lobbywire/lobbywire/internal/listcache"
	"github.com/lobbywire/lobbywire/internal/stream"
	"github.com/lobbywire/lobbywire/warzone/internal/refusal"
	"github.com/lobbywire/lobbywire/warzone/internal/request"
	"github.com/lobbywire/lobbywire/warzone/wzproposal"
)

// A ProposalClient fetches the lists of lobbies of the text or the binary proposal, and
// opens games there. It is used like a [Client], and makes a connection for each request.
//
// A game is listed at the address of its host's connection. A host with addresses of both
// families needs a Dial that uses "tcp4" or "tcp6" instead of "tcp"; otherwise it may be
// unable to close a game that it has opened.
//
// The error is a [*LobbyError] if the lobby refuses, or one of those of [Client.List].
type ProposalClient struct {
	// Encoding is the encoding that the lobbies use.
	Encoding wzproposal.Encoding

	// Timeout, ListEvery and Dial are as in a [Client].
	Timeout   time.Duration
	ListEvery time.Duration
	Dial      func(ctx context.Context, network, addr string) (net.Conn, error)

	// Options are the options for decoding answers. They limit the size of a
	// list. Options.Encoding is ignored.
	Options wzproposal.Options

	lists listcache.Cache[ProposalListing] // by lobby
}

// A ProposalListing is a lobby's list.
type ProposalListing struct {
	// Games are in the order of the wire. Texts are as the lobby sent them, so
	// quote them before showing them.
	Games []wzproposal.Game

	RTT time.Duration // from the request to the first bytes of the answer
}

// List fetches the games of the lobby at addr, host:port. Requests are limited as in
// [Client.List].
func (c *ProposalClient) List(ctx context.Context, addr string) (ProposalListing, error) {
	l, err := c.lists.Get(ctx, addr, "", c.ListEvery, func(ctx context.Context) (ProposalListing, error) {
		return c.fetch(ctx, addr)
	})
	l.Games = slices.Clone(l.Games)
	return l, err
}

func (c *ProposalClient) fetch(ctx context.Context, addr string) (l ProposalListing, err error) {
	l.RTT, err = c.ask(ctx, addr, wzproposal.List{}, func(o wzproposal.Options, frame []byte, next func() ([]byte, error)) error {
		count, err := o.ParseCount(frame)
		for range count.Games {
			if frame, err = next(); err != nil {
				return err
			}
			g, err := o.ParseGame(frame)
			if err != nil {
				return err
			}
			l.Games = append(l.Games, g)
		}
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
	_, err := c.ask(ctx, addr, m, func(o wzproposal.Options, frame []byte, _ func() ([]byte, error)) error {
		if _, err := o.ParseDone(frame); err != nil {
			return errNoAnswer
		}
		return nil
	})
	return err
}

// ask sends a request, and calls take with the first line or frame of the answer and a
// function that reads the next one. If the first is an Error, ask returns that.
func (c *ProposalClient) ask(ctx context.Context, addr string, m wzproposal.Request, take func(o wzproposal.Options, frame []byte, next func() ([]byte, error)) error) (rtt time.Duration, err error) {
	asked, err := c.Encoding.Append(nil, m)
	if err != nil {
		return 0, err
	}
	r := request.Settings{Timeout: c.Timeout, Dial: c.Dial, MaxFrame: cmp.Or(max(c.Options.MaxLine, 0), wzproposal.MaxLine)}
	if c.Encoding == wzproposal.Binary {
		r.MaxFrame = wzproposal.MaxFrame
	}
	f := wzproposal.Framer{Options: c.Options}
	f.Options.Encoding = c.Encoding
	return r.Do(ctx, addr, asked, func(conn *stream.Conn) error {
		next := func() ([]byte, error) { return stream.Next(conn, f.Next) }
		frame, err := next()
		if err != nil {
			return err
		}
		if refused, err := f.Options.ParseError(frame); err == nil {
			return &LobbyError{refused.Text}
		}
		return take(f.Options, frame, next)
	})
}

// A LobbyError is the answer of a lobby that refuses a request.
type LobbyError struct {
	Text string // for people; it can be any text, so quote it before showing it
}

// Error returns the start of the text in Go's quotes.
func (e *LobbyError) Error() string {
	if e.Text == "" {
		return "warzonenet: the lobby refuses"
	}
	return "warzonenet: the lobby refuses: " + strconv.Quote(refusal.Shown(e.Text, refusal.MaxText))
}

// isRefusal reports whether a lobby has refused a request.
func isRefusal(err error) bool {
	_, ok := errors.AsType[*LobbyError](err)
	return ok
}

// errNoAnswer means that a lobby sent a valid answer that does not fit the
// request.
var errNoAnswer = errors.New("warzonenet: the lobby answers something else")
