package warzonenet

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net"
	"sync/atomic"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/limit"
	"github.com/lobbywire/lobbywire/warzone"
)

// A Lobby lists games for the clients and hosts of Warzone 2100 2.0 to 4.6. Its zero value
// is ready; fields must not change while it serves. See [HTTPLobby] for later versions.
type Lobby struct {
	// Games are the games that the lobby lists and to which hosts add theirs.
	// Other servers may share them. nil means an empty list of its own.
	Games *Games

	// MOTD is the message of the day, for clients and hosts. It may have several
	// lines. "" means "OK", because some clients may not expect an empty text.
	// Clients of 2.2 and 2.3 show up to 255 bytes. SetMOTD changes it later.
	MOTD string

	// Layout is the layout of games in the list. [warzone.LayoutVersioned], the
	// zero value, is for clients 2.2 to 4.6. [warzone.Layout21] and
	// [warzone.Layout20] are for earlier clients. They need a separate port,
	// because all clients send the same request. Hosts of versions 2.0 to 4.6 may
	// add games on any port; for the earlier ones see [Games.RecordPort].
	Layout warzone.Layout

	// NoVerify lists games without checking that they can be reached.
	NoVerify bool

	// VerifyTimeout limits the time of that check. 0 means 6 s for a new game of version 4,
	// whose host waits 10 s for the status, and otherwise 2 s, because hosts wait 2.5 s.
	VerifyTimeout time.Duration

	// Dial connects to hosts; nil means [net.Dialer.DialContext].
	Dial func(ctx context.Context, network, addr string) (net.Conn, error)

	Limits lobbywire.ConnLimits

	// Logger logs refused games and the reasons, with a rate limit, and other
	// events. nil is silent.
	Logger *slog.Logger

	tcpLobby
	invalid  error // reason why it cannot serve
	greeting atomic.Pointer[greeting]
	refusals limit.Limiter // of log lines
}

// maxRequest is the size of the longest request, including bytes between
// requests.
const maxRequest = 1 << 10

func (l *Lobby) init() {
	l.initServer(l.Games, l.Limits, maxRequest, l.Logger, l.serveConn)
	l.invalid = l.setMOTD(l.MOTD)
	limitLog(&l.refusals)
}

// Serve answers clients and hosts that connect to ln until Shutdown or Close. It
// owns ln and closes it. Its error is never nil. Serve fails at once if MOTD is
// longer than [warzone.MaxStatusText].
func (l *Lobby) Serve(ln net.Listener) error {
	l.once.Do(l.init)
	if l.invalid != nil {
		return errors.Join(l.invalid, ln.Close())
	}
	return l.serve(ln)
}

// A greeting is the part of answers that is the same for all peers.
type greeting struct {
	motd   string
	status []byte // the status of success
}

// SetMOTD replaces MOTD. It may be called while the Lobby serves. It fails, and
// changes nothing, if the text is longer than [warzone.MaxStatusText].
func (l *Lobby) SetMOTD(text string) error {
	l.once.Do(l.init)
	return l.setMOTD(text)
}

func (l *Lobby) setMOTD(text string) error {
	status, err := warzone.Status{Code: warzone.StatusOK, Text: cmp.Or(text, "OK")}.MarshalBinary()
	if err == nil {
		l.greeting.Store(&greeting{text, status})
	}
	return err
}
