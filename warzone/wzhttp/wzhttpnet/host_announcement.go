package wzhttpnet

import (
	"context"
	"encoding"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/lifecycle"
	"github.com/lobbywire/lobbywire/internal/stream"
	"github.com/lobbywire/lobbywire/warzone/internal/announce"
	"github.com/lobbywire/lobbywire/warzone/wzhttp"
)

// Run keeps the game announced until ctx is done or Close is called. It announces the
// game again each time the lobby no longer lists it. Before it returns, it removes the
// game from the list. After ctx is done, Run can be called again. It returns the
// errors of warzonenet.Host.Run; the cause of ctx may be [ErrStarted].
func (h *Host) Run(ctx context.Context) error { return h.announcer.Run(ctx, h.run) }

func (h *Host) run(ctx context.Context) error {
	if _, version := h.announcer.Current(); version == 0 {
		return announce.ErrNotSet
	}
	if h.Addr == "" {
		return errNoURL
	}
	if _, err := wzhttp.BaseURL(h.Addr); err != nil {
		return err
	}
	if h.Earlier != nil {
		return h.runBoth(ctx)
	}
	return h.keepAnnounced(ctx)
}

// keepAnnounced announces the game until ctx is done.
func (h *Host) keepAnnounced(ctx context.Context) error {
	h.announcer.Stand(lobbywire.StandingStarting, nil, h.Changed)
	err := announce.Keep(ctx, h.Logger, h.Addr, h.announce, h.lost)
	h.change(HostAnswer{MOTD: h.Answer().MOTD})
	h.announcer.Stand(lobbywire.StandingLeft, nil, h.Changed)
	return err
}

var errNoURL = errors.New("wzhttpnet: Addr is empty: it must be the URL of a lobby")

// lost records why the game is no longer listed.
func (h *Host) lost(err error) {
	h.counts.Add(&h.counts.Stats.Failures)
	h.change(HostAnswer{MOTD: h.Answer().MOTD})
	err = stream.Outcome(err)
	h.announcer.Stand(lifecycle.StandingAfter(err), err, h.Changed)
}

// An announcement is a game at the lobby, from its creation to the end of
// its listing.
type announcement struct {
	host      *Host
	local     netip.Addr   // as the Host requested
	announced int          // addresses
	from      []netip.Addr // of the connections that announced them

	sent      wzhttp.Room // the description that the lobby has received
	version   uint64      // of sent
	published bool
	checkIns  int       // since the creation, while the game is not published
	success   time.Time // of the last accepted request
	tried     time.Time // the last Patch
	waiting   bool      // the lobby has answered the last Patch with 429
}

// announce announces the game, keeps it listed until the lobby no longer lists it or
// ctx is done, and returns the reason.
func (h *Host) announce(ctx context.Context) error {
	a := &announcement{host: h, local: h.local()}
	if err := a.create(ctx); err != nil {
		return err
	}
	defer a.leave(ctx)
	if err := a.connect(ctx); err != nil {
		return err
	}
	return a.keep(ctx)
}

// call returns a request over a network, about the game if it is created.
func (h *Host) call(network string, endpoint wzhttp.Endpoint, body encoding.BinaryAppender) *call {
	h.mu.Lock()
	defer h.mu.Unlock()
	return &call{
		client:   clientFor(h.HTTP, h.announcer.Local.Or(h.Dial), network, announce.Timeout),
		addr:     h.Addr,
		endpoint: endpoint,
		id:       h.created.GameID,
		token:    h.created.HostToken,
		body:     body,
		timeout:  announce.Timeout,
	}
}

// create announces the game.
func (a *announcement) create(ctx context.Context) error {
	h := a.host
	a.sent, a.version = h.announcer.Current()
	options := wzhttp.DefaultJoinOptions()
	if h.JoinOptions != nil {
		options = *h.JoinOptions
	}
	attestation, err := h.Identity.attest(h.Addr, "")
	if err != nil {
		return err
	}
	game := wzhttp.Create{Room: a.sent, JoinOptions: &options, Attestation: attestation}
	call := h.call(anyFamily, wzhttp.EndpointCreate, game)
	call.token = "" // the last game's
	b, err := call.persistent(ctx)
	if err != nil {
		return err
	}
	created, err := wzhttp.ParseCreated(b)
	if err != nil {
		return err
	}
	a.success = time.Now()
	h.counts.Add(&h.counts.Stats.Connects)
	h.counts.Add(&h.counts.Stats.Sent)
	h.mu.Lock()
	h.created = created
	h.mu.Unlock()
	h.change(HostAnswer{GameID: created.GameID, MOTD: h.Answer().MOTD})
	return nil
}

// connect announces the addresses of the game concurrently. It fails if all of them
// fail.
func (a *announcement) connect(ctx context.Context) error {
	h := a.host
	networks := slices.DeleteFunc(networksOf(h.HTTP),
		func(network string) bool { return h.NoIPv6 && network == overIPv6 })
	kinds := map[string]wzhttp.ConnectionType{anyFamily: wzhttp.TCP, overIPv4: wzhttp.TCP4, overIPv6: wzhttp.TCP6}
	calls := make([]*call, len(networks))
	failures := overEach(networks, func(i int, network string) error {
		m := wzhttp.Connection{Type: kinds[network], Port: h.port()}
		calls[i] = h.call(network, wzhttp.EndpointConnection, m)
		_, err := calls[i].persistent(ctx)
		return err
	})
	for i, err := range failures {
		refused, ok := errors.AsType[*Error](err)
		if ok && !wzhttp.EndpointConnection.Tolerates(refused.Status) {
			return err
		}
		if err == nil {
			a.announced++
			a.from = append(a.from, calls[i].local)
		}
	}
	if a.announced == 0 {
		return failures[0]
	}
	return nil
}

// keep keeps the game listed and sends its changes.
func (a *announcement) keep(ctx context.Context) error {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		timer.Reset(time.Until(a.next()))
		select {
		case now := <-timer.C:
			if now.Before(a.next()) {
				continue
			}
			if err := a.patch(ctx); err != nil {
				return err
			}
		case <-a.host.announcer.News.C():
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// next returns the time of the next Patch.
func (a *announcement) next() time.Time {
	_, version := a.host.announcer.Current()
	switch {
	case a.host.local() != a.local:
		return time.Time{}
	case a.waiting:
		return a.tried.Add(wzhttp.PatchRetry)
	case !a.published:
		return a.success.Add(wzhttp.CheckIn(a.checkIns + 1))
	case version != a.version:
		return slices.MaxFunc([]time.Time{a.tried.Add(wzhttp.MinPatchInterval), a.success}, time.Time.Compare)
	}
	return a.success.Add(wzhttp.KeepAlive)
}

// patch sends the changes, or an empty Patch.
func (a *announcement) patch(ctx context.Context) error {
	h := a.host
	room, version := h.announcer.Current()
	m := wzhttp.Diff(a.sent, room)
	if !isSent(m, a.sent, room) || h.local() != a.local {
		return stream.ErrAgain
	}
	a.tried = time.Now()
	b, err := h.call(anyFamily, wzhttp.EndpointPatch, m).message(ctx)
	var refused *Error
	if errors.As(err, &refused) && refused.Status == http.StatusTooManyRequests &&
		time.Since(a.success) < wzhttp.GiveUp {
		a.waiting = true
		return nil
	}
	if err != nil {
		return err
	}
	status, err := wzhttp.ParseStatus(b)
	if err != nil {
		return err
	}
	if m.IsEmpty() {
		h.counts.Add(&h.counts.Stats.Keeps)
	} else {
		h.counts.Add(&h.counts.Stats.Sent)
	}
	a.waiting = false
	a.sent, a.version, a.success = room, version, time.Now()
	a.checkIns++
	return a.take(ctx, status)
}

// isSent reports whether a Patch contains all differences. If not, because a host
// cannot undo some settings, the game is announced again.
func isSent(m wzhttp.Patch, was, is wzhttp.Room) bool {
	got := m.Apply(was)
	return got.Blind == is.Blind && got.Private == is.Private && len(got.Mods) == len(is.Mods)
}

// take handles the status of the game.
func (a *announcement) take(ctx context.Context, s wzhttp.Status) error {
	h := a.host
	if s.GameID != h.created.GameID {
		return nil
	}
	failed := len(s.Connections) >= a.announced &&
		!slices.ContainsFunc(s.Connections, func(c wzhttp.ConnectionStatus) bool {
			return c.Status != wzhttp.ValidationError
		})
	if failed && !s.Published {
		return a.notAccessible()
	}
	first := s.Published && !a.published
	a.published = a.published || s.Published
	h.change(HostAnswer{GameID: s.GameID, Connections: s.Connections, MOTD: h.created.MOTD})
	switch {
	case failed: // it has stopped answering, so the lobby withholds the game
		h.announcer.Stand(lobbywire.StandingRefused, a.notAccessible(), h.Changed)
	case a.published:
		h.announcer.Stand(lobbywire.StandingListed, nil, h.Changed)
	}
	if first && h.Logger != nil {
		h.Logger.LogAttrs(ctx, slog.LevelInfo, "game listed", slog.String("id", s.GameID))
	}
	return nil
}

// notAccessible returns ErrNotAccessible with the addresses of the game.
func (a *announcement) notAccessible() error {
	var from []string
	for _, addr := range a.from {
		if addr.IsValid() {
			from = append(from, netip.AddrPortFrom(addr, a.host.port()).String())
		}
	}
	if len(from) == 0 {
		return fmt.Errorf("%w at port %d", ErrNotAccessible, a.host.port())
	}
	return fmt.Errorf("%w at %s", ErrNotAccessible, strings.Join(from, " or "))
}

// leave removes the game from the list. Like the game, it does not wait long for
// the answer.
func (a *announcement) leave(ctx context.Context) {
	call := a.host.call(anyFamily, wzhttp.EndpointDelete, nil)
	if context.Cause(ctx) == ErrStarted {
		call.query = wzhttp.QueryStarted
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), announce.LeaveTime)
	defer cancel()
	call.persistent(ctx) // on error, the game expires
}
