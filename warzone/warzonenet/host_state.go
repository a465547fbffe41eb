package warzonenet

import "github.com/lobbywire/lobbywire/warzone"

// Set replaces the description of the game. A Version of 0 with the zero Layout
// means warzone.Version4; a Size of 0 means the size that clients expect. The
// lobby chooses the game id. Host should be empty, because the lobby sets it.
//
// It fails as [warzone.Game.AppendBinary] does; the description is then unchanged.
func (h *Host) Set(game warzone.Game) error {
	game = complete(game)
	if _, err := game.AppendBinary(nil); err != nil {
		return err
	}
	if h.HTTP != nil {
		if err := h.HTTP.SetGame(game); err != nil {
			return err
		}
	}
	if was, _ := h.announcer.Current(); game != was {
		h.announcer.Set(game)
	}
	return nil
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

// HostState is the state of a Host at its lobby.
type HostState struct {
	// Announced reports whether the game was sent on the current connection and, if hosts
	// of its version get an answer, was answered. Status says whether it was accepted.
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
