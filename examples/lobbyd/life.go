package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/coreos/go-systemd/v22/daemon"

	"github.com/lobbywire/lobbywire/examples/internal/admission"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/ban"
)

// A life holds what all parts of lobbyd share from its start to its end: the configuration, the
// log, the phase, and the served sockets.
type life struct {
	config  config // as it was at the start
	log     *slog.Logger
	level   slog.LevelVar
	started time.Time
	ready   readiness

	warnings  admission.Warnings
	inherited map[string][]*os.File // sockets and kept connections, by name
	serving   sync.WaitGroup
	failed    chan error // errors of servers that stop by themselves
}

func newLife(c config, logs io.Writer) *life {
	l := &life{config: c, started: time.Now(), failed: make(chan error, 1)}
	l.level.Set(c.Log)
	l.log = slog.New(slog.NewJSONHandler(logs, &slog.HandlerOptions{Level: &l.level}))
	l.warnings.Logger = l.log
	return l
}

// A phase is a phase in the life of lobbyd.
type phase int32

const (
	starting phase = iota
	ready
	draining // still serves, but /readyz fails
	stopping
)

func (p phase) String() string {
	return [...]string{"starting", "ready", "draining", "stopping"}[p]
}

// A readiness reports to balancers whether new clients should be sent here.
type readiness struct{ phase atomic.Int32 }

func (r *readiness) get() phase  { return phase(r.phase.Load()) }
func (r *readiness) set(p phase) { r.phase.Store(int32(p)) }

// move changes from one phase to another, if the former is the current one.
func (r *readiness) move(from, to phase) bool { return r.phase.CompareAndSwap(int32(from), int32(to)) }

func (l *life) becomeReady() {
	if l.ready.move(starting, ready) {
		l.log.Info("ready")
	}
}

// drain keeps serving for a while, so that load balancers notice and send no more
// clients.
func (l *life) drain() {
	l.ready.set(stopping)
	notify(l.log, daemon.SdNotifyStopping)
	if l.config.Drain > 0 {
		l.log.Info("draining", "time", time.Duration(l.config.Drain).String())
		<-time.After(time.Duration(l.config.Drain))
	}
}

// open opens the sockets of servers, and protects them from banned addresses.
func (l *life) open(ctx context.Context, servers []*server, gate *ban.Gate) error {
	for _, s := range servers {
		err := s.open(ctx, l.inherited[s.name])
		switch {
		case err != nil && s.optional:
			l.log.Warn("not listening", "server", s.name, "error", err)
		case err != nil:
			return err
		}
		delete(l.inherited, s.name)
		for i := range s.sockets {
			at := &s.sockets[i]
			if err := at.guard(gate, &l.warnings); err != nil {
				l.log.Warn("not all bans hold for datagrams", "server", s.name, "error", err)
			}
			l.log.Info("listening", "server", s.name, "network", at.addr().Network(), "address", at.addr().String())
		}
	}
	return nil
}

// serve serves all sockets of servers.
func (l *life) serve(servers []*server) {
	for _, s := range servers {
		for _, at := range s.sockets {
			l.serving.Go(func() {
				err := s.serve(at)
				if l.ready.get() == stopping {
					return
				}
				select {
				case l.failed <- fmt.Errorf("%s: %w", s.name, err):
				default: // one error is enough
				}
			})
		}
	}
}

// shutdown shuts down several servers at the same time.
func (l *life) shutdown(ctx context.Context, servers []*server) {
	var ended sync.WaitGroup
	for _, s := range servers {
		ended.Go(func() {
			switch err := s.shutdown(ctx); {
			case errors.Is(err, context.DeadlineExceeded):
				l.log.Warn("connections were closed at the end of the grace period", "server", s.name)
			case err != nil:
				l.log.Warn("shutdown failed", "server", s.name, "error", err)
			}
			for _, at := range s.sockets {
				at.close() // it was never served
			}
		})
	}
	ended.Wait()
}

// logUnread warns about a file of the data directory that cannot be read. kept is its new path, or
// "".
func (l *life) logUnread(msg, path, kept string, err error) {
	log := l.log.With("path", path, "error", err)
	if kept != "" {
		log = log.With("kept", kept)
	}
	log.Warn(msg)
}
