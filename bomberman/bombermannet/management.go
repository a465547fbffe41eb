package bombermannet

import (
	"log/slog"
	"net/netip"
	"sync"
	"sync/atomic"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/refusals"
	"github.com/lobbywire/lobbywire/internal/stream"
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
// The list contains all game servers that Admit admits, including full ones, in no
// particular order. Clients need not accept more than 64 KiB, which is about 450 game
// servers. If the list is longer, an answer starts with game servers that players can join,
// and each answer continues where the last one ended, so repeated queries return the
// others. A game server whose name is so long that its entry would exceed 1024 bytes is not
// registered, because names must not be cut.
type ManagementServer struct {
	Limits ManagementServerLimits

	// HideUntilStats lists game servers only once they have sent stats, also
	// after another registration.
	HideUntilStats bool

	// Admit reports whether a game server is listed, as package lobbywire describes; other
	// game servers stay connected and are withheld. nil admits all.
	Admit func(e Entry) bool

	// Refused is called for a game server that is not listed, as package lobbywire describes.
	// nil does nothing.
	Refused func(r lobbywire.Refusal)

	// Public maps the address that a game server reports, unless it is a host name, to the
	// one shown in the list: for example 127.0.0.1 to an address that players can reach. It
	// should return other addresses unchanged, and must return the same result each time.
	// nil changes none.
	Public func(server netip.AddrPort) netip.AddrPort

	// Store shares the list with other nodes. nil keeps it in the memory of this
	// node only.
	Store Store

	// Logger logs at LevelDebug why connections end and messages are discarded,
	// but never the content of messages. nil is silent.
	Logger *slog.Logger

	once       sync.Once
	loop       stream.Server
	refusals   refusals.Reporter
	logger     *slog.Logger
	peers      atomic.Pointer[peerLimits]
	registered atomic.Uint64
	updated    atomic.Uint64
	answered   atomic.Uint64
	discarded  atomic.Uint64
	catalogue  catalogue
}
