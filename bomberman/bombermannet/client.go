package bombermannet

import (
	"cmp"
	"context"
	"errors"
	"io"
	"net"
	"os"
	"slices"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/bomberman"
	"github.com/lobbywire/lobbywire/internal/listcache"
	"github.com/lobbywire/lobbywire/internal/stream"
)

// MaxList is how many bytes a list may have that a Client takes: 16 times what
// the protocol lets receivers refuse, so about 7000 game servers, because other
// management servers may send as many in one answer. It is our choice.
const MaxList = 1 << 20

// A Client asks management servers for their lists. Its zero value is ready. It
// holds no connection, and may be used by many goroutines at once; fields must
// not change then.
type Client struct {
	// Timeout is how long it may take to connect and to get the answer; 0 means
	// 5 s.
	Timeout time.Duration

	// ListEvery is how often a management server is asked: meanwhile List
	// returns what it returned before. One that fails is left alone for longer
	// each time, for about a minute at most. 0 means 2 s; if negative, it is
	// asked whenever it is not being asked.
	ListEvery time.Duration

	// Dial connects, over TLS as it may be; nil is the system's.
	Dial func(ctx context.Context, network, addr string) (net.Conn, error)

	lists listcache.Cache[Listing]
}

// A Listing is the list of a management server.
type Listing struct {
	// Servers are the game servers, in no order. They are as they were sent, so
	// any text and any number may be in them: see Check of [bomberman.Server].
	Servers []bomberman.Server

	RTT time.Duration // from the request to the whole answer
}

// List asks the management server at addr, host:port, for its game servers. An
// empty list is no error. A management server may list fewer than it has, if
// they do not fit in one message; nothing tells.
//
// All who ask at the same time share one answer, and what they get before it is
// time to ask again is that. The slice is each caller's own. What a management
// server sends besides the answer is passed over. Errors are those of the
// network, [lobbywire.ErrTimeout], [io.ErrUnexpectedEOF] if the connection ends before the
// answer, those of [bomberman.NextFrame] and of
// [bomberman.ParseQueryGameServersResponse].
func (c *Client) List(ctx context.Context, addr string) (Listing, error) {
	l, err := c.lists.Get(ctx, addr, c.ListEvery, func(ctx context.Context) (Listing, error) {
		return c.fetch(ctx, addr)
	})
	l.Servers = slices.Clone(l.Servers)
	return l, err
}

func (c *Client) fetch(ctx context.Context, addr string) (Listing, error) {
	limit := cmp.Or(c.Timeout, 5*time.Second)
	ctx, cancel := context.WithTimeoutCause(ctx, limit, lobbywire.ErrTimeout)
	defer cancel()
	conn, err := stream.Dial(ctx, c.Dial, addr, stream.Limits{
		First: limit, Frame: limit, Idle: limit, Write: limit,
		MaxFrame: bomberman.MaxFrame - bomberman.MaxPayload + MaxList,
	})
	if err != nil {
		return Listing{}, because(ctx, err)
	}
	defer conn.Close()
	defer conn.EndWith(ctx)()
	l, err := query(conn)
	return l, because(ctx, err)
}

// query asks over a connection.
func query(conn *stream.Conn) (Listing, error) {
	request, err := bomberman.AppendMessage(nil, bomberman.QueryGameServers{})
	if err != nil {
		return Listing{}, err
	}
	start := time.Now()
	if _, err := conn.Write(request); err != nil {
		return Listing{}, err
	}
	o := bomberman.Options{MaxPayload: MaxList}
	for {
		payload, err := stream.Next(conn, o.NextFrame)
		if err != nil {
			return Listing{}, err
		}
		command, err := bomberman.PeekCommand(payload)
		if err != nil || command != bomberman.CommandQueryGameServersResponse {
			continue
		}
		rtt := time.Since(start)
		m, err := o.ParseQueryGameServersResponse(payload)
		return Listing{Servers: m.Servers, RTT: rtt}, err
	}
}

// because returns the cause of ctx for an error that comes from its end.
func because(ctx context.Context, err error) error {
	switch {
	case err == nil:
	case errors.Is(err, os.ErrDeadlineExceeded), errors.Is(err, context.DeadlineExceeded):
		return lobbywire.ErrTimeout
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.Is(err, io.EOF):
		return io.ErrUnexpectedEOF
	}
	return err
}
