package warzonenet

import (
	"context"
	"log/slog"
	"time"

	"github.com/lobbywire/lobbywire/internal/stream"
)

// Times of a ProposalHost or JSONHost.
const (
	changeEvery = time.Second // minimum
	leaveTime   = 5 * time.Second
)

// announcements is how a ProposalHost or a JSONHost sends to its lobby.
type announcements[G any] struct {
	addr      string
	dial      stream.DialFunc // of the host; nil means plain TCP
	every     time.Duration
	announce  func(ctx context.Context, game G, isNew bool) error // isNew means that the game has changed since the last success
	leave     func(ctx context.Context) error                     // closes the game
	announced func(err error)                                     // receives each result; may be nil
	logger    *slog.Logger
}

// keepListed announces repeatedly until ctx is done or the announcer is closed, then leaves.
func (a *announcer[G]) keepListed(ctx context.Context, to announcements[G]) error {
	return a.runner.Run(ctx, func(ctx context.Context) error {
		if err := a.check(to.addr, to.dial); err != nil {
			return err
		}
		backoff := stream.Backoff{Min: minRetry, Max: maxRetry, Steady: never}
		var sent uint64
		cause := backoff.Keep(ctx, func(ctx context.Context) error {
			select {
			case <-a.news.C(): // announce all changes so far
			default:
			}
			game, version := a.current()
			err := to.announce(ctx, game, version != sent)
			if ctx.Err() != nil {
				return err
			}
			a.count(&a.stats.Connects)
			if to.announced != nil {
				to.announced(err)
			}
			if err != nil {
				return err
			}
			a.count(&a.stats.Sent)
			sent = version
			await(ctx, changeEvery, nil)
			await(ctx, to.every-changeEvery, a.news.C())
			return nil
		}, func(err error, _ time.Duration) {
			a.count(&a.stats.Failures)
			to.warn(ctx, "game not announced", err)
		})
		leaving, cancel := context.WithTimeout(context.WithoutCancel(ctx), leaveTime)
		defer cancel()
		if err := to.leave(leaving); err != nil && !isRefusal(err) { // a refusal means that the game is not listed
			to.warn(ctx, "game not closed", err)
		}
		return cause
	})
}

func (to *announcements[G]) warn(ctx context.Context, message string, err error) {
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
