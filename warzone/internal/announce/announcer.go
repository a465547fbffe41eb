// Package announce contains the code that the hosts of all protocols of Warzone 2100 share.
package announce

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"sync"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/lifecycle"
	"github.com/lobbywire/lobbywire/internal/stream"
)

// Times of hosts.
const (
	// Timeout limits the time to connect and each pause of a lobby, which may take 10 s
	// to check the game before it answers. A whole request takes at most ten times as
	// long.
	Timeout = 15 * time.Second

	MinRetry = 5 * time.Second
	MaxRetry = 5 * time.Minute
	Stands   = time.Minute // an announcement that lasts this long counts as a success

	LeaveTime = 5 * time.Second // to remove the game from the list
)

// An Announcer holds the description of a game. Run announces its latest version.
type Announcer[G any] struct {
	News   lifecycle.Signal // the game or Local has changed
	Local  stream.Local     // the address at which the game listens
	Status lifecycle.Status // of the game at the lobby
	runner lifecycle.Runner

	mu      sync.Mutex
	game    G
	version uint64 // of the game, counted by Set; 0 before
}

// Run calls run until ctx is done or Close is called, as [lifecycle.Runner.Run] does.
func (a *Announcer[G]) Run(ctx context.Context, run func(ctx context.Context) error) error {
	return a.runner.Run(ctx, run)
}

// Close ends Run and waits until it has returned.
func (a *Announcer[G]) Close() error { return a.runner.Close() }

// Set replaces the description of the game.
func (a *Announcer[G]) Set(game G) {
	a.mu.Lock()
	a.game = game
	a.version++
	a.mu.Unlock()
	a.News.Send()
}

// ListensAt sets Local.
func (a *Announcer[G]) ListensAt(addr net.Addr) {
	a.Local.Set(addr)
	a.News.Send()
}

// Stand changes the Status, and passes it to changed, unless that is nil.
func (a *Announcer[G]) Stand(s lobbywire.Standing, err error, changed func(lobbywire.RegistrationStatus)) {
	a.Status.Set(s, err)
	a.Status.Tell(changed)
}

// Keep calls announce until ctx is done, with a back-off, and lost after each failure. It
// logs a failure unless the previous one has the same reason.
func Keep(ctx context.Context, logger *slog.Logger, lobby string, announce func(ctx context.Context) error,
	lost func(err error)) error {
	var trouble lifecycle.Trouble
	var began time.Time
	backoff := stream.Backoff{Min: MinRetry, Max: MaxRetry, Steady: Stands}
	return backoff.Keep(ctx, func(ctx context.Context) error {
		began = time.Now()
		return announce(ctx)
	}, func(err error, _ time.Duration) {
		if time.Since(began) >= Stands {
			trouble = lifecycle.Trouble{}
		}
		trouble.Failed(ctx, logger, "lobby lost", err, slog.String("lobby", lobby))
		lost(err)
	})
}

// Current returns the current description of the game.
func (a *Announcer[G]) Current() (game G, version uint64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.game, a.version
}

// ErrNotSet means that a Run has no game to announce.
var ErrNotSet = errors.New("warzone: Set has not been called: there is no game to announce")

var errNoAddr = errors.New("warzone: Addr is empty: it must be host:port of a lobby")

// Check returns the reason why a host must not run. It does not check the form of an
// address that is for the caller's own Dial.
func (a *Announcer[G]) Check(addr string, dial stream.DialFunc) error {
	_, version := a.Current()
	switch {
	case version == 0:
		return ErrNotSet
	case addr == "":
		return errNoAddr
	case dial != nil:
		return nil
	}
	_, port, err := net.SplitHostPort(addr)
	if err == nil && port == "" {
		err = &net.AddrError{Err: "missing port in address", Addr: addr}
	}
	if err != nil {
		return fmt.Errorf("warzone: Addr must be host:port of a lobby: %w", err)
	}
	return nil
}
