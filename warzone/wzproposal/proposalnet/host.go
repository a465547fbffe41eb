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
	"github.com/lobbywire/lobbywire/internal/lifecycle"
	"github.com/lobbywire/lobbywire/internal/stream"
	"github.com/lobbywire/lobbywire/internal/wire"
	"github.com/lobbywire/lobbywire/warzone/internal/announce"
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
// The lobby lists the address of the connection; see [Host.ListensAt]. A host with
// addresses of both families needs a Dial that uses "tcp4" or "tcp6" instead of "tcp";
// otherwise it may be unable to change a game that it has opened.
type Host struct {
	// Addr is the address of the lobby, host:port.
	Addr string

	// Proposal is the proposal that the lobby speaks.
	Proposal Proposal

	// Dial connects to the lobby; nil means plain TCP from the address of ListensAt.
	Dial func(ctx context.Context, network, addr string) (net.Conn, error)

	// Changed, unless nil, is called by Run when Status has changed. Run waits for it, so
	// it must not call Close.
	Changed func(lobbywire.RegistrationStatus)

	// Logger logs why the game is not announced, once for each reason, and when it is
	// announced again. nil is silent.
	Logger *slog.Logger

	announcer announce.Announcer[Game]
	counts    stream.Counts[HostStats]
	client    Client // only Run uses it, trouble and listed
	trouble   lifecycle.Trouble
	listed    listed
}

// A standing says whether a lobby lists the game of a host.
type standing uint8

const (
	notListed   standing = iota
	maybeListed          // a command to open it was sent, but not answered
	isListed             // the lobby has confirmed it
)

// A listed is the game of a host at its lobby.
type listed struct {
	standing standing
	version  uint64 // of the description that the lobby has confirmed
	port     uint16
	id       string // if the proposal uses ids
}

// HostStats counts the work of a Host since its creation.
type HostStats struct {
	Announced uint64 // announcements that the lobby has confirmed
	Failures  uint64 // announcements that failed
}

// Status says whether the lobby lists the game. If it refuses to, the error is a [*LobbyError].
func (h *Host) Status() lobbywire.RegistrationStatus { return h.announcer.Status.Get() }

// Stats returns a snapshot of the counters.
func (h *Host) Stats() HostStats { return h.counts.Snapshot() }

// Set replaces the description of the game. A lobby refuses a game without a name. Set fails
// if the proposal cannot carry a field, such as port 0 in the text proposal; the description
// is then unchanged. Values in Extra must not be changed. Updates in the JSON proposal cannot
// remove a MaxPlayers that was set before.
func (h *Host) Set(game Game) error {
	switch game.Status {
	case "", wzproposal.StatusOpen, wzproposal.StatusStarted:
	default:
		return &lobbywire.Error{Proto: "wzproposal", Field: "status", Offset: -1,
			Err: wire.Invalid("is neither open nor started")}
	}
	if _, err := h.Proposal.dialect().appendCommand(nil, command{verb: verbOpen, game: game}); err != nil {
		return err
	}
	h.announcer.Set(game)
	return nil
}

// SetView sets the description of the game to as much of v as a lobby can list, and returns
// the fields that it has changed; package [lobbywire] describes the rules.
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

// ListensAt sets the address of the game's listener, before Run. If it is an address of one
// network interface, the Host connects from there if it can, because the lobby lists the
// game at the address of the connection. It has no effect if Dial is set.
func (h *Host) ListensAt(addr net.Addr) { h.announcer.Local.Set(addr) }

// Run keeps the game listed until ctx is done or Close is called, and then removes it. That
// may take 5 s more, or half a second if the lobby has confirmed no announcement. After ctx
// is done, Run can be called again.
//
// If the end of Run interrupts an announcement, the lobby may list the game until it expires.
//
// The error is never nil. It is the cause of ctx, [lobbywire.ErrClosed] after Close, or an
// error if Set was not called, Addr is not host:port, or another Run has not returned yet.
func (h *Host) Run(ctx context.Context) error { return h.announcer.Run(ctx, h.keepListed) }

// Close ends Run and waits until it has returned.
func (h *Host) Close() error { return h.announcer.Close() }

// Times of a Host.
const (
	changeEvery = time.Second // minimum interval of announcements

	// unconfirmed is the time for removing a game that the lobby has never confirmed: the
	// lobby is probably down.
	unconfirmed = time.Second / 2
)

// keepListed announces the game repeatedly until ctx is done, and then removes it.
func (h *Host) keepListed(ctx context.Context) error {
	if err := h.announcer.Check(h.Addr, h.Dial); err != nil {
		return err
	}
	h.client = Client{Proposal: h.Proposal, Dial: h.announcer.Local.Or(h.Dial)}
	h.listed.version, h.trouble = 0, lifecycle.Trouble{}
	h.announcer.Stand(lobbywire.StandingStarting, nil, h.Changed)
	defer h.announcer.Stand(lobbywire.StandingLeft, nil, h.Changed)
	backoff := stream.Backoff{Min: announce.MinRetry, Max: announce.MaxRetry, Steady: math.MaxInt64}
	cause := backoff.Keep(ctx, h.announceAndWait, func(err error, _ time.Duration) {
		h.counts.Add(&h.counts.Stats.Failures)
		h.announcer.Stand(lifecycle.StandingAfter(err), err, h.Changed)
		h.trouble.Failed(ctx, h.Logger, "game not announced", err, slog.String("lobby", h.Addr))
	})
	limit := announce.LeaveTime
	if h.listed.standing != isListed {
		limit = unconfirmed
	}
	leaving, cancel := context.WithTimeout(context.WithoutCancel(ctx), limit)
	defer cancel()
	if err := h.leave(leaving); err != nil && h.Logger != nil {
		h.Logger.LogAttrs(ctx, slog.LevelWarn, "game not closed", slog.String("lobby", h.Addr), slog.Any("error", err))
	}
	return cause
}

// announceAndWait announces the game once, and waits until the next announcement is due.
func (h *Host) announceAndWait(ctx context.Context) error {
	select {
	case <-h.announcer.News.C(): // announce all changes so far
	default:
	}
	err := h.announce(ctx)
	if ctx.Err() != nil || err != nil {
		return err
	}
	h.announcer.Stand(lobbywire.StandingListed, nil, h.Changed)
	h.counts.Add(&h.counts.Stats.Announced)
	h.trouble.Over(ctx, h.Logger, "game announced", slog.String("lobby", h.Addr))
	await(ctx, changeEvery, nil)
	await(ctx, h.Proposal.dialect().facts().life/4-changeEvery, h.announcer.News.C())
	return nil
}

// await waits for d, wake or the end of ctx.
func await(ctx context.Context, d time.Duration, wake <-chan struct{}) {
	select {
	case <-time.After(d):
	case <-wake:
	case <-ctx.Done():
	}
}

// announce sends the current description. It opens the game if the lobby does not list it or
// has forgotten it.
func (h *Host) announce(ctx context.Context) error {
	game, version := h.announcer.Current()
	if h.listed.port != game.Port && !h.Proposal.dialect().facts().hasIDs {
		if err := h.leave(ctx); err != nil {
			return err
		}
	}
	v := verbOpen
	switch {
	case h.listed.standing != isListed:
	case h.listed.version == version:
		v = verbKeep
	default:
		v = verbUpdate
	}
	err := h.send(ctx, v, game)
	if v != verbOpen && isRefusal(err) {
		v = verbOpen
		err = h.send(ctx, v, game)
	}
	if err == nil && v == verbOpen && game.Status == wzproposal.StatusStarted {
		err = h.send(ctx, verbUpdate, game)
	}
	if err == nil {
		h.listed.version = version
	}
	return err
}

// leave removes the game. If the lobby does not list it, leave succeeds.
func (h *Host) leave(ctx context.Context) error {
	known := h.listed.id != "" || !h.Proposal.dialect().facts().hasIDs
	if h.listed.standing != notListed && known {
		err := h.send(ctx, verbClose, Game{Port: h.listed.port})
		if err != nil && !isRefusal(err) {
			return err
		}
	}
	h.listed = listed{}
	return nil
}

// send sends a command about the game.
func (h *Host) send(ctx context.Context, v verb, game Game) error {
	if v == verbOpen {
		h.listed.standing = max(h.listed.standing, maybeListed)
		h.listed.port = game.Port
	}
	a, _, err := h.client.send(ctx, h.Addr, command{verb: v, id: h.listed.id, game: game})
	switch {
	case v != verbOpen:
	case err == nil:
		h.listed.standing, h.listed.id = isListed, a.id
	case isRefusal(err) && (h.listed.standing == maybeListed || h.Proposal.dialect().facts().hasIDs):
		h.listed.standing = notListed // an earlier id no longer identifies the game
	}
	return err
}
