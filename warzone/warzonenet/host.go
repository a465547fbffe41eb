package warzonenet

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/netip"
	"sync"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/stream"
	"github.com/lobbywire/lobbywire/warzone"
	"github.com/lobbywire/lobbywire/warzone/internal/announce"
)

// A Host keeps one game in the list of a lobby for as long as Run lasts. Set
// describes the game, before Run and whenever it changes. Fields must not change
// after that.
//
// It behaves like hosts of the game's version:
//
//	2.0, 2.1, 2.2 and Layout23  announces the game; announces a change again
//	                            on another connection
//	version 3                   sends changes as updates on the same
//	                            connection; expects no answer
//	version 4                   expects an answer to each update; sends a Keep
//	                            after 25 s of silence
//
// Changes are sent at most every 7 s; each carries the latest state.
//
// Unlike the game, which gives up, a Host connects again when the connection ends, with a
// back-off of about 5 s that doubles after each announcement of less than a minute, up to 5
// min. A refusal does not end the connection: the lobby may accept the next update. If an
// update gets no answer, the Host announces the game again. If the next update gets none
// either, the lobby is from before 2020, and the Host then expects no answers and sends no
// Keep messages.
//
// The next update detects a lobby that has disappeared. If the Host sends only Keep
// messages, TCP detects it within a quarter of an hour.
//
// The lobby lists the address of the connection, so a Host connects from the address at
// which the game listens, if that is a specific one: see [Host.ListensAt]. To choose IPv4,
// set a Dial that uses "tcp4" instead of "tcp".
type Host struct {
	// Addr is the address of the lobby, host:port.
	Addr string

	// Changed, unless nil, is called by Run when Status has changed. Run waits for it, so
	// it must not call Close.
	Changed func(lobbywire.RegistrationStatus)

	// Dial connects to the lobby, for example over TLS; nil means plain TCP from the address of
	// ListensAt.
	Dial func(ctx context.Context, network, addr string) (net.Conn, error)

	// Logger logs when the game is announced, and why a connection ends or cannot be made,
	// once for each reason. nil is silent.
	Logger *slog.Logger

	counts    stream.Counts[HostStats]
	announcer announce.Announcer[warzone.Game]
	alive     announce.Prober
	past      history // only Run uses it

	mu     sync.Mutex
	answer HostAnswer
	lastID uint32 // the last GameID, until Run returns
}

// A history is the state that Run keeps between connections.
type history struct {
	sent       time.Time // when the last message about the game was sent
	unanswered int       // consecutive unanswered updates
}

// Set replaces the description of the game. A Version of 0 with the zero Layout
// means warzone.Version4; a Size of 0 means the size that clients expect. The
// lobby chooses the game id. Host should be empty, because the lobby sets it.
//
// It fails if [warzone.Game.AppendBinary] does; the description is then unchanged.
func (h *Host) Set(game warzone.Game) error {
	game = complete(game)
	if _, err := game.AppendBinary(nil); err != nil {
		return err
	}
	if was, _ := h.announcer.Current(); game != was {
		h.announcer.Set(game)
	}
	return nil
}

// ListensAt sets the address of the game's listener; [Host.ServeAlive] calls it. If it is
// an address of one network interface, the Host connects from there if it can, because the
// lobby lists the game at the address of the connection. A Host connected from another
// address connects again. ListensAt has no effect if Dial is set.
func (h *Host) ListensAt(addr net.Addr) { h.announcer.ListensAt(addr) }

// local returns the address to connect from; the zero Addr means any.
func (h *Host) local() netip.Addr {
	if h.Dial != nil {
		return netip.Addr{}
	}
	return h.announcer.Local.Addr()
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

// isRecord reports whether games in a layout have 112 bytes, as for clients 2.0 and 2.1.
func isRecord(l warzone.Layout) bool { return l == warzone.Layout20 || l == warzone.Layout21 }

// Status says whether the lobby lists the game. If the game's version expects no answer, it
// is Unconfirmed.
func (h *Host) Status() lobbywire.RegistrationStatus { return h.announcer.Status.Get() }

// HostAnswer holds the answers of a lobby about a game.
type HostAnswer struct {
	// GameID is the id that the lobby has chosen, or 0.
	GameID uint32

	// Status is the last answer on this connection or an earlier one. Its text is for the
	// player; it can contain any bytes, so quote it before showing it. Its code is 0 if
	// there was no answer.
	Status warzone.Status
}

// Answer returns the last answers of the lobby.
func (h *Host) Answer() HostAnswer {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.answer
}

// change changes the answer.
func (h *Host) change(f func(a *HostAnswer)) {
	h.mu.Lock()
	defer h.mu.Unlock()
	f(&h.answer)
	if h.answer.GameID != 0 {
		h.lastID = h.answer.GameID
	}
}

// HostStats counts the work of a Host since its creation.
type HostStats struct {
	Connects uint64 // connections made
	Failures uint64 // connections that failed or ended early
	Sent     uint64 // announcements and updates
	Keeps    uint64
}

// Stats returns a snapshot of the counters.
func (h *Host) Stats() HostStats { return h.counts.Snapshot() }

// Close ends Run and ServeAlive, and waits until they have returned.
func (h *Host) Close() error { return errors.Join(h.announcer.Close(), h.alive.Close()) }
