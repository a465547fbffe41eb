package wzhttpnet

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"net/netip"
	"slices"
	"time"

	"github.com/lobbywire/lobbywire/warzone/internal/hosting"
	"github.com/lobbywire/lobbywire/warzone/internal/refusal"
	"github.com/lobbywire/lobbywire/warzone/internal/request"
	"github.com/lobbywire/lobbywire/warzone/internal/serving"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
	"github.com/lobbywire/lobbywire/warzone/wzhttp"
)

// lookLocked starts a goroutine that checks an address of a game. It returns false
// if too many checks are running; see LobbyLimits.MaxLooks.
func (l *Lobby) lookLocked(h *hosted, c *hostConn) (ok bool) {
	if l.closed {
		return false
	}
	addr, now := c.At, time.Now()
	isStranger, ok := l.checks.begin(addr.Addr(), now)
	if !ok {
		return false
	}
	c.until = now.Add(l.lookTime())
	l.looking.Go(func() {
		err := l.look(l.context, h.ID, h.HTTP.Session, addr)
		l.mu.Lock()
		defer l.mu.Unlock()
		l.checks.end(addr.Addr(), isStranger)
		l.lookedLocked(h, c, addr, err)
	})
	return true
}

// lookedLocked records the outcome of a check.
func (l *Lobby) lookedLocked(h *hosted, c *hostConn, addr netip.AddrPort, err error) {
	if err == nil {
		l.checks.prove(addr.Addr(), time.Now())
	}
	if !slices.Contains(h.conns, c) || c.At != addr {
		return // another check replaces this one
	}
	if err != nil && l.closed {
		return // the lobby may be closing; then the next one checks again
	}
	defer l.shareLocked(h)
	if err != nil {
		c.Status = wzhttp.ValidationError
		l.noteRefusal(addr, refusal.Unreachable(err))
		return
	}
	c.Status = wzhttp.ValidationValidated
	// A game that is not listed yet gets the address when it is listed.
	l.games.Adopt(h.ID, func(e *warzonegames.Entry) {
		if e.HTTP.Session == h.HTTP.Session && e.Key.Addr().Is4() != addr.Addr().Is4() {
			e.HTTP.Second = addr
		}
	})
}

// look connects to an address of a game and checks that the host answers there.
func (l *Lobby) look(ctx context.Context, id uint32, session uint64, addr netip.AddrPort) error {
	challenge := make([]byte, 16)
	rand.Read(challenge) // cannot fail
	probe, err := wzhttp.Probe{
		LobbyToken: l.tokens.lobbyToken(id, session),
		Challenge:  hex.EncodeToString(challenge),
	}.MarshalBinary()
	if err != nil {
		return err
	}
	r := request.Settings{Timeout: l.lookTime(), Dial: l.Dial, MaxFrame: hosting.MaxProbe}
	return r.Check(ctx, addr.String(), probe,
		request.Reply(wzhttp.ParseProbeReply, func(m wzhttp.ProbeReply) bool {
			return m.GameID == gameIDOf(id)
		}))
}

// checker returns the Checker of games, apart from those that a Lobby with NoVerify has listed.
// One of a game's addresses must answer.
func (l *Lobby) checker() warzonegames.Checker {
	c := warzonegames.Checker{
		Has: func(e *warzonegames.Entry) bool { return e.Source == warzonegames.SourceHTTP && e.Verified },
		Check: func(ctx context.Context, e warzonegames.Entry) (err error) {
			for _, addr := range e.Addresses() {
				if err = l.look(ctx, e.ID, e.HTTP.Session, addr); err == nil {
					return nil
				}
			}
			return err
		},
	}
	return serving.Checker(c, l.NoVerify, &l.log, l.noteRefusal)
}
