package warzonenet

import "github.com/lobbywire/lobbywire/warzone"

// Set says what the game is now. A Version of 0, without another Layout, is
// warzone.Version4; a Size of 0 is what clients send. The game id is the lobby's
// to tell. Host should be empty: the lobby knows better.
//
// It fails as [warzone.Game.AppendBinary] does, and changes nothing then.
func (h *Host) Set(game warzone.Game) error {
	h.once.Do(h.init)
	game = complete(game)
	if _, err := game.AppendBinary(nil); err != nil {
		return err
	}
	h.mu.Lock()
	if !h.isReady {
		h.isReady = true
		close(h.ready)
	}
	if game != h.game {
		h.game, h.isNew = game, true
	}
	h.mu.Unlock()
	select {
	case h.wake <- struct{}{}:
	default:
	}
	return nil
}

// complete fills in what is the same in all games.
func complete(g warzone.Game) warzone.Game {
	if g.Version == 0 && g.Layout == warzone.LayoutVersioned {
		g.Version = warzone.Version4
	}
	if g.Size == 0 && isRecord(g.Layout) {
		g.Size = warzone.SizeOfRecord
	} else if g.Size == 0 {
		g.Size = warzone.SizeOfGame
	}
	return g
}

// current returns the game as it is now.
func (h *Host) current() warzone.Game {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.game
}

// taken returns the game as it is now, for it to be sent.
func (h *Host) taken() warzone.Game {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.isNew = false
	return h.game
}

// hasNews tells whether the game has changed since it was taken.
func (h *Host) hasNews() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.isNew
}

// HostState is how a Host stands with its lobby.
type HostState struct {
	// Announced tells that the game has been sent on the connection that there
	// is, and answered unless clients of its version get no answer. Status tells
	// if it was accepted.
	Announced bool

	// GameID is what the lobby calls the game, 0 if it has not told.
	GameID uint32

	// Status is the last answer, of this connection or the one before. Its text
	// is meant for the player, and is any bytes: it needs care before it is
	// shown. Its code is 0 if there was none.
	Status warzone.Status

	// Err is why the last connection ended or could not be made; nil while there
	// is one.
	Err error
}

// State returns how the Host stands with its lobby.
func (h *Host) State() HostState {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.state
}

// change changes the state and tells.
func (h *Host) change(f func(s *HostState)) {
	h.mu.Lock()
	f(&h.state)
	state := h.state
	h.mu.Unlock()
	if h.Changed != nil {
		h.Changed(state)
	}
}

// HostStats counts since the Host was made.
type HostStats struct {
	Connects uint64 // connections there were
	Failures uint64 // connections that ended, but to be followed by another, or could not be had
	Sent     uint64 // announcements and updates
	Keeps    uint64
}

// Stats returns a snapshot.
func (h *Host) Stats() HostStats {
	return HostStats{
		Connects: h.stats.connects.Load(),
		Failures: h.stats.failures.Load(),
		Sent:     h.stats.sent.Load(),
		Keeps:    h.stats.keeps.Load(),
	}
}
