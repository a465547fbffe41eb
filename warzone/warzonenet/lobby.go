package warzonenet

import (
	"cmp"
	"context"
	"log/slog"
	"net"
	"sync/atomic"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/stream"
	"github.com/lobbywire/lobbywire/warzone"
	"github.com/lobbywire/lobbywire/warzone/internal/serving"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
)

// A Lobby lists games for the clients and hosts of Warzone 2100 2.0 to 4.6. Its zero value
// is ready; fields must not change while it serves. See wzhttpnet.Lobby for later versions.
type Lobby struct {
	// Games holds the games of the lobby and its hosts. Other servers may share it. nil
	// means an empty list of its own.
	Games *warzonegames.Games

	// MOTD is the message of the day, for clients and hosts. It may have several
	// lines. "" means "OK", because some clients may not expect an empty text.
	// Clients of 2.2 and 2.3 show up to 255 bytes. SetMOTD changes it later.
	MOTD string

	// Layout is the layout of games in the list. [warzone.LayoutVersioned], the
	// zero value, is for clients 2.2 to 4.6. [warzone.Layout21] and
	// [warzone.Layout20] are for earlier clients. They need a separate port,
	// because all clients send the same request. Hosts of versions 2.0 to 4.6 may
	// add games on any port; for the earlier ones see [warzonegames.Games.RecordPort].
	Layout warzone.Layout

	// NoVerify lists games without checking that they can be reached. The check takes up
	// to 6 s for a new game of version 4, and otherwise up to 2 s, because hosts wait 10
	// s or 2.5 s for the status.
	NoVerify bool

	// Dial connects to hosts; nil means [net.Dialer.DialContext].
	Dial func(ctx context.Context, network, addr string) (net.Conn, error)

	Limits lobbywire.ConnLimits

	// Refused is called for a game that is not listed, as package lobbywire describes. nil
	// does nothing.
	Refused func(r lobbywire.Refusal)

	// Listed is called with the connection of a host when its game is listed, and Closing
	// before that connection is closed. Another process with a copy of the connection and
	// the games in a Store may take it over: see [Lobby.Resume]. If Listed is set, Shutdown
	// and Close therefore leave the game of the connection in Games. The goroutine that
	// serves the connection calls both; they must not use the connection. nil does nothing.
	Listed  func(conn net.Conn, id uint32)
	Closing func(conn net.Conn)

	// Logger logs refused games and the reasons, one line a minute, and other
	// events. nil is silent.
	Logger *slog.Logger

	counts   stream.Counts[LobbyStats]
	server   serving.Server
	invalid  error // why it cannot serve
	greeting atomic.Pointer[greeting]
	refusals serving.Refusals
}

// maxRequest is the size of the longest request, including bytes between
// requests.
const maxRequest = 1 << 10

// Shutdown stops accepting connections, answers pending requests, and returns when every
// Serve has returned or ctx is done. It removes the games of hosts whose connections it
// closes.
func (l *Lobby) Shutdown(ctx context.Context) error { return l.server.Shutdown(ctx) }

// Close closes all connections at once, as Shutdown does when ctx is done.
func (l *Lobby) Close() error { return l.server.Close() }

// LobbyStats counts the work of a Lobby since its creation.
type LobbyStats struct {
	lobbywire.ConnStats

	Lists     uint64 // lists sent
	Added     uint64 // games listed
	Updated   uint64 // changes of listed games
	Refused   uint64 // games not listed, for example because they could not be reached
	Malformed uint64 // malformed requests
}

// Stats returns a snapshot of the counters.
func (l *Lobby) Stats() LobbyStats {
	s := l.counts.Snapshot()
	s.ConnStats = l.server.Stats()
	return s
}

// A greeting is the part of answers that is the same for all peers.
type greeting struct {
	motd   string
	status []byte // the status of success
}

// setMOTD replaces the greeting. On error, it is unchanged.
func (l *Lobby) setMOTD(text string) error {
	text = cmp.Or(text, "OK")
	status, err := warzone.Status{Code: warzone.StatusOK, Text: text}.AppendBinary(nil)
	if err == nil {
		l.greeting.Store(&greeting{text, status})
	}
	return err
}
