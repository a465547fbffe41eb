package bombermannet

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/bomberman"
	"github.com/lobbywire/lobbywire/internal/registry"
	"github.com/lobbywire/lobbywire/internal/stream"
)

// Reasons to discard valid messages.
var (
	errUnknownCommand = errors.New("bombermannet: unknown command")
	errEntryTooLong   = errors.New("bombermannet: entry too long")
	errNotRegistered  = errors.New("bombermannet: not registered")
	errFull           = errors.New("bombermannet: too many game servers")
)

// A ManagementServer lists game servers for clients. Its zero value is ready;
// fields must not change while it serves. The usual port is [bomberman.Port]. The
// listener may use TLS.
//
// # Conversation
//
// A connection registers one game server. Another registration replaces the first; the same
// registration again changes nothing. The game server is listed from its registration, as
// the specification requires, until it unregisters or the connection ends. Until it sends
// stats, it is listed as open and empty, with room for 4 players, in mode Standard A: an
// entry of the list needs these values, and the specification gives no others.
// HideUntilStats delays the listing until then. Any connection may request the list,
// registered or not. The protocol has no other answers: invalid, unknown and early messages
// are discarded and counted. Stats that change nothing have no effect. A connection with an
// invalid frame is closed.
//
// # List
//
// The list has all game servers that Admit admits, including full ones, in no
// particular order. Clients need not accept more than 64 KiB, which is about 450
// game servers. If the list is longer, an answer starts with game servers that
// players can join, and each answer continues where the last one ended, so
// repeated queries return the others. A game server whose name is so long that its
// entry would exceed 1024 bytes is not registered, because names must not be cut.
type ManagementServer struct {
	Limits ManagementServerLimits

	// HideUntilStats lists game servers only once they have sent stats, also
	// after another registration.
	HideUntilStats bool

	// Admit reports whether a game server is listed, as package lobbywire describes; other
	// game servers stay connected and are withheld. nil admits all.
	Admit func(e Entry) bool

	// Store shares the list with other nodes. nil keeps it in the memory of this
	// node only.
	Store Store

	// Logger logs at LevelDebug why connections end and messages are discarded,
	// but never the content of messages. nil is silent.
	Logger *slog.Logger

	once           sync.Once
	loop           stream.Server
	logger         *slog.Logger
	idleRegistered time.Duration
	queryEvery     time.Duration
	every          time.Duration // other messages
	registered     atomic.Uint64
	updated        atomic.Uint64
	answered       atomic.Uint64
	discarded      atomic.Uint64

	servers registry.Servers[uint64, registered, Entry] // by ID
	list    list                                        // guarded by the lock of servers
}

func (m *ManagementServer) init() {
	m.logger = cmp.Or(m.Logger, slog.New(slog.DiscardHandler))
	defaults := defaultLimits()
	m.idleRegistered = cmp.Or(m.Limits.IdleRegistered, defaults.IdleRegistered)
	m.queryEvery = time.Second / time.Duration(cmp.Or(max(m.Limits.QueryRate, 0), defaults.QueryRate))
	m.every = time.Second / time.Duration(cmp.Or(max(m.Limits.Rate, 0), defaults.Rate))
	m.servers.Max = cmp.Or(m.Limits.MaxServers, defaults.MaxServers)
	m.loop.Handler = m.serve
	m.loop.Limits, m.loop.Defaults = m.Limits.ConnLimits, defaults.ConnLimits
	m.loop.MaxFrame = bomberman.MaxFrame
	m.loop.Logger = m.Logger
	m.servers.Expiry, m.servers.Connected, m.servers.Store = Expiry, true, m.Store
	m.servers.Start((*listServer)(m), m.put, m.servers.Forget)
}

// Serve accepts connections on l until Shutdown or Close. It closes l. Its error is
// never nil; it is [lobbywire.ErrClosed] after Shutdown and Close.
func (m *ManagementServer) Serve(l net.Listener) error {
	m.once.Do(m.init)
	if m.Store != nil {
		ctx, cancel := context.WithCancel(context.Background())
		var sharing sync.WaitGroup
		sharing.Go(func() { m.servers.Repeat(ctx) })
		defer sharing.Wait()
		defer cancel()
	}
	return m.loop.Serve(l)
}

// ManagementServerStats has the counts of a ManagementServer since its
// creation.
type ManagementServerStats struct {
	lobbywire.ConnStats

	Listed     int    // game servers in the list now
	Withheld   int    // game servers that Admit withholds now
	Registered uint64 // game servers, including those that replace another on the same connection
	Updated    uint64 // stats received from game servers
	Answered   uint64 // queries answered
	Discarded  uint64 // messages that were invalid, unknown, too early or too many
}

// Stats returns a snapshot.
func (m *ManagementServer) Stats() ManagementServerStats {
	m.once.Do(m.init)
	s := ManagementServerStats{
		ConnStats:  m.loop.Stats(),
		Registered: m.registered.Load(),
		Updated:    m.updated.Load(),
		Answered:   m.answered.Load(),
		Discarded:  m.discarded.Load(),
	}
	m.servers.Lock(time.Now())
	defer m.servers.Unlock()
	s.Listed, s.Withheld = m.servers.Listed, m.servers.Withheld
	return s
}

// Shutdown stops accepting connections and ends the open ones once the requests read
// from them are answered. It returns when all have ended, or closes them when ctx is
// done. The list then has only the game servers of other nodes, and does not change
// any more.
func (m *ManagementServer) Shutdown(ctx context.Context) error {
	m.once.Do(m.init)
	m.servers.Close()
	return m.loop.Shutdown(ctx)
}

// Close ends all connections at once, and stops watching the Store.
func (m *ManagementServer) Close() error {
	m.once.Do(m.init)
	m.servers.Close()
	return m.loop.Close()
}
