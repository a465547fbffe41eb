package bombermannet

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net"
	"slices"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/bomberman"
	"github.com/lobbywire/lobbywire/internal/listcache"
	"github.com/lobbywire/lobbywire/internal/stream"
)

// maxList is the size of the largest list, in bytes, that a Client accepts:
// about 7000 game servers. It is 16 times the size that receivers must accept,
// because other management servers may send longer lists. The limit is ours.
const maxList = 1 << 20

// A Client fetches the lists of management servers. Its zero value is ready. It
// holds no connection between calls, and may be used by several goroutines at
// once; fields must not change while it is used.
type Client struct {
	// Timeout limits the time to connect and receive the list; 0 means 5 s.
	Timeout time.Duration

	// ListEvery is the minimum time between two requests to a management server.
	// Until then, List returns its last result. After failures there is a
	// back-off of up to about a minute. 0 means 2 s; a negative value disables
	// both, but concurrent calls still share one request.
	ListEvery time.Duration

	// Dial connects, for example over TLS; nil means [net.Dialer.DialContext].
	Dial func(ctx context.Context, network, addr string) (net.Conn, error)

	lists listcache.Cache[Listing]
}

// A Listing is the list of a management server.
type Listing struct {
	// Servers are the game servers, in no particular order. They are unchecked,
	// so they may contain any text and any number: see [bomberman.Server.Check].
	Servers []bomberman.Server

	Skipped int // entries that are left out because they cannot be read

	// Partial reports that the list may lack game servers, because another entry might not
	// have fit in the [bomberman.MaxPayload] bytes that clients must accept.
	Partial bool

	RTT time.Duration // from the request to the end of the list
}

// List fetches the game servers of the management server at addr, host:port. An
// empty list is not an error.
//
// Concurrent calls share one request, and later calls return its result until ListEvery has
// passed. Each caller gets its own copy of the listing. Other messages of the management
// server are ignored. The error is a network error, [lobbywire.ErrTimeout],
// [io.ErrUnexpectedEOF] if the connection ends before the answer, or
// [lobbywire.ErrUnreadable] with an error of [bomberman.NextFrame] or
// [bomberman.ParseQueryGameServersResponse], or the error of another message if only others
// arrived. If no entry of a list can be read, it is the error of the first entry. A list of
// more than 1 MiB fails with [lobbywire.ErrTooLarge], because a part of a JSON message is
// of no use.
func (c *Client) List(ctx context.Context, addr string) (Listing, error) {
	l, err := c.lists.Get(ctx, addr, "", c.ListEvery, func(ctx context.Context) (Listing, error) {
		return c.fetch(ctx, addr)
	})
	l.Servers = slices.Clone(l.Servers)
	for i := range l.Servers {
		s := &l.Servers[i]
		s.Extra, s.Players.Extra = cloneExtra(s.Extra), cloneExtra(s.Players.Extra)
	}
	return l, err
}

func cloneExtra(m map[string]json.RawMessage) map[string]json.RawMessage {
	m = maps.Clone(m)
	for k, v := range m {
		m[k] = bytes.Clone(v)
	}
	return m
}

func (c *Client) fetch(ctx context.Context, addr string) (l Listing, err error) {
	limit := cmp.Or(c.Timeout, 5*time.Second)
	ctx, cancel := context.WithTimeoutCause(ctx, limit, lobbywire.ErrTimeout)
	defer cancel()
	conn, err := stream.Dial(ctx, c.Dial, addr, stream.Limits{
		First: limit, Frame: limit, Idle: limit, Write: limit,
		MaxFrame: bomberman.MaxFrame - bomberman.MaxPayload + maxList,
	})
	if err == nil {
		defer conn.Close()
		defer conn.EndWith(ctx)()
		l, err = query(conn)
		err = conn.Outcome(err)
	}
	if err != nil && ctx.Err() != nil && !errors.Is(err, lobbywire.ErrUnreadable) {
		err = context.Cause(ctx)
	}
	return l, stream.Outcome(err)
}

// query fetches the list over a connection.
func query(conn *stream.Conn) (Listing, error) {
	request, err := bomberman.AppendMessage(nil, bomberman.QueryGameServers{})
	if err != nil {
		return Listing{}, err
	}
	start := time.Now()
	if _, err := conn.Write(request); err != nil {
		return Listing{}, err
	}
	o := bomberman.Options{MaxPayload: maxList}
	f := framer{bomberman.Framer{Options: o}}
	var other error // of a message in place of the list
	for {
		payload, err := stream.Next(conn, f.next)
		switch {
		case other != nil && errors.Is(stream.Incomplete(err), lobbywire.ErrUnreadable):
			return Listing{}, fmt.Errorf("%w: %w", lobbywire.ErrUnreadable, other)
		case err != nil:
			return Listing{}, err
		}
		m, err := bomberman.PeekMessage(payload)
		switch m.(type) {
		case bomberman.QueryGameServersResponse:
			rtt := time.Since(start)
			l, err := parseList(o, payload)
			l.RTT = rtt
			return l, err
		case bomberman.Heartbeat:
		case nil:
			other = err
		default:
			other = errOther
		}
	}
}

// errOther is the error of a message in place of the list.
var errOther = errors.New("bombermannet: the message is not a list")

// parseList parses a list. The texts of a parsed message are substrings of one copy of
// it, which may be mostly white space, so the texts of the list are copied.
func parseList(o bomberman.Options, payload []byte) (Listing, error) {
	m, err := o.ParseQueryGameServersResponse(payload)
	if len(m.Servers) == 0 && m.Skipped > 0 {
		o.Strict = true // it fails at the first entry
		_, err = o.ParseQueryGameServersResponse(payload)
	}
	for i, s := range m.Servers {
		m.Servers[i] = compacted(s)
	}
	full := len(payload) <= bomberman.MaxPayload && len(payload) > bomberman.MaxPayload-maxEntry
	return Listing{Servers: m.Servers, Skipped: m.Skipped, Partial: full && err == nil}, err
}
