package wzhttpnet

import (
	"cmp"
	"errors"
	"net/netip"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
	"github.com/lobbywire/lobbywire/warzone/wzhttp"
)

// create answers a host that announces a game. The game is published once an address has
// been checked.
func (l *Lobby) create(r *lobbyRequest) (m wzhttp.Created, err error) {
	request, err := bodyOptions().ParseCreate(r.body)
	if err != nil {
		return m, err
	}
	h := &hosted{Entry: warzonegames.Entry{Key: netip.AddrPortFrom(r.from, 0)}}
	h.HTTP.Session = newSession()
	if err := setRoom(&h.Entry, request.Room); err != nil {
		return m, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for h.ID == 0 || l.hostings.isTaken(h) {
		h.ID = l.games.NewID()
	}
	if !l.hostings.keep(h, time.Now()) {
		l.counts.Add(&l.counts.Stats.Limited)
		return m, errManyGames
	}
	l.shareLocked(h)
	l.refusals.Report(lobbywire.Refusal{From: h.Key, Reason: lobbywire.ReasonIncomplete, Err: errNoConnection})
	return wzhttp.Created{
		GameID:     gameIDOf(h.ID),
		HostToken:  l.tokens.hostToken(h.ID, h.HTTP.Session, time.Now()),
		LobbyToken: l.tokens.lobbyToken(h.ID, h.HTTP.Session),
		MOTD:       l.motd.Load().text,
	}, nil
}

// errNoConnection is why a game is not listed after create.
var errNoConnection = errors.New("it has announced a game, and no port where players can connect to it")

// connect answers a host that announces an address of its game, and starts the check of
// the address. The host chooses only the port; the address is the source of the request.
func (l *Lobby) connect(r *lobbyRequest, h *hosted) (s wzhttp.Status, err error) {
	m, err := bodyOptions().ParseConnection(r.body)
	if err != nil {
		return s, err
	}
	if !m.Type.Valid() {
		return s, errUnsupported
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	known := l.hostings.byID[h.ID]
	if known != nil {
		h = known
	} else if !l.hostings.keep(h, time.Now()) { // published some time ago, perhaps at another node
		return s, errManyGames
	}
	i := h.indexOf(m.Type)
	if i >= 0 && h.conns[i].Status != wzhttp.ValidationError {
		return s, errDuplicate
	}
	c := newConn(m.Type, netip.AddrPortFrom(r.from, m.Port), wzhttp.ValidationSubmitted)
	switch {
	case c.Kind != wzhttp.TCP && c.Kind != kindOf(c.At): // not over the address family of the request
		c.Status = wzhttp.ValidationError
	case l.NoVerify:
		c.Status = wzhttp.ValidationValidated
	case !l.lookLocked(h, c):
		return s, errBusy
	default:
		l.refusals.Report(lobbywire.Refusal{From: c.At, Reason: lobbywire.ReasonQuery})
	}
	if i < 0 {
		h.conns = append(h.conns, c)
	} else {
		h.conns[i] = c
	}
	l.shareLocked(h)
	return h.status(), nil
}

// patch changes a game, or only keeps it listed.
func (l *Lobby) patch(r *lobbyRequest, h *hosted) (wzhttp.Status, error) {
	var m wzhttp.Patch
	var err error
	if len(r.body) > 0 {
		m, err = bodyOptions().ParsePatch(r.body)
	}
	if err != nil {
		return wzhttp.Status{}, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if h.published {
		err = l.updateLocked(h, m)
	} else {
		err = l.checkInLocked(h, m)
	}
	return h.status(), err
}

// updateLocked changes a published game.
func (l *Lobby) updateLocked(h *hosted, m wzhttp.Patch) error {
	var refused error
	_, err := l.games.Adopt(h.ID, func(e *warzonegames.Entry) {
		refused = setRoom(e, m.Apply(roomOf(e)))
		if refused == nil {
			e.Expires = l.expires()
		}
	})
	err = cmp.Or(refused, err)
	if err == nil {
		l.counts.Add(&l.counts.Stats.Updated)
	}
	return err
}

// announceEvery is the time after which an unchanged game that is not published is shared
// again.
const announceEvery = 30 * time.Second

// checkInLocked changes an unpublished game, and publishes it if one of its addresses has
// been validated.
func (l *Lobby) checkInLocked(h *hosted, m wzhttp.Patch) error {
	if err := setRoom(&h.Entry, m.Apply(roomOf(&h.Entry))); err != nil {
		return err
	}
	l.hostings.touch(h, time.Now())
	for _, c := range h.conns {
		// Another node, or this node before a restart, has not finished the check.
		if c.Status == wzhttp.ValidationSubmitted && time.Now().After(c.until) {
			l.lookLocked(h, c) // or with the next request
		}
	}
	if err := l.publishLocked(h); err != nil {
		return err
	}
	if !m.IsEmpty() || time.Since(h.shared) >= announceEvery {
		l.shareLocked(h)
	}
	return nil
}

// publishLocked lists a game at its validated addresses, if there are any.
func (l *Lobby) publishLocked(h *hosted) error {
	reached := h.reached()
	if len(reached) == 0 {
		return nil
	}
	e := h.Entry
	e.Key, e.Verified, e.Expires = reached[0], !l.NoVerify, l.expires()
	last := reached[len(reached)-1]
	if last.Addr().Is4() != e.Key.Addr().Is4() {
		e.HTTP.Second = last
	}
	if _, err := l.games.Add(e); err != nil {
		l.noteRefusal(e.Key, err)
		return err
	}
	h.published = true
	l.counts.Add(&l.counts.Stats.Added)
	return nil
}

// remove removes a game that its host ends or starts: clients cannot join a game
// that has started.
func (l *Lobby) remove(h *hosted) wzhttp.Status {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.hostings.remove(h) && !h.published {
		l.games.Unannounce(h.ID)
	}
	if l.games.Remove(h.ID) {
		l.counts.Add(&l.counts.Stats.Removed)
	}
	return (&hosted{Entry: warzonegames.Entry{ID: h.ID}}).status()
}
