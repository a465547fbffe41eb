// Package registration has what the registrations at masters over UDP share.
package registration

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/netip"
	"sync/atomic"
	"time"

	"github.com/lobbywire/lobbywire/internal/lifecycle"
)

// A Task makes the datagrams for a master.
type Task interface {
	Tick(now time.Time, dst []byte) []byte // appends the datagram to send now, if there is one
	Next() time.Time                       // when Tick may have another
	Leave(dst []byte) []byte               // appends the last datagram, if there is one
}

// A Runner runs a Task: it finds the master and sends it the datagrams, from the socket
// of the server. Its zero value is ready.
type Runner struct {
	Changed lifecycle.Signal // must be sent when Next has changed

	runner lifecycle.Runner
	failed atomic.Uint64
}

// Settings are the parameters of Run.
type Settings struct {
	Addr   string // of the master, host:port
	Conn   net.PacketConn
	Logger *slog.Logger                // nil is silent
	Begin  func(master netip.AddrPort) // is called before the first Tick
}

// Run sends the datagrams of a Task until ctx is done, the server or the Runner ends, or
// the socket is closed, and then that of Leave. The error is the cause of ctx, an error of
// the socket or of Addr, or [lobbywire.ErrClosed].
func (r *Runner) Run(ctx context.Context, server *lifecycle.Server, t Task, s Settings) error {
	return r.runner.Run(ctx, func(ctx context.Context) error {
		return server.Run(ctx, func(ctx context.Context) error {
			master, err := resolve(ctx, s.Addr, func(err error) { s.debug(ctx, "the master was not found", err) })
			if err != nil {
				return err
			}
			s.Begin(master)
			return r.send(ctx, master, t, s)
		})
	})
}

// Close ends Run and returns when it has returned.
func (r *Runner) Close() error { return r.runner.Close() }

// Failed returns how many datagrams the system has refused to send.
func (r *Runner) Failed() uint64 { return r.failed.Load() }

func (s Settings) debug(ctx context.Context, msg string, err error) {
	if s.Logger != nil {
		s.Logger.LogAttrs(ctx, slog.LevelDebug, msg, slog.String("master", s.Addr), slog.Any("error", err))
	}
}

// send sends the datagrams of t to a master until ctx is done or the socket is closed.
func (r *Runner) send(ctx context.Context, master netip.AddrPort, t Task, s Settings) error {
	to := net.UDPAddrFromAddrPort(master)
	send := func(b []byte) error {
		_, err := s.Conn.WriteTo(b, to)
		if err != nil {
			r.failed.Add(1)
			s.debug(ctx, "sending to the master failed", err)
		}
		return err
	}
	var b []byte
	defer func() {
		b = t.Leave(b[:0])
		if len(b) > 0 {
			_ = send(b)
		}
	}()
	for {
		for b = t.Tick(time.Now(), b[:0]); len(b) > 0; b = t.Tick(time.Now(), b[:0]) {
			if err := send(b); errors.Is(err, net.ErrClosed) {
				return err
			}
		}
		select {
		case <-time.After(time.Until(t.Next())):
		case <-r.Changed.C():
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}
