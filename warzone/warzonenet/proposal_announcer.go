package warzonenet

import (
	"context"
	"log/slog"
	"time"

	"github.com/lobbywire/lobbywire/internal/stream"
	"github.com/lobbywire/lobbywire/warzone/internal/counts"
	"github.com/lobbywire/lobbywire/warzone/internal/hosting"
)

// changeEvery is the minimum time between two announcements.
const changeEvery = time.Second

// A proposalAnnouncer is what the hosts of the proposals have in common.
type proposalAnnouncer[G any] struct {
	counts    counts.Of[HostStats]
	announcer hosting.Announcer[G]
}

// Stats returns a snapshot.
func (a *proposalAnnouncer[G]) Stats() HostStats { return a.counts.Snapshot() }

// Close ends Run and waits until it has returned.
func (a *proposalAnnouncer[G]) Close() error { return a.announcer.Close() }

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
func (a *proposalAnnouncer[G]) keepListed(ctx context.Context, to announcements[G]) error {
	return a.announcer.Run(ctx, func(ctx context.Context) error {
		if err := a.announcer.Check(to.addr, to.dial); err != nil {
			return err
		}
		backoff := stream.Backoff{Min: hosting.MinRetry, Max: hosting.MaxRetry, Steady: never}
		var sent uint64
		cause := backoff.Keep(ctx, func(ctx context.Context) error {
			select {
			case <-a.announcer.News.C(): // announce all changes so far
			default:
			}
			game, version := a.announcer.Current()
			err := to.announce(ctx, game, version != sent)
			if ctx.Err() != nil {
				return err
			}
			a.counts.Add(&a.counts.Stats.Connects)
			if to.announced != nil {
				to.announced(err)
			}
			if err != nil {
				return err
			}
			a.counts.Add(&a.counts.Stats.Sent)
			sent = version
			await(ctx, changeEvery, nil)
			await(ctx, to.every-changeEvery, a.announcer.News.C())
			return nil
		}, func(err error, _ time.Duration) {
			a.counts.Add(&a.counts.Stats.Failures)
			to.warn(ctx, "game not announced", err)
		})
		leaving, cancel := context.WithTimeout(context.WithoutCancel(ctx), hosting.LeaveTime)
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
