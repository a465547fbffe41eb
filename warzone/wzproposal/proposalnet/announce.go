package proposalnet

import (
	"cmp"
	"context"
	"log/slog"
	"math"
	"time"

	"github.com/lobbywire/lobbywire/internal/stream"
	"github.com/lobbywire/lobbywire/warzone/internal/hosting"
	"github.com/lobbywire/lobbywire/warzone/wzproposal"
)

// A standing is whether a lobby lists the game of a host.
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
	id       string // if the proposal has ids
}

// Times of a Host.
const (
	changeEvery = time.Second // minimum interval of announcements

	// unconfirmed is how long the removal of a game may take that the lobby has never
	// confirmed: the lobby is probably down.
	unconfirmed = time.Second / 2
)

// keepListed announces the game repeatedly until ctx is done, and then removes it.
func (h *Host) keepListed(ctx context.Context) error {
	if err := h.announcer.Check(h.Addr, h.Dial); err != nil {
		return err
	}
	h.client = Client{Proposal: h.Proposal, Timeout: h.Timeout, Dial: h.Dial}
	h.listed.version = 0
	backoff := stream.Backoff{Min: hosting.MinRetry, Max: hosting.MaxRetry, Steady: math.MaxInt64}
	cause := backoff.Keep(ctx, h.announceAndWait, func(err error, _ time.Duration) {
		h.counts.Add(&h.counts.Stats.Failures)
		h.warn(ctx, "game not announced", err)
	})
	limit := hosting.LeaveTime
	if h.listed.standing != isListed {
		limit = unconfirmed
	}
	leaving, cancel := context.WithTimeout(context.WithoutCancel(ctx), limit)
	defer cancel()
	if err := h.leave(leaving); err != nil {
		h.warn(ctx, "game not closed", err)
	}
	return cause
}

func (h *Host) warn(ctx context.Context, message string, err error) {
	if h.Logger != nil {
		h.Logger.LogAttrs(ctx, slog.LevelWarn, message, slog.String("lobby", h.Addr), slog.Any("error", err))
	}
}

// announceAndWait announces the game once, and waits until it is to be announced again.
func (h *Host) announceAndWait(ctx context.Context) error {
	select {
	case <-h.announcer.News.C(): // announce all changes so far
	default:
	}
	err := h.announce(ctx)
	if ctx.Err() != nil {
		return err
	}
	if h.Announced != nil {
		h.Announced(err)
	}
	if err != nil {
		return err
	}
	h.counts.Add(&h.counts.Stats.Announced)
	every := cmp.Or(max(h.Every, 0), h.Proposal.dialect().facts().life/4)
	await(ctx, changeEvery, nil)
	await(ctx, every-changeEvery, h.announcer.News.C())
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

// leave removes the game. It is not a failure if the lobby does not list it.
func (h *Host) leave(ctx context.Context) error {
	isKnown := h.listed.id != "" || !h.Proposal.dialect().facts().hasIDs
	if h.listed.standing != notListed && isKnown {
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
	case isRefusal(err) && h.listed.standing == maybeListed:
		h.listed.standing = notListed
	}
	return err
}
