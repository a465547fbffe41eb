package bombermannet

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"log/slog"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/bomberman"
	"github.com/lobbywire/lobbywire/internal/stream"
)

// Why messages are discarded that the codec accepts.
var (
	errUnknownCommand = errors.New("bombermannet: unknown command")
	errEntryTooLong   = errors.New("bombermannet: entry too long")
	errNotRegistered  = errors.New("bombermannet: not registered")
	errFull           = errors.New("bombermannet: too many game servers")
)

// A ManagementServer lists game servers for clients. Its zero value is ready;
// fields must not change while it serves. Its place is TCP port
// [bomberman.Port], on a listener of TLS too.
//
// # Conversation
//
// A connection registers one game server; another registration takes the place
// of the first, and one that only repeats it changes nothing. The game server
// is listed from its first stats on, since the list knows no game server without
// any, until it unregisters or the connection ends. After another registration
// it has to send stats again. Any connection may ask for the list, whether or
// not it has registered. There is no answer to anything else, by the protocol:
// what is invalid, is unknown, or comes too early is dropped, and counted. A
// connection on which frames are out of step is closed.
//
// # List
//
// The list holds all game servers that Admit admits, also those that players
// cannot join now, in no order. If it exceeds what clients have to accept, 64 KiB
// or about 450 game servers, an answer has those first that players can join, and
// each answer continues where the one before ended, so that clients that ask
// again see the others. A game server whose entry would take more than 1024
// bytes, for a very long name, is not registered: names must not be cut.
//
// # Safety
//
// The address and the name of a game server are what it says, by the protocol:
// anybody can announce anything, also the address of another who knows nothing
// of it. Entry tells which connection it was, and MaxPerAddress and MaxPerPrefix
// of Limits bound how much one owner of addresses can announce.
//
// A connection takes about 8 KiB of memory with its game server, besides what
// the system has for it, and up to 1 KiB of that is for what comes in. Longer
// messages share MaxBuffered. Answers share the memory of the list; to peers
// that do not read, they hold on to what was in it, 64 KiB each at most, until
// Write is over. Nothing is read from a peer that has not taken the answer
// before, so one that asks again and again gets the list as fast as he reads it.
type ManagementServer struct {
	Limits ManagementServerLimits

	// ListAtOnce lists game servers from their registration on: as empty, open,
	// of 4 players and Standard A until they tell.
	ListAtOnce bool

	// Admit tells whether a game server that could be listed is. What it does
	// not admit is on no list and otherwise like a listed game server: it stays
	// connected, is among Servers, as Withheld, is shared, and counts for the
	// limits. nil admits all.
	//
	// It is asked of every game server when that comes or changes, here or in
	// the Store, maybe also when nothing has changed, and by Review. It is called
	// by one goroutine at a time, which holds up all others, so it must be quick,
	// and must not call the ManagementServer.
	Admit func(e Entry) bool

	// Store shares the list with other nodes. Without one it is in the memory
	// of this one alone.
	Store Store

	// Logger is told at LevelDebug why connections end and messages are discarded,
	// never what is in them; nil is silent.
	Logger *slog.Logger

	once           sync.Once
	loop           stream.Server
	logger         *slog.Logger
	idle           time.Duration
	idleRegistered time.Duration
	maxServers     int
	unwatch        func() // of the Store
	registered     atomic.Uint64
	updated        atomic.Uint64
	answered       atomic.Uint64
	discarded      atomic.Uint64

	telling sync.Mutex // held while the Store is told; before mu

	mu      sync.Mutex
	members map[uint64]*member // by ID
	list    list
	serving int     // how many Serve calls there are
	sharing sharing // while there are any
}

func (m *ManagementServer) init() {
	m.logger = cmp.Or(m.Logger, slog.New(slog.DiscardHandler))
	defaults := defaultLimits()
	m.idle = cmp.Or(m.Limits.Idle, defaults.Idle)
	m.idleRegistered = cmp.Or(m.Limits.IdleRegistered, defaults.IdleRegistered)
	m.maxServers = cmp.Or(m.Limits.MaxServers, defaults.MaxServers)
	m.loop.Handler = m.serve
	m.loop.Limits, m.loop.Defaults = m.Limits.ConnLimits, defaults.ConnLimits
	m.loop.MaxFrame = bomberman.MaxFrame
	m.loop.Logger = m.Logger
	m.members = make(map[uint64]*member)
	m.unwatch = func() {}
	if m.Store != nil {
		m.unwatch = m.Store.Watch(m.put, m.remove)
	}
}

// Serve accepts connections until Shutdown or Close. It owns l and closes it.
// Its error is never nil.
func (m *ManagementServer) Serve(l net.Listener) error {
	m.once.Do(m.init)
	if m.Store != nil {
		m.startSharing()
		defer m.stopSharing()
	}
	return m.loop.Serve(l)
}

// addLocked adds a member, which is not listed yet, if there is room.
func (m *ManagementServer) addLocked(s *member) bool {
	if len(m.members) >= m.maxServers {
		return false
	}
	m.members[s.ID] = s
	return true
}

// Servers returns the game servers that are listed or withheld when it is ranged
// over, all of them, in no order.
func (m *ManagementServer) Servers() iter.Seq[Entry] {
	m.once.Do(m.init)
	return func(yield func(Entry) bool) {
		for _, e := range m.entries() {
			if !yield(e) {
				return
			}
		}
	}
}

func (m *ManagementServer) entries() []Entry {
	m.mu.Lock()
	defer m.mu.Unlock()
	all := make([]Entry, 0, m.list.len()+len(m.list.withheld.members))
	for _, r := range m.list.rolls() {
		for _, s := range r.members {
			all = append(all, s.now())
		}
	}
	return all
}

// ManagementServerStats count since the ManagementServer was made.
type ManagementServerStats struct {
	lobbywire.ConnStats

	Listed     int    // game servers now
	Withheld   int    // game servers now that are not listed as Admit does not admit them
	Registered uint64 // game servers, also in place of another on the same connection
	Updated    uint64 // stats taken
	Answered   uint64 // queries
	Discarded  uint64 // messages, because they were invalid, unknown, too early or too many
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
	m.mu.Lock()
	defer m.mu.Unlock()
	s.Listed, s.Withheld = m.list.len(), len(m.list.withheld.members)
	return s
}

// Shutdown accepts no more connections and ends those that there are, after the
// answers to what was read. It returns when all have ended, or closes them when
// ctx is done. The list is empty then but for what other nodes have, of which
// nothing more is heard.
func (m *ManagementServer) Shutdown(ctx context.Context) error {
	m.once.Do(m.init)
	m.unwatch()
	return m.loop.Shutdown(ctx)
}

// Close ends all connections at once. The ManagementServer listens to its Store
// no more.
func (m *ManagementServer) Close() error {
	m.once.Do(m.init)
	m.unwatch()
	return m.loop.Close()
}
