package warzonenet

import (
	"errors"
	"fmt"
	"net"
	"sync"

	"github.com/lobbywire/lobbywire/internal/lifecycle"
	"github.com/lobbywire/lobbywire/internal/stream"
)

// An announcer is what the hosts of all protocols have in common. It has the description
// of the game, of which Run announces the latest version.
type announcer[G any] struct {
	counts[HostStats]

	news   lifecycle.Signal // the game has changed
	runner lifecycle.Runner

	mu      sync.Mutex
	game    G
	version uint64 // of the game, counted by set; 0 before
}

// HostStats has the counts of a Host, HTTPHost, ProposalHost or JSONHost since
// its creation.
type HostStats struct {
	Connects uint64 // connections made; for proposals, announcements
	Failures uint64 // connections that failed or ended early; for proposals, failed announcements
	Sent     uint64 // announcements and updates
	Keeps    uint64
}

// Stats returns a snapshot.
func (a *announcer[G]) Stats() HostStats { return a.snapshot() }

// Close ends Run and waits until it has returned.
func (a *announcer[G]) Close() error { return a.runner.Close() }

// set replaces the description of the game.
func (a *announcer[G]) set(game G) {
	a.mu.Lock()
	a.game = game
	a.version++
	a.mu.Unlock()
	a.news.Send()
}

// current returns the current description of the game.
func (a *announcer[G]) current() (game G, version uint64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.game, a.version
}

// Errors of a Run that cannot succeed.
var (
	errNotSet = errors.New("warzonenet: Set has not been called: there is no game to announce")
	errNoAddr = errors.New("warzonenet: Addr is empty: it must be host:port of a lobby")
)

// check returns the reason why a host must not run. It does not check the form of an
// address that is for the caller's own Dial.
func (a *announcer[G]) check(addr string, dial stream.DialFunc) error {
	_, version := a.current()
	switch {
	case version == 0:
		return errNotSet
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
		return fmt.Errorf("warzonenet: Addr must be host:port of a lobby: %w", err)
	}
	return nil
}
