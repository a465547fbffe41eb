package warzonenet

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/lobbywire/lobbywire/internal/lifecycle"
	"github.com/lobbywire/lobbywire/internal/stream"
	"github.com/lobbywire/lobbywire/warzone"
	"github.com/lobbywire/lobbywire/warzone/wzhttp"
)

// An HTTPHost keeps one game in the list of an HTTP lobby for as long as Run lasts. Set
// describes the game, before Run and whenever it changes. Fields must not change after
// that.
//
// The game must answer the lobby at its port, with RespondAlive or ServeAlive: the lobby
// lists only games that it has reached. A host should ask the lobby about each player
// with CheckJoin.
//
// Requests, their times and their retries are those of the game. Unlike the game, which
// gives up, an HTTPHost announces the game again when the lobby has lost it. Its
// back-off is that of a [Host].
type HTTPHost struct {
	// Addr is the URL of the lobby.
	Addr string

	// Port is the port of the game as the lobby reaches it; 0 means
	// [warzone.GamePort].
	Port uint16

	// NoIPv6 announces no address over IPv6.
	NoIPv6 bool

	// JoinOptions are wishes for players whom the lobby should refuse. nil means those
	// of the game.
	JoinOptions *wzhttp.JoinOptions

	// Identity signs what is sent to one lobby; nil signs nothing.
	Identity *Identity

	// Timeout limits connecting and each silence of the lobby; 0 means 15 s.
	Timeout time.Duration

	// Changed is called by Run after each answer of the lobby and when the game is no
	// longer listed, unless it is nil. Run waits for it, so it must not call Close.
	Changed func(HTTPHostState)

	// Dial connects to the lobby; nil means as the system does. Its network is "tcp",
	// "tcp4" or "tcp6": the lobby lists the address that a request comes from.
	Dial func(ctx context.Context, network, addr string) (net.Conn, error)

	// HTTP sends the requests, in place of Dial. The host then announces one address
	// only, which may be of either family.
	HTTP *http.Client

	// Logger logs when the game is announced and when the lobby has lost it; nil is
	// silent.
	Logger *slog.Logger

	once   sync.Once
	wake   chan struct{} // of Run, when the game changes
	runner lifecycle.Runner
	alive  stream.Server
	stats  struct{ connects, failures, sent, keeps atomic.Uint64 }

	mu      sync.Mutex
	room    wzhttp.Room
	isSet   bool
	version uint64 // of the room, counted by Set
	created wzhttp.Created
	state   HTTPHostState
}

// ErrStarted is the cause of a context that ends Run because the match begins, so that
// the lobby can tell this from a host that leaves.
var ErrStarted = errors.New("warzonenet: the match begins")

// ErrNotAccessible means that the lobby could not reach the game at any of the
// addresses that its host has announced.
var ErrNotAccessible = errors.New("warzonenet: the lobby cannot reach the game")

func (h *HTTPHost) init() {
	h.wake = make(chan struct{}, 1)
	h.initAlive()
}

// Set describes the game as it is now. An empty Version means that of the game that
// this package follows, and a zero Netcode that of its clients.
//
// It fails as [wzhttp.Create.AppendBinary] does, and then changes nothing.
func (h *HTTPHost) Set(room wzhttp.Room) error {
	h.once.Do(h.init)
	if room.Netcode == (wzhttp.Netcode{}) {
		room.Netcode = wzhttp.Netcode47()
	}
	if room.Version == "" {
		room.Version = defaultVersion
	}
	if _, err := (wzhttp.Create{Room: room}).AppendBinary(nil); err != nil {
		return err
	}
	h.mu.Lock()
	h.room, h.isSet = room, true
	h.version++
	h.mu.Unlock()
	select {
	case h.wake <- struct{}{}:
	default:
	}
	return nil
}

// defaultVersion is the version of the game whose hosts this package follows.
const defaultVersion = "4.7.0"

// setGame is Set for a game as the binary protocol describes it. What that cannot
// carry stays as it was.
func (h *HTTPHost) setGame(g warzone.Game) error {
	room := RoomOf(g)
	h.mu.Lock()
	was := h.room
	h.mu.Unlock()
	room.Host.PublicKey = was.Host.PublicKey
	if was.Map.Name == room.Map.Name {
		room.Map.Hash = was.Map.Hash
	}
	for i := range room.Mods {
		for _, m := range was.Mods {
			if m.Name == room.Mods[i].Name {
				room.Mods[i] = m
			}
		}
	}
	return h.Set(room)
}

// current returns the game as it is now.
func (h *HTTPHost) current() (room wzhttp.Room, version uint64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.room, h.version
}

// Run announces the game until ctx is done or Close is called, and again each time the
// lobby has lost it. Before it returns, it takes the game off the list. After ctx is
// done it can be called again.
//
// Its error is never nil: the cause of ctx, which is [ErrStarted] if the match begins,
// [lobbywire.ErrClosed] after Close, or that Set was not called, Addr is not a URL, or
// Run has not returned yet.
func (h *HTTPHost) Run(ctx context.Context) error {
	h.once.Do(h.init)
	return h.runner.Run(ctx, h.run)
}

func (h *HTTPHost) run(ctx context.Context) error {
	h.mu.Lock()
	isSet := h.isSet
	h.mu.Unlock()
	if !isSet {
		return errNotSet
	}
	if h.Addr == "" {
		return errNoURL
	}
	if _, err := wzhttp.BaseURL(h.Addr); err != nil {
		return err
	}
	backoff := stream.Backoff{Min: minRetry, Max: maxRetry}
	for ctx.Err() == nil {
		began := time.Now()
		err := h.announce(ctx)
		if ctx.Err() != nil {
			break
		}
		if err == errAgain {
			continue
		}
		if time.Since(began) >= stands {
			backoff.Reset()
		}
		h.lost(ctx, err)
		select {
		case <-time.After(backoff.Next()):
		case <-ctx.Done():
		}
	}
	h.change(func(s *HTTPHostState) { *s = HTTPHostState{MOTD: s.MOTD} })
	return context.Cause(ctx)
}

var errNoURL = errors.New("warzonenet: Addr is empty: it must be the URL of a lobby")

// lost records why the game is no longer listed.
func (h *HTTPHost) lost(ctx context.Context, err error) {
	h.stats.failures.Add(1)
	h.change(func(s *HTTPHostState) { *s = HTTPHostState{MOTD: s.MOTD, Err: err} })
	if h.Logger != nil {
		h.Logger.LogAttrs(ctx, slog.LevelWarn, "lobby lost", slog.Any("error", err))
	}
}

// Close ends Run and ServeAlive and returns when they have returned.
func (h *HTTPHost) Close() error {
	h.once.Do(h.init)
	return errors.Join(h.runner.Close(), h.alive.Close())
}

// HTTPHostState is the state of an HTTPHost at its lobby.
type HTTPHostState struct {
	// GameID is the public id of the game, empty before the lobby has given one.
	GameID string

	// Published reports whether the game is listed.
	Published bool

	// Connections are the announced addresses, and whether the lobby has reached the
	// game there.
	Connections []wzhttp.ConnectionStatus

	// MOTD is the text of the lobby for the player, of this announcement or an earlier
	// one. Escape it before you show it.
	MOTD string

	// Err is why the game is no longer listed or could not be; nil while it is
	// announced.
	Err error
}

// State returns the state at the lobby.
func (h *HTTPHost) State() HTTPHostState {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.state
}

// change changes the state and calls Changed.
func (h *HTTPHost) change(f func(s *HTTPHostState)) {
	h.mu.Lock()
	f(&h.state)
	if h.state.GameID == "" {
		h.created = wzhttp.Created{}
	}
	state := h.state
	h.mu.Unlock()
	if h.Changed != nil {
		h.Changed(state)
	}
}

// Stats returns a snapshot.
func (h *HTTPHost) Stats() HostStats {
	return HostStats{
		Connects: h.stats.connects.Load(),
		Failures: h.stats.failures.Load(),
		Sent:     h.stats.sent.Load(),
		Keeps:    h.stats.keeps.Load(),
	}
}
