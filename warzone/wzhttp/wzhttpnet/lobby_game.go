package wzhttpnet

import (
	"cmp"
	"context"
	"log/slog"
	"math"
	"net/netip"
	"slices"
	"time"

	"github.com/lobbywire/lobbywire/warzone/warzonegames"
	"github.com/lobbywire/lobbywire/warzone/wzhttp"
)

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

// indexOf returns the index of the address of a type, or -1.
func (h *hosted) indexOf(kind wzhttp.ConnectionType) int {
	return slices.IndexFunc(h.conns, func(c *hostConn) bool { return c.Kind == kind })
}

// status returns the answer to the host.
func (h *hosted) status() wzhttp.Status {
	s := wzhttp.Status{GameID: gameIDOf(h.ID), Published: h.published, Connections: []wzhttp.ConnectionStatus{}}
	for _, c := range h.conns {
		s.Connections = append(s.Connections, wzhttp.ConnectionStatus{Type: c.Kind, Status: c.Status})
	}
	return s
}

// handover is the time within which a node receives a game that another node has created.
const handover = 15 * time.Second

// authorized returns the game of a request whose token proves that it comes from the
// host. If another node may be about to share the game, the error is one after which
// the host retries.
func (l *Lobby) authorized(r *lobbyRequest) (*hosted, error) {
	id, ok := parseGameID(r.id)
	if !ok {
		return nil, errGameNotFound
	}
	token, _ := wzhttp.HostToken(r.Header.Get("Authorization"))
	session, made, ok := l.tokens.isHost(token, id)
	if !ok {
		return nil, errToken
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.expireLocked(time.Now())
	announced, found := l.games.TakeAnnounced(id, session)
	if found && !l.takeOverLocked(announced) {
		l.games.KeepAnnounced(announced)
		return nil, errManyGames
	}
	h := l.byID[id]
	isKnown := h != nil && h.HTTP.Session == session
	e, found := l.games.FindID(id)
	isListed := found && e.HTTP.Session == session
	switch {
	case isKnown && isListed:
		h.published = true // perhaps by another node
		return h, nil
	case isListed:
		h = &hosted{Entry: e, published: true}
		for _, a := range e.Addresses() {
			h.conns = append(h.conns, newConn(kindOf(a), a, wzhttp.ValidationValidated))
		}
		return h, nil
	case isKnown && !h.published:
		return h, nil
	case !isKnown && l.games.Store != nil && (time.Since(made) < handover || time.Since(l.started) < handover):
		return nil, errNotHere
	}
	return nil, errGameNotFound
}

// takeOverLocked adds the state of an unpublished game that another node, or this node
// before a restart, has shared. It returns false if there is no room for the game.
func (l *Lobby) takeOverLocked(e warzonegames.Entry) (ok bool) {
	var conns []*hostConn
	until := time.Now().Add(l.lookTime()) // then the checks of the other node have ended
	for _, a := range e.HTTP.Announced {
		if a.At.IsValid() { // unless the Store is faulty
			conns = append(conns, &hostConn{a, until})
		}
	}
	h := l.byID[e.ID]
	if h == nil {
		// The other node has just shared it. To do so again could replace what that
		// node shares next, and nobody would receive that.
		return l.keepLocked(&hosted{Entry: e, conns: conns, shared: time.Now()})
	}
	for _, theirs := range conns {
		i := h.indexOf(theirs.Kind)
		switch {
		case i < 0:
			h.conns = append(h.conns, theirs)
		case h.conns[i].Status != wzhttp.ValidationValidated:
			*h.conns[i] = *theirs
		}
	}
	return true
}

// hostingLife is how long an unpublished game is kept after the last request of its
// host, which sends one at least every 5 s. After a game is published, the results of
// checks are kept for as long.
const hostingLife = 20 * time.Second

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
	last := reached[len(reached)-1]
	if last.Addr().Is4() != e.Key.Addr().Is4() {
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

// shareLocked shares the state of an unpublished game with the other nodes.
func (l *Lobby) shareLocked(h *hosted) {
	if l.games.Store != nil && !h.published && l.byID[h.ID] == h {
		h.shared = time.Now()
		l.games.Announce(l.announced(h))
	}
}

// announced returns an unpublished game in the form in which nodes share it.
func (l *Lobby) announced(h *hosted) warzonegames.Entry {
	e := h.Entry
	e.Seen, e.Expires, e.HTTP.Announced = time.Now(), l.expires(), nil
	for _, c := range h.conns {
		e.HTTP.Announced = append(e.HTTP.Announced, c.AnnouncedAddress)
	}
	return e
}

// handOver leaves unpublished games in Games, for the next Lobby with the same
// Games.
func (l *Lobby) handOver() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.expireLocked(time.Now())
	for _, h := range l.byID {
		if !h.published {
			l.games.KeepAnnounced(l.announced(h))
		}
	}
}

// logRefusal counts and logs a game that is not listed.
func (l *Lobby) logRefusal(at netip.AddrPort, err error) {
	l.counts.Add(&l.counts.Stats.Refused)
	if l.Logger != nil && l.log.Allow(at.Addr(), time.Now()) {
		l.Logger.LogAttrs(context.Background(), slog.LevelInfo, "game refused", slog.Any("at", at),
			slog.Any("error", err))
	}
}

func (l *Lobby) expires() time.Time { return time.Now().Add(cmp.Or(max(l.Life, 0), wzhttp.Life)) }

// verifyTimeout is the default of Lobby.VerifyTimeout.
const verifyTimeout = 5 * time.Second

// lookTime returns how long a check may take.
func (l *Lobby) lookTime() time.Duration {
	return cmp.Or(max(l.VerifyTimeout, 0), verifyTimeout)
}
