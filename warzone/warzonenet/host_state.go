package warzonenet

import (
	"math"
	"sync/atomic"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
	"github.com/lobbywire/lobbywire/warzone"
)

// Set replaces the description of the game. A Version of 0 with the zero Layout
// means warzone.Version4; a Size of 0 means the size that clients expect. The
// lobby chooses the game id. Host should be empty, because the lobby sets it.
//
// It fails as [warzone.Game.AppendBinary] does. On error, the description is
// unchanged.
func (h *Host) Set(game warzone.Game) error {
	game = complete(game)
	if _, err := game.AppendBinary(nil); err != nil {
		return err
	}
	if h.HTTP != nil {
		if err := h.HTTP.setGame(game); err != nil {
			return err
		}
	}
	h.mu.Lock()
	if game != h.game {
		h.game, h.isNew = game, true
	}
	h.mu.Unlock()
	h.news.Send()
	return nil
}

// SetView calls [Host.Set] with the game for v; [warzone.Game.View] lists the
// corresponding fields. It is for games that are visible in several protocols.
// Host, Mode and Rules are not sent.
func (h *Host) SetView(v lobbywire.View) error {
	players, places := v.Counts()
	for _, n := range []int{players, places} {
		if n < 0 || n > math.MaxInt32 {
			return &lobbywire.Error{Proto: "warzone", Field: "players", Offset: -1, Err: wire.Exceeded(n, math.MaxInt32)}
		}
	}
	game := warzone.Game{
		Name:           v.Name,
		MapName:        v.Map,
		MaxPlayers:     uint32(places),
		CurrentPlayers: uint32(players),
		HostPort:       v.Port,
		VersionString:  v.Version,
	}
	if v.Password != nil && *v.Password {
		game.Private = 1
	}
	return h.Set(game)
}

// complete sets the fields that are the same in all games.
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

// current returns the current description of the game.
func (h *Host) current() warzone.Game {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.game
}

// taken returns the current description of the game and marks it as sent.
func (h *Host) taken() warzone.Game {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.isNew = false
	return h.game
}

// hasNews reports whether the game has changed since it was taken.
func (h *Host) hasNews() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.isNew
}

// HostState is the state of a Host at its lobby.
type HostState struct {
	// Announced reports whether the game was sent on the current connection and, if
	// hosts of its version get an answer, whether the lobby has answered. Status
	// reports whether the lobby accepted the game.
	Announced bool

	// GameID is the id that the lobby has chosen, or 0.
	GameID uint32

	// Status is the last answer, of this connection or an earlier one. Its text is
	// for the player; it can contain any bytes, so quote it before showing it. Its
	// code is 0 if there was no answer.
	Status warzone.Status

	// Err is the reason why the last connection ended or could not be made. It is
	// nil while there is a connection.
	Err error
}

// State returns the current state.
func (h *Host) State() HostState {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.state
}

// change changes the state and calls Changed.
func (h *Host) change(f func(s *HostState)) {
	h.mu.Lock()
	f(&h.state)
	state := h.state
	h.mu.Unlock()
	if h.Changed != nil {
		h.Changed(state)
	}
}

// HostStats has the counts of a Host, HTTPHost, ProposalHost or JSONHost since
// its creation.
type HostStats struct {
	Connects uint64 // connections made; for proposals, announcements
	Failures uint64 // connections that failed or ended early; for proposals, failed announcements
	Sent     uint64 // announcements and updates
	Keeps    uint64
}

// hostCounters are the counts behind HostStats.
type hostCounters struct{ connects, failures, sent, keeps atomic.Uint64 }

func (c *hostCounters) snapshot() HostStats {
	return HostStats{c.connects.Load(), c.failures.Load(), c.sent.Load(), c.keeps.Load()}
}

// Stats returns a snapshot.
func (h *Host) Stats() HostStats { return h.stats.snapshot() }
