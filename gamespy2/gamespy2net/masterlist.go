package gamespy2net

import (
	"context"
	"log/slog"
	"net"
	"sync/atomic"

	"github.com/lobbywire/lobbywire/gamespy2/sb2"
	"github.com/lobbywire/lobbywire/internal/limit"
	"github.com/lobbywire/lobbywire/internal/stream"
)

// masterLists is the part of a Master that serves lists.
type masterLists struct {
	loop    stream.Server
	limiter limit.Limiter
	slots   chan struct{} // limits the lists that are filtered at the same time

	maxSubscribers int64
	subscribers    atomic.Int64

	lists, refused, pushed, rules, messages atomic.Uint64

	lastID  atomic.Uint32 // of a forwarded message
	unacked unacked
}

// ServeLists serves the lists of Games to clients that connect to l, usually at port
// [sb2.Port], until Shutdown or Close. It closes l. The Master gets the servers from
// Serve or from a Store. The error is never nil; it is [lobbywire.ErrClosed] after
// Shutdown and Close.
//
// A client gets the servers that meet its filter. A server has the requested fields if
// the client requests them for all servers, or if clients may not be able to query the
// server, because it uses NAT negotiation or requires a challenge. After the list the client may request
// all keys of a server, or send a message to one. A client that requests changes gets
// them at most once a second. Searches for players find none. Requests for the maps of a
// server get no answer, because servers do not report them.
//
// A list may be cached for up to 20 times the time it takes to encode, which is a
// fraction of a second for 10 000 servers.
func (m *Master) ServeLists(l net.Listener) error {
	m.start()
	return m.lists.loop.Serve(l)
}

// serveClient handles the messages of a connection until it ends.
func (m *Master) serveClient(ctx context.Context, c *stream.Conn) {
	ctx, cancel := context.WithCancel(ctx)
	b := browser{Master: m, conn: c}
	defer func() {
		cancel()
		c.Close()
		b.pushing.Wait()
	}()
	next := func(b []byte) (frame, rest []byte, err error) { return sb2.NextFrame(b, sb2.MaxRequest) }
	for {
		frame, err := stream.Next(c, next)
		if err == nil {
			err = b.receive(ctx, frame)
		}
		if err != nil {
			if m.Logger != nil {
				m.Logger.LogAttrs(ctx, slog.LevelDebug, "connection of a client ended",
					slog.String("peer", c.Remote().String()), slog.Any("error", err))
			}
			return
		}
	}
}
