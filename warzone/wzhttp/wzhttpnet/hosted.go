package wzhttpnet

import (
	"context"
	"log/slog"
	"math"
	"net/netip"
	"slices"
	"time"

	"github.com/lobbywire/lobbywire/warzone/warzonegames"
	"github.com/lobbywire/lobbywire/warzone/wzhttp"
)

// hostingLife is how long an unpublished game is kept after the last request of its
// host, which sends one at least every 5 s. After a game is published, the results of
// checks are kept for as long.
const hostingLife = 20 * time.Second

// A hosted is a game with the addresses that its host has announced. Unless it is
// published, its Key is the address of the host, without a port. The mutex of the lobby
// guards all fields except ID and Session, which never change.
type hosted struct {
	warzonegames.Entry
	number    int // in the table
	conns     []*hostConn
	shared    time.Time // when other nodes last received it
	published bool
}

// A hostConn is an address of a game, with the state of its check.
type hostConn struct {
	warzonegames.AnnouncedAddress
	until time.Time // when the check ends at the latest, here or at another node
}

func newConn(kind wzhttp.ConnectionType, at netip.AddrPort, status wzhttp.Validation) *hostConn {
	return &hostConn{AnnouncedAddress: warzonegames.AnnouncedAddress{Kind: kind, At: at, Status: status}}
}

// kindOf returns the connection type of an address.
func kindOf(a netip.AddrPort) wzhttp.ConnectionType {
	if a.Addr().Is4() {
		return wzhttp.TCP4
	}
	return wzhttp.TCP6
}

// keepLocked adds a record to the table, if there is room for it.
func (l *Lobby) keepLocked(h *hosted) (ok bool) {
	now := time.Now()
	l.expireLocked(now)
	h.number, ok = l.hostings.Add(netip.AddrPortFrom(h.Key.Addr(), uint16(h.ID)), now.Add(hostingLife))
	if ok {
		*l.hostings.Value(h.number) = h
		l.byID[h.ID] = h
	}
	return ok
}

// expireLocked removes the games of hosts that have not sent another request in
// time.
func (l *Lobby) expireLocked(now time.Time) {
	l.hostings.Expire(now, math.MaxInt, func(i int) { delete(l.byID, (*l.hostings.Value(i)).ID) })
}

// status returns the answer to the host.
func (h *hosted) status() wzhttp.Status {
	s := wzhttp.Status{GameID: gameIDOf(h.ID), Published: h.published, Connections: []wzhttp.ConnectionStatus{}}
	for _, c := range h.conns {
		s.Connections = append(s.Connections, wzhttp.ConnectionStatus{Type: c.Kind, Status: c.Status})
	}
	return s
}

// publishLocked lists a game at its validated addresses, if there are any. Clients
// before 4.7 prefer IPv4.
func (l *Lobby) publishLocked(h *hosted) error {
	var reached []netip.AddrPort
	for _, c := range h.conns {
		if c.Status == wzhttp.ValidationValidated {
			reached = append(reached, c.At)
		}
	}
	if len(reached) == 0 {
		return nil
	}
	slices.SortStableFunc(reached, func(a, b netip.AddrPort) int { return a.Addr().BitLen() - b.Addr().BitLen() })
	e := h.Entry
	e.Key, e.Verified, e.Expires = reached[0], !l.NoVerify, l.expires()
	if last := reached[len(reached)-1]; last.Addr().Is4() != e.Key.Addr().Is4() {
		e.HTTP.Second = last
	}
	if _, err := l.games.Add(e); err != nil {
		l.logRefusal(e.Key, err)
		return err
	}
	h.published = true
	l.counts.Add(&l.counts.Stats.Added)
	return nil
}

// logRefusal counts and logs a game that is not listed.
func (l *Lobby) logRefusal(at netip.AddrPort, err error) {
	l.counts.Add(&l.counts.Stats.Refused)
	if l.Logger != nil && l.log.Allow(at.Addr(), time.Now()) {
		l.Logger.LogAttrs(context.Background(), slog.LevelInfo, "game refused", slog.Any("at", at), slog.Any("error", err))
	}
}
