package proposalnet

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"net"
	"os"
	"slices"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/listcache"
	"github.com/lobbywire/lobbywire/internal/stream"
	"github.com/lobbywire/lobbywire/warzone/wzjson"
	"github.com/lobbywire/lobbywire/warzone/wzproposal"
)

// A Client fetches the lists of lobbies. Its zero value is ready and speaks the text
// proposal. It may be used by several goroutines at once; fields must not change while it is
// used.
type Client struct {
	// Proposal is the proposal that the lobbies speak.
	Proposal Proposal

	// Timeout limits the time to connect, the wait for the answer and the answer. 0 means 5 s.
	Timeout time.Duration

	// ListEvery is the minimum interval between requests to a lobby; 0 means 2 s. A
	// negative value disables it.
	ListEvery time.Duration

	// Dial connects to the lobby, for example over TLS; nil means plain TCP.
	Dial func(ctx context.Context, network, addr string) (net.Conn, error)

	lists listcache.Cache[Listing] // by lobby and request
}

// A Listing is a lobby's list.
type Listing struct {
	// Games are in the order of the wire. Texts are unchanged, so quote them before showing
	// them.
	Games []Game

	Skipped int // games that are left out because they cannot be read

	// Partial reports that the list may contain more games: the connection ended or was
	// silent for too long before its end, bytes arrived after the announced number of
	// games, or it contains [wzproposal.MaxGames], the most that a list can.
	Partial bool

	RTT time.Duration // from the request to the end of the list
}

// Views returns the games in the common form.
func (l Listing) Views() []lobbywire.View {
	views := make([]lobbywire.View, len(l.Games))
	for i, g := range l.Games {
		views[i] = g.View()
	}
	return views
}

// List fetches the games of the lobby at addr, host:port. An empty list is not an error.
// With a filter, it fetches the games that match at least one element; only the JSON
// proposal has filters, and other requests with one fail with [lobbywire.ErrUnsupported].
//
// List sends a lobby a request at most every ListEvery; for another filter it waits until
// then. After failures there is a back-off that doubles up to 60 s, with a random jitter of
// a quarter. Until then, calls return the last result or error. Concurrent calls share one
// request. Each caller gets its own copy of the Listing.
//
// The error is [lobbywire.ErrTimeout], [io.ErrUnexpectedEOF] if the lobby closed the
// connection too early, a [*LobbyError] if it refuses, or an error of the codec or the
// network. An answer that is longer than its proposal allows fails with
// [lobbywire.ErrTooLarge], because it is one message.
func (c *Client) List(ctx context.Context, addr string, filter ...wzjson.Fields) (Listing, error) {
	list := command{verb: verbList, filter: filter}
	b, err := c.Proposal.dialect().appendCommand(nil, list)
	if err != nil {
		return Listing{}, err
	}
	l, err := c.lists.Get(ctx, addr, string(b), c.ListEvery, func(ctx context.Context) (Listing, error) {
		a, rtt, err := c.send(ctx, addr, list)
		return Listing{a.games, a.skipped, a.partial, rtt}, err
	})
	l.Games = slices.Clone(l.Games)
	for i := range l.Games {
		l.Games[i].Extra = cloneExtra(l.Games[i].Extra)
	}
	return l, err
}

// cloneExtra returns a copy that shares no memory.
func cloneExtra(extra map[string]json.RawMessage) map[string]json.RawMessage {
	extra = maps.Clone(extra)
	for name, value := range extra {
		extra[name] = bytes.Clone(value)
	}
	return extra
}

// ListViews is [Client.List] without a filter, with a result in the same form for all
// protocols; see [lobbywire.Lister]. Its Protocol is wztext, wzbinary or wzjson, and each
// Entry is a [Game].
func (c *Client) ListViews(ctx context.Context, addr string) lobbywire.ListResult {
	l, err := c.List(ctx, addr)
	r := lobbywire.ListResult{Protocol: "wz" + c.Proposal.String(), Master: addr,
		Skipped: l.Skipped, Partial: l.Partial, RTT: l.RTT, Err: err}
	for _, g := range l.Games {
		r.Servers = append(r.Servers, lobbywire.Listed{View: g.View(), Entry: g})
	}
	return r
}

// silence is the time to wait for an answer that lobbies need not send.
const silence = time.Second

// send sends a command on a connection of its own. An optional answer is empty if the lobby
// closes the connection or is silent.
func (c *Client) send(ctx context.Context, addr string, m command) (a answer, rtt time.Duration, err error) {
	d := c.Proposal.dialect()
	b, err := d.appendCommand(nil, m)
	if err != nil {
		return a, 0, err
	}
	mayBeSilent := d.facts().mayBeSilent && m.verb > verbOpen
	settings := stream.Requests{Timeout: c.Timeout, Dial: c.Dial, MaxFrame: d.facts().maxAnswer}
	if mayBeSilent {
		settings.First = silence
	}
	next := d.answers(m.verb)
	rtt, err = settings.Do(ctx, addr, b, func(conn *stream.Conn) (err error) {
		a, err = stream.Next(conn, next)
		if m.verb == verbList {
			return c.endOfList(conn, &a, err)
		}
		silent := err == io.EOF || errors.Is(err, os.ErrDeadlineExceeded) && len(conn.Rest()) == 0
		if silent && mayBeSilent {
			return nil
		}
		return err
	})
	return a, rtt, err
}

// endOfList completes the answer to a request for a list, which was read with an error or nil.
func (c *Client) endOfList(conn *stream.Conn, a *answer, err error) error {
	rest := conn.Rest()
	if err == nil {
		a.partial = len(bytes.TrimSpace(rest)) > 0 || len(a.games)+a.skipped == wzproposal.MaxGames
		return nil
	}
	if !errors.Is(stream.Incomplete(err), lobbywire.ErrTruncated) {
		return err
	}
	part := c.Proposal.dialect().part(rest)
	if len(part.games) == 0 {
		return err
	}
	*a = part
	a.partial = true
	return nil
}
