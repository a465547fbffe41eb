package warzonenet

import (
	"context"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/lobbywire/lobbywire/internal/lifecycle"
	"github.com/lobbywire/lobbywire/internal/stream"
)

// Times of a ProposalHost or JSONHost.
const (
	changeEvery = time.Second // minimum
	leaveTime   = 5 * time.Second
)

// An announcer keeps a game listed by announcing it repeatedly, for a
// ProposalHost or a JSONHost.
type announcer struct {
	isSet  atomic.Bool      // there is something to announce
	news   lifecycle.Signal // there is something new to announce
	runner lifecycle.Runner
	stats  hostCounters
}

// set records that there is something new to announce.
func (a *announcer) set() {
	a.isSet.Store(true)
	a.news.Send()
}

// announcements has the functions with which an announcer sends to a lobby.
type announcements struct {
	addr      string
	dial      stream.DialFunc // of the host; nil means plain TCP
	every     time.Duration
	announce  func(ctx context.Context) error // sends the current description of the game
	leave     func(ctx context.Context) error // closes the game
	announced func(err error)                 // receives each result; may be nil
	logger    *slog.Logger
}

// run announces until ctx is done or the announcer is closed, then leaves.
func (a *announcer) run(ctx context.Context, to announcements) error {
	return a.runner.Run(ctx, func(ctx context.Context) error {
		if err := checkHost(a.isSet.Load(), to.addr, to.dial); err != nil {
			return err
		}
		backoff := stream.Backoff{Min: minRetry, Max: maxRetry}
		for ctx.Err() == nil {
			select {
			case <-a.news.C(): // announce all changes so far
			default:
			}
			err := to.announce(ctx)
			if ctx.Err() != nil {
				break
			}
			a.stats.connects.Add(1)
			if to.announced != nil {
				to.announced(err)
			}
			if err != nil {
				a.stats.failures.Add(1)
				to.warn(ctx, "game not announced", err)
				await(ctx, backoff.Next(), nil)
				continue
			}
			a.stats.sent.Add(1)
			backoff.Reset()
			await(ctx, changeEvery, nil)
			await(ctx, to.every-changeEvery, a.news.C())
		}
		leaving, cancel := context.WithTimeout(context.WithoutCancel(ctx), leaveTime)
		defer cancel()
		if err := to.leave(leaving); err != nil {
			to.warn(ctx, "game not closed", err)
		}
		return context.Cause(ctx)
	})
}

func (to *announcements) warn(ctx context.Context, message string, err error) {
	if to.logger != nil {
		to.logger.LogAttrs(ctx, slog.LevelWarn, message, slog.String("lobby", to.addr), slog.Any("error", err))
	}
}

// await waits for d, wake or the end of ctx.
func await(ctx context.Context, d time.Duration, wake <-chan struct{}) {
	select {
	case <-time.After(d):
	case <-wake:
	case <-ctx.Done():
	}
}
