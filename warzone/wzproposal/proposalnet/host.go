package proposalnet

import (
	"cmp"
	"context"
	"log/slog"
	"math"
	"net"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/fit"
	"github.com/lobbywire/lobbywire/internal/wire"
	"github.com/lobbywire/lobbywire/warzone/internal/counts"
	"github.com/lobbywire/lobbywire/warzone/internal/hosting"
	"github.com/lobbywire/lobbywire/warzone/wzjson"
	"github.com/lobbywire/lobbywire/warzone/wzproposal"
)

// A Host keeps one game in the list of a lobby for as long as Run lasts. Set describes the
// game, before Run and whenever it changes. Fields must not change after that.
//
// A change is announced at once, but at least a second after the last announcement. After a
// failure, the game is announced again with a back-off from about 5 s to 5 min. A game that
// the lobby has forgotten is opened again.
//
// The lobby lists the address of the connection. A host with addresses of both families
// needs a Dial that uses "tcp4" or "tcp6" instead of "tcp": otherwise it may be unable to
// change a game that it has opened.
type Host struct {
	// Addr is the address of the lobby, host:port.
	Addr string

	// Proposal is the proposal that the lobby speaks.
	Proposal Proposal

	// Timeout and Dial are as in a [Client].
	Timeout time.Duration
	Dial    func(ctx context.Context, network, addr string) (net.Conn, error)

	// Every is the interval of announcements while nothing changes; 0 means 150 s, or 30 s
	// in the JSON proposal, a quarter of how long a [Lobby] lists a game without them.
	Every time.Duration

	// Announced, unless nil, is called by Run after each announcement. The error is nil if
	// the lobby lists the game, and a [*LobbyError] if it refuses to.
	Announced func(err error)

	Logger *slog.Logger // logs failures; nil is silent

	announcer hosting.Announcer[Game]
	counts    counts.Of[HostStats]
	client    Client // only Run uses it and listed
	listed    listed
}

// HostStats has the counts of a Host since its creation.
type HostStats struct {
	Announced uint64 // announcements that the lobby has confirmed
	Failures  uint64 // announcements that failed
}

// Stats returns a snapshot.
func (h *Host) Stats() HostStats { return h.counts.Snapshot() }

// Set replaces the description of the game. A lobby refuses a game without a name. Set fails
// if the proposal cannot carry a field, such as port 0 in the text proposal; the description
// is then unchanged. Values in Extra must not be changed. Updates in the JSON proposal cannot
// remove a MaxPlayers that was set before.
func (h *Host) Set(game Game) error {
	switch game.Status {
	case "", wzproposal.StatusOpen, wzproposal.StatusStarted:
	default:
		return &lobbywire.Error{Proto: "wzproposal", Field: "status", Offset: -1, Err: wire.Invalid("is neither open nor started")}
	}
	if _, err := h.Proposal.dialect().appendCommand(nil, command{verb: verbOpen, game: game}); err != nil {
		return err
	}
	h.announcer.Set(game)
	return nil
}

// SetView replaces the description of the game by what a lobby can list of v, and returns the
// fields that it has changed; package [lobbywire] describes the rules.
//
//	Name    Name, up to 124 bytes without control characters
//	Map     Map, up to 64 bytes without control characters
//	Port    Port; [wzjson.DefaultPort] if it is unknown
//	Max     MaxPlayers, up to 2147483647; 0 if it is unknown
//
// The other fields are not sent.
func (h *Host) SetView(v lobbywire.View) (changed []string) {
	var f fit.Fitter
	_ = h.Set(Game{ // cannot fail
		Name:       f.Text(fit.Field{Name: "name"}, v.Name, fit.Rule{Max: maxName, Forbidden: fit.Control}),
		Map:        f.Text(fit.Field{Name: "map"}, v.Map, fit.Rule{Max: maxMap, Forbidden: fit.Control}),
		Port:       cmp.Or(v.Port, wzjson.DefaultPort),
		MaxPlayers: uint32(f.Number(fit.Field{Name: "max"}, v.Max, 0, math.MaxInt32)),
	})
	return f.Changed
}

// Run keeps the game listed until ctx is done or Close is called, and then removes it. That
// may take 5 s more, or half a second if the lobby has confirmed no announcement. After ctx
// is done, Run can be called again.
//
// If the end of Run interrupts an announcement, the lobby may list the game until it expires.
//
// The error is never nil. It is the cause of ctx, [lobbywire.ErrClosed] after Close, or an
// error that says that Set was not called, that Addr is not host:port, or that another Run
// has not returned yet.
func (h *Host) Run(ctx context.Context) error { return h.announcer.Run(ctx, h.keepListed) }

// Close ends Run and waits until it has returned.
func (h *Host) Close() error { return h.announcer.Close() }
