package warzonenet

import (
	"context"
	"log/slog"
	"math"
	"net/http"
	"net/netip"
	"slices"
	"time"

	"github.com/lobbywire/lobbywire/warzone/wzhttp"
)

// hostingLife is how long an unpublished game is kept after the last request of its
// host, which sends one at least every 5 s. After a game is published, the results of
// checks are kept for as long.
const hostingLife = 20 * time.Second

// An httpHosting is a game whose host has not finished announcing it.
type httpHosting struct {
	id      uint32
	session uint64
	from    netip.Addr // the host's address
	number  int        // in the table
	room    wzhttp.Room
	conns   []hostConn
	shared  time.Time // when other nodes last received it

	published bool
}

// A hostConn is an address of a game, with the state of its check.
type hostConn struct {
	kind   wzhttp.ConnectionType
	addr   netip.AddrPort
	status wzhttp.Validation
	until  time.Time // when the check ends at the latest, here or at another node
}

// kindOf returns the connection type of an address.
func kindOf(a netip.Addr) wzhttp.ConnectionType {
	if a.Is4() {
		return wzhttp.TCP4
	}
	return wzhttp.TCP6
}

// newHosting returns the record of a new game, if there is room for it.
func (l *HTTPLobby) newHosting(from netip.Addr, room wzhttp.Room) (*httpHosting, bool) {
	h := &httpHosting{session: newSession(), from: from, room: room}
	l.mu.Lock()
	defer l.mu.Unlock()
	for h.id == 0 || l.byID[h.id] != nil {
		h.id = l.games.newID()
	}
	if !l.keepLocked(h) {
		return nil, false
	}
	l.shareLocked(h)
	return h, true
}

// keepLocked adds a record to the table, if there is room for it.
func (l *HTTPLobby) keepLocked(h *httpHosting) bool {
	now := time.Now()
	l.expireLocked(now)
	number, ok := l.hostings.Add(netip.AddrPortFrom(h.from, uint16(h.id)), now.Add(hostingLife))
	if !ok {
		return false
	}
	h.number = number
	*l.hostings.Value(number) = h
	l.byID[h.id] = h
	return true
}

// expireLocked removes the games of hosts that have not sent another request in
// time.
func (l *HTTPLobby) expireLocked(now time.Time) {
	l.hostings.Expire(now, math.MaxInt, func(i int) { delete(l.byID, (*l.hostings.Value(i)).id) })
}

// hostingOf returns the record of a game, or nil. It returns false if another node had
// the game and there is no room for it here.
func (l *HTTPLobby) hostingOf(id uint32, session uint64) (h *httpHosting, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.expireLocked(time.Now())
	if e, found := l.games.takeAnnounced(id, session); found && !l.takeOverLocked(&e) {
		l.games.keepAnnounced(e)
		return nil, false
	}
	if h := l.byID[id]; h != nil && h.session == session {
		return h, true
	}
	return nil, true
}

// setPublished records that a game is published, perhaps by another node, so that it is
// not published again after its end.
func (l *HTTPLobby) setPublished(h *httpHosting) {
	if h != nil {
		l.mu.Lock()
		defer l.mu.Unlock()
		h.published = true
	}
}

// dropHosting removes a game whose host has ended it.
func (l *HTTPLobby) dropHosting(id uint32) {
	l.mu.Lock()
	defer l.mu.Unlock()
	h := l.byID[id]
	if h == nil {
		return
	}
	delete(l.byID, id)
	l.hostings.Remove(h.number)
	if !h.published {
		l.games.unannounce(id)
	}
}

// addConnection starts the check of an address.
func (l *HTTPLobby) addConnection(game authorizedGame, kind wzhttp.ConnectionType, addr netip.AddrPort) (wzhttp.Status, *HTTPError) {
	l.mu.Lock()
	defer l.mu.Unlock()
	h := l.byID[game.id]
	if h == nil {
		// The game was published some time ago, perhaps at another node.
		l.games.adopt(game.id)
		h = &httpHosting{id: game.id, session: game.session, from: addr.Addr(), conns: game.entry.connections(), published: true}
		if !l.keepLocked(h) {
			return wzhttp.Status{}, rateLimited("There are too many new games from your network.", retryLater)
		}
	}
	i := slices.IndexFunc(h.conns, func(c hostConn) bool { return c.kind == kind })
	switch {
	case i >= 0 && h.conns[i].status != wzhttp.ValidationError:
		return wzhttp.Status{}, &HTTPError{Status: http.StatusConflict, Code: codeDuplicate, Message: "The game has such a connection already."}
	case i < 0:
		i = len(h.conns)
		h.conns = append(h.conns, hostConn{kind: kind})
	}
	h.conns[i] = hostConn{kind: kind, addr: addr, status: l.firstStatus(kind, addr.Addr())}
	if c := &h.conns[i]; c.status == wzhttp.ValidationSubmitted {
		if !l.lookLocked(h, c) {
			h.conns = slices.Delete(h.conns, i, i+1)
			return wzhttp.Status{}, rateLimited("The lobby is busy.", retryLater)
		}
	}
	l.shareLocked(h)
	return h.status(game.isPublished()), nil
}

// firstStatus returns the status of an address before its check. The lobby can check
// only TCP addresses of the same address family as the request.
func (l *HTTPLobby) firstStatus(kind wzhttp.ConnectionType, addr netip.Addr) wzhttp.Validation {
	switch {
	case kind != wzhttp.TCP && kind != kindOf(addr):
		return wzhttp.ValidationError
	case l.NoVerify:
		return wzhttp.ValidationValidated
	}
	return wzhttp.ValidationSubmitted
}

// status returns the answer to the host.
func (h *httpHosting) status(published bool) wzhttp.Status {
	s := wzhttp.Status{GameID: gameIDOf(h.id), Published: published, Connections: []wzhttp.ConnectionStatus{}}
	for _, c := range h.conns {
		s.Connections = append(s.Connections, wzhttp.ConnectionStatus{Type: c.kind, Status: c.status})
	}
	return s
}

// statusOf returns the answer to the host of a published game.
func (l *HTTPLobby) statusOf(game authorizedGame) wzhttp.Status {
	l.mu.Lock()
	defer l.mu.Unlock()
	if h := l.byID[game.id]; h != nil {
		return h.status(true)
	}
	h := httpHosting{id: game.id, conns: game.entry.connections()}
	return h.status(true)
}

// checkIn answers the host of an unpublished game, and publishes the game if one
// of its addresses has been validated.
func (l *HTTPLobby) checkIn(game authorizedGame, m wzhttp.Patch) (wzhttp.Status, *HTTPError) {
	l.mu.Lock()
	defer l.mu.Unlock()
	h := game.hosting
	room, refused := listable(m.Apply(h.room))
	if refused != nil {
		return wzhttp.Status{}, refused
	}
	h.room = room
	if l.byID[h.id] == h {
		l.hostings.SetDeadline(h.number, time.Now().Add(hostingLife))
	}
	l.lookAgainLocked(h)
	published, err := l.publishLocked(h)
	if err != nil {
		return wzhttp.Status{}, httpRefusal(err)
	}
	if !m.IsEmpty() || time.Since(h.shared) >= shareEvery {
		l.shareLocked(h)
	}
	return h.status(published), nil
}

// publishLocked lists a game at its validated addresses, if there are any. Clients
// before 4.7 prefer IPv4.
func (l *HTTPLobby) publishLocked(h *httpHosting) (published bool, err error) {
	if h.published {
		// Another concurrent request has done so, or the game no longer exists.
		if _, found := l.games.FindID(h.id); !found {
			return false, ErrGone
		}
		return true, nil
	}
	e := Entry{ID: h.id, Source: SourceHTTP, Verified: !l.NoVerify, Expires: l.expires()}
	e.HTTP.Session = h.session
	for _, c := range h.conns {
		if c.status == wzhttp.ValidationValidated {
			e.addAddress(c.addr)
		}
	}
	if !e.Key.IsValid() {
		return false, nil
	}
	if err := e.setRoom(h.room); err != nil {
		return false, err
	}
	if _, err = l.games.Add(e); err != nil {
		l.stats.refused.Add(1)
		l.logRefusal(e.Key, err)
		return false, err
	}
	h.published = true
	l.stats.added.Add(1)
	return true, nil
}

// addAddress adds a validated address. The IPv4 address becomes the Key.
func (e *Entry) addAddress(a netip.AddrPort) {
	switch {
	case !e.Key.IsValid():
		e.Key = a
	case e.Key.Addr().Is4() == a.Addr().Is4():
	case a.Addr().Is4():
		e.Key, e.HTTP.Second = a, e.Key
	default:
		e.HTTP.Second = a
	}
}

// connections returns the addresses of a listed game.
func (e *Entry) connections() []hostConn {
	all := []hostConn{validated(e.Key)}
	if second := e.HTTP.Second; second.IsValid() {
		all = append(all, validated(second))
	}
	return all
}

func validated(a netip.AddrPort) hostConn {
	return hostConn{kind: kindOf(a.Addr()), addr: a, status: wzhttp.ValidationValidated}
}

// logRefusal logs a game that is not listed.
func (l *HTTPLobby) logRefusal(at netip.AddrPort, err error) {
	if l.Logger == nil || !l.log.Allow(at.Addr(), time.Now()) {
		return
	}
	l.Logger.LogAttrs(context.Background(), slog.LevelInfo, "game refused", slog.Any("at", at), slog.Any("error", err))
}
