package warzonenet

import (
	"context"
	"errors"
	"io"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/lifecycle"
	"github.com/lobbywire/lobbywire/internal/stream"
	"github.com/lobbywire/lobbywire/warzone/internal/announce"
)

// Run keeps the game announced until ctx is done or Close is called. It connects
// again each time the connection ends. When it returns, the connection is closed,
// so lobbies remove the game. After ctx is done, Run can be called again.
//
// The error is never nil. It is the cause of ctx, [lobbywire.ErrClosed] after Close, or an
// error if Set was not called, Addr is not host:port, or another Run has not returned yet.
func (h *Host) Run(ctx context.Context) error { return h.announcer.Run(ctx, h.run) }

func (h *Host) run(ctx context.Context) error {
	if err := h.announcer.Check(h.Addr, h.Dial); err != nil {
		return err
	}
	h.past = history{}
	h.announcer.Stand(lobbywire.StandingStarting, nil, h.Changed)
	err := announce.Keep(ctx, h.Logger, h.Addr, func(ctx context.Context) error {
		return stream.Outcome(h.announce(ctx))
	}, h.lost)
	h.change(func(a *HostAnswer) { a.GameID = 0 })
	h.mu.Lock()
	h.lastID = 0
	h.mu.Unlock()
	h.announcer.Stand(lobbywire.StandingLeft, nil, h.Changed)
	return err
}

// lost records why a connection ended. A lobby that has refused the game may hang up.
func (h *Host) lost(err error) {
	h.counts.Add(&h.counts.Stats.Failures)
	h.change(func(a *HostAnswer) { a.GameID = 0 })
	if h.Status().Standing == lobbywire.StandingRefused && errors.Is(err, io.ErrUnexpectedEOF) {
		return
	}
	h.announcer.Stand(lifecycle.StandingAfter(err), err, h.Changed)
}
