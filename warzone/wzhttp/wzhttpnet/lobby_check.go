package wzhttpnet

import (
	"crypto/rand"
	"encoding/hex"
	"net/netip"
	"slices"
	"time"

	"github.com/lobbywire/lobbywire/warzone/internal/hosting"
	"github.com/lobbywire/lobbywire/warzone/internal/request"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
	"github.com/lobbywire/lobbywire/warzone/wzhttp"
)

// lookLocked starts a goroutine that checks an address of a game. It returns false
// if too many checks are running.
func (l *Lobby) lookLocked(h *hosted, c *hostConn) (ok bool) {
	if l.closed {
		return false
	}
	select {
	case l.looks <- struct{}{}:
	default:
		return false
	}
	c.until = time.Now().Add(l.lookTime())
	addr := c.At
	l.looking.Go(func() {
		defer func() { <-l.looks }()
		l.looked(h, c, addr, l.look(h, addr))
	})
	return true
}

// looked records the outcome of a check.
func (l *Lobby) looked(h *hosted, c *hostConn, addr netip.AddrPort, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !slices.Contains(h.conns, c) || c.At != addr {
		return // another check replaces this one
	}
	if err != nil && l.closed {
		return // the lobby may be closing; then the next one checks again
	}
	defer l.shareLocked(h)
	if err != nil {
		c.Status = wzhttp.ValidationError
		l.logRefusal(addr, err)
		return
	}
	c.Status = wzhttp.ValidationValidated
	// A game that is not listed yet gets the address when it is listed.
	l.games.Update(h.ID, func(e *warzonegames.Entry) {
		if e.HTTP.Session == h.HTTP.Session && e.Key.Addr().Is4() != addr.Addr().Is4() {
			e.HTTP.Second = addr
		}
	})
}

// look connects to an address and checks that the host answers there.
func (l *Lobby) look(h *hosted, addr netip.AddrPort) error {
	challenge := make([]byte, 16)
	rand.Read(challenge) // cannot fail
	probe, err := wzhttp.Probe{
		LobbyToken: l.tokens.lobbyToken(h.ID, h.HTTP.Session),
		Challenge:  hex.EncodeToString(challenge),
	}.MarshalBinary()
	if err != nil {
		return err
	}
	r := request.Settings{Timeout: l.lookTime(), Dial: l.Dial, MaxFrame: hosting.MaxProbe}
	return r.Check(l.context, addr.String(), probe,
		request.Reply(wzhttp.ParseProbeReply, func(m wzhttp.ProbeReply) bool {
			return m.GameID == gameIDOf(h.ID)
		}))
}
