package warzonenet

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/lobbywire/lobbywire/internal/stream"
)

// Times of a TextHost, BinaryHost or JSONHost.
const (
	changeEvery = time.Second // at most
	firstAgain  = 5 * time.Second
	lastAgain   = 5 * time.Minute
	leaveTime   = 5 * time.Second
)

var (
	errNotSet    = errors.New("warzonenet: Set has not been called")
	errAttending = errors.New("warzonenet: Run has been called already")
)

// An attendance keeps a game listed by announcing it again and again: what the
// hosts of the three proposals have in common.
type attendance struct {
	once sync.Once
	wake chan struct{} // when there is something new to announce

	mu      sync.Mutex
	running bool
}

func (a *attendance) init() { a.wake = make(chan struct{}, 1) }

// changed tells that there is something new.
func (a *attendance) changed() {
	a.once.Do(a.init)
	select {
	case a.wake <- struct{}{}:
	default:
	}
}

// An attendant says what is to be said to a lobby.
type attendant struct {
	lobby     string
	every     time.Duration
	announce  func(ctx context.Context) error // the game as it is now
	leave     func(ctx context.Context) error // that it is no more
	announced func(err error)                 // nil, or is told how it went
	logger    *slog.Logger
}

// run announces until ctx is done, then leaves.
func (a *attendance) run(ctx context.Context, who attendant) error {
	a.once.Do(a.init)
	if !a.start() {
		return errAttending
	}
	defer a.stop()
	backoff := stream.Backoff{Min: firstAgain, Max: lastAgain}
	for ctx.Err() == nil {
		select {
		case <-a.wake: // what has changed until now is announced now
		default:
		}
		err := who.announce(ctx)
		if ctx.Err() != nil {
			break
		}
		who.tell(ctx, err)
		if err != nil {
			await(ctx, backoff.Next(), nil)
			continue
		}
		backoff.Reset()
		await(ctx, changeEvery, nil)
		await(ctx, who.every-changeEvery, a.wake)
	}
	leaving, cancel := context.WithTimeout(context.WithoutCancel(ctx), leaveTime)
	defer cancel()
	if err := who.leave(leaving); err != nil && who.logger != nil {
		who.logger.LogAttrs(ctx, slog.LevelWarn, "game not closed", slog.String("lobby", who.lobby), slog.Any("error", err))
	}
	return context.Cause(ctx)
}

func (a *attendance) start() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	first := !a.running
	a.running = true
	return first
}

func (a *attendance) stop() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.running = false
}

// tell tells how an announcement went.
func (who *attendant) tell(ctx context.Context, err error) {
	if who.announced != nil {
		who.announced(err)
	}
	if err != nil && who.logger != nil {
		who.logger.LogAttrs(ctx, slog.LevelWarn, "game not announced", slog.String("lobby", who.lobby), slog.Any("error", err))
	}
}

// await waits for d, wake or the end of ctx.
func await(ctx context.Context, d time.Duration, wake <-chan struct{}) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-wake:
	case <-ctx.Done():
	}
}
