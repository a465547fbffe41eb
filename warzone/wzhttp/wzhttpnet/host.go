package wzhttpnet

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"sync"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/stream"
	"github.com/lobbywire/lobbywire/warzone"
	"github.com/lobbywire/lobbywire/warzone/internal/announce"
	"github.com/lobbywire/lobbywire/warzone/warzonenet"
	"github.com/lobbywire/lobbywire/warzone/wzhttp"
)

// A Host keeps one game in the list of an HTTP lobby for as long as Run lasts. Set
// describes the game, before Run and whenever it changes. Fields must not change after
// that.
//
// The game must answer the lobby at its port, with RespondAlive or ServeAlive: the lobby
// lists only games that it has reached. A host should check each player with CheckJoin.
//
// Requests, their times and their retries are as in the game. Unlike the game, which
// gives up, a Host announces the game again when the lobby no longer lists it,
// with the back-off of a warzonenet.Host.
type Host struct {
	// Addr is the URL of the lobby.
	Addr string

	// Port is the port at which the lobby can reach the game; 0 means
	// [warzone.GamePort].
	Port uint16

	// NoIPv6 announces no IPv6 address.
	NoIPv6 bool

	// JoinOptions state which players the lobby should refuse. nil means the defaults
	// of the game.
	JoinOptions *wzhttp.JoinOptions

	// Identity signs the requests to one lobby; nil means no signatures.
	Identity *Identity

	// Changed, unless nil, is called by Run when Status has changed. Run waits for it, so
	// it must not call Close.
	Changed func(lobbywire.RegistrationStatus)

	// Dial connects to the lobby; nil means plain TCP from the address of ListensAt. Its network
	// is "tcp", "tcp4" or "tcp6", because the lobby lists the source address of a request.
	Dial func(ctx context.Context, network, addr string) (net.Conn, error)

	// HTTP, if not nil, sends the requests instead of Dial. To announce an address of each
	// family, the host connects with copies of its Transport. If the Transport is not an
	// [http.Transport], the host announces only one address, of either family. Redirects
	// are not followed, whatever its CheckRedirect.
	HTTP *http.Client

	// Earlier also announces the game to a lobby for versions before 4.7, so that players
	// of all versions find it. Set it to a warzonenet.Host with an Addr. The methods of
	// this Host that describe the game, and Run, ServeAlive, ListensAt and Close, also act
	// on Earlier. Its own Status describes its lobby. nil announces the game only to the
	// lobby at Addr.
	Earlier *warzonenet.Host

	// Logger logs when the game is listed, and why the lobby no longer lists it or cannot
	// be reached, once for each reason. nil is silent.
	Logger *slog.Logger

	counts    stream.Counts[HostStats]
	announcer announce.Announcer[wzhttp.Room]
	alive     announce.Prober

	mu      sync.Mutex     // of the fields below, which only Run changes
	created wzhttp.Created // the game at the lobby
	answer  HostAnswer
}

// ErrStarted means that the match begins. If it is the cause of the context of Run, a
// [Host] reports to the lobby that the game has started, and not that the host has left.
var ErrStarted = errors.New("wzhttpnet: the match begins")

// ErrNotAccessible means that the lobby could not reach the game at any announced address.
// The error that wraps it names the port, and the addresses from which the host has
// connected; a router may have replaced them. It matches [lobbywire.ErrRefused].
var ErrNotAccessible = fmt.Errorf("wzhttpnet: %w: the lobby cannot reach the game", lobbywire.ErrRefused)

// Set replaces the description of the game. An empty Version and a zero Netcode
// mean 4.7.0 and its netcode.
//
// It fails if [wzhttp.Create.AppendBinary] does. On error, the description is unchanged.
// Texts that are too long for the lobby of Earlier are cut for it.
func (h *Host) Set(room wzhttp.Room) error {
	room = complete(room)
	game := GameOf(room).Fit()
	game.HostPort = h.port()
	return h.set(room, game)
}

// set replaces the description of the game by room and, for the lobby of Earlier, by game.
func (h *Host) set(room wzhttp.Room, game warzone.Game) error {
	if _, err := (wzhttp.Create{Room: room}).AppendBinary(nil); err != nil {
		return err
	}
	if h.Earlier != nil {
		if err := h.Earlier.Set(game); err != nil {
			return err
		}
	}
	h.announcer.Set(room)
	return nil
}

// complete sets the fields that have a default.
func complete(room wzhttp.Room) wzhttp.Room {
	if room.Netcode == (wzhttp.Netcode{}) {
		room.Netcode = wzhttp.Netcode47()
	}
	if room.Version == "" {
		room.Version = defaultVersion
	}
	return room
}

// defaultVersion is the version of the game on which Host is based.
const defaultVersion = "4.7.0"

// SetGame is Set for a game of the protocol before 4.7. Fields outside that protocol keep
// the values of the last call of Set.
func (h *Host) SetGame(g warzone.Game) error {
	room := roomOfGame(g)
	was, _ := h.announcer.Current()
	room.Host.PublicKey = was.Host.PublicKey
	if was.Map.Name == room.Map.Name {
		room.Map.Hash = was.Map.Hash
	}
	for i, m := range room.Mods {
		j := slices.IndexFunc(was.Mods, func(old wzhttp.Mod) bool { return old.Name == m.Name })
		if j >= 0 {
			room.Mods[i] = was.Mods[j]
		}
	}
	return h.set(complete(room), g)
}

// ListensAt sets the address of the game's listener, as warzonenet.Host.ListensAt does;
// [Host.ServeAlive] calls it. It has no effect if Dial or HTTP is set.
func (h *Host) ListensAt(addr net.Addr) {
	h.announcer.ListensAt(addr)
	if h.Earlier != nil {
		h.Earlier.ListensAt(addr)
	}
}

// local returns the address to connect from; the zero Addr means any.
func (h *Host) local() netip.Addr {
	if h.Dial != nil || h.HTTP != nil {
		return netip.Addr{}
	}
	return h.announcer.Local.Addr()
}

// port returns the port at which the lobby can reach the game.
func (h *Host) port() uint16 { return cmp.Or(h.Port, warzone.GamePort) }

// HostStats counts the work of a Host since its creation.
type HostStats struct {
	Connects uint64 // announcements that the lobby has accepted
	Failures uint64 // announcements that have failed or ended early
	Sent     uint64 // announcements and changes
	Keeps    uint64 // empty Patches
}

// Stats returns a snapshot of the counters.
func (h *Host) Stats() HostStats { return h.counts.Snapshot() }

// Close ends Run and ServeAlive, and waits until they have returned.
func (h *Host) Close() error {
	err := errors.Join(h.announcer.Close(), h.alive.Close())
	if h.Earlier != nil {
		err = errors.Join(err, h.Earlier.Close())
	}
	return err
}

// Status says whether the game is listed. A lobby may refuse a game that has stopped
// answering at its port until it answers again; the error is then [ErrNotAccessible].
func (h *Host) Status() lobbywire.RegistrationStatus { return h.announcer.Status.Get() }

// HostAnswer holds the answers of a lobby about a game.
type HostAnswer struct {
	// GameID is the public id of the game; it is empty until the lobby has chosen one.
	GameID string

	// Connections are the announced addresses, with the results of the lobby's checks.
	Connections []wzhttp.ConnectionStatus

	// MOTD is the lobby's last message of the day, for the player. Quote it before showing
	// it.
	MOTD string
}

// Answer returns the last answers of the lobby.
func (h *Host) Answer() HostAnswer {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.answer
}

// change replaces the answer.
func (h *Host) change(a HostAnswer) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.answer = a
	if a.GameID == "" {
		h.created = wzhttp.Created{}
	}
}
