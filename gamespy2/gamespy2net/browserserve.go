package gamespy2net

import (
	"context"
	"log/slog"
	"runtime"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gamespy2/sb2"
	"github.com/lobbywire/lobbywire/internal/stream"
	"github.com/lobbywire/lobbywire/internal/udp"
)

// start prepares connections. Messages to servers are sent over their socket.
func (l *listServer) start(socket *udp.Server) {
	l.conns.Handler = l.serveClient
	l.conns.Defaults = lobbywire.ConnLimits{
		First: 10 * time.Second, Frame: 10 * time.Second, Idle: 2 * time.Minute, Write: 10 * time.Second,
		MaxConns: 10_000, MaxPerAddress: 32, MaxPerPrefix: 128, MaxBuffered: 4 << 20,
	}
	l.conns.MaxFrame = sb2.MaxRequest
	l.conns.Logger = l.logger
	l.requests.Proves = socket.Proven
	l.slots = make(chan struct{}, max(1, runtime.GOMAXPROCS(0)/2))
	l.send = socket.Send
}

// serveClient handles the messages of a connection until it ends.
func (l *listServer) serveClient(ctx context.Context, c *stream.Conn) {
	ctx, cancel := context.WithCancel(ctx)
	b := browser{lists: l, conn: c}
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
			if l.logger != nil {
				l.logger.LogAttrs(ctx, slog.LevelDebug, "connection of a client ended",
					slog.String("peer", c.Remote().String()), slog.Any("error", err))
			}
			return
		}
	}
}

// receive handles a message. An error ends the connection.
func (b *browser) receive(ctx context.Context, frame []byte) error {
	m, err := sb2.ParseRequest(frame)
	if err != nil {
		return err
	}
	if _, ok := m.(sb2.Keepalive); ok {
		return nil
	}
	if !b.lists.requests.Allow(b.conn.Remote().Addr(), time.Now()) {
		return errTooMany
	}
	request, isFirst := m.(sb2.ListRequest)
	if isFirst != (b.game == nil) {
		return errOrder
	}
	switch m := m.(type) {
	case sb2.ListRequest:
		return b.list(ctx, request)
	case sb2.RulesRequest:
		return b.rules(m.Addr)
	case sb2.MessageRequest:
		b.message(m)
	case sb2.PlayerSearchRequest:
		return b.send(sb2.PlayerSearch{Final: true}) // ends the search of GameSpy's client
	}
	return nil
}
