package wzhttpnet

import (
	"cmp"
	"net/netip"
	"slices"
	"time"

	"github.com/lobbywire/lobbywire/warzone/warzonegames"
	"github.com/lobbywire/lobbywire/warzone/wzhttp"
)

// handover is the time within which a node receives a game that another node has created.
const handover = 15 * time.Second

// announceEvery is the time after which an unchanged game that is not published is shared
// again.
const announceEvery = 30 * time.Second

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
	if e, found := l.games.TakeAnnounced(id, session); found && !l.takeOverLocked(e) {
		l.games.KeepAnnounced(e)
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
	for h.ID == 0 || l.byID[h.ID] != nil {
		h.ID = l.games.NewID()
	}
	if !l.keepLocked(h) {
		l.counts.Add(&l.counts.Stats.Limited)
		return m, errManyGames
	}
	l.shareLocked(h)
	return wzhttp.Created{
		GameID:     gameIDOf(h.ID),
		HostToken:  l.tokens.hostToken(h.ID, h.HTTP.Session, time.Now()),
		LobbyToken: l.tokens.lobbyToken(h.ID, h.HTTP.Session),
		MOTD:       l.motd.Load().text,
	}, nil
}

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
	if kept := l.byID[h.ID]; kept != nil {
		h = kept
	} else {
		// The game was published some time ago, perhaps at another node.
		l.games.Adopt(h.ID)
		if !l.keepLocked(h) {
			return s, errManyGames
		}
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
	}
	if i < 0 {
		h.conns = append(h.conns, c)
	} else {
		h.conns[i] = c
	}
	l.shareLocked(h)
	return h.status(), nil
}

// indexOf returns the index of the address of a type, or -1.
func (h *hosted) indexOf(kind wzhttp.ConnectionType) int {
	return slices.IndexFunc(h.conns, func(c *hostConn) bool { return c.Kind == kind })
}

// patch changes a game, or only keeps it listed.
func (l *Lobby) patch(r *lobbyRequest, h *hosted) (wzhttp.Status, error) {
	var m wzhttp.Patch
	var err error
	if len(r.body) > 0 {
		if m, err = bodyOptions().ParsePatch(r.body); err != nil {
			return wzhttp.Status{}, err
		}
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
	l.games.Adopt(h.ID)
	var refused error
	_, err := l.games.Update(h.ID, func(e *warzonegames.Entry) {
		if refused = setRoom(e, m.Apply(roomOf(e))); refused == nil {
			e.Expires = l.expires()
		}
	})
	if err = cmp.Or(refused, err); err == nil {
		l.counts.Add(&l.counts.Stats.Updated)
	}
	return err
}

// checkInLocked changes an unpublished game, and publishes it if one of its addresses has
// been validated.
func (l *Lobby) checkInLocked(h *hosted, m wzhttp.Patch) error {
	if err := setRoom(&h.Entry, m.Apply(roomOf(&h.Entry))); err != nil {
		return err
	}
	if l.byID[h.ID] == h {
		l.hostings.SetDeadline(h.number, time.Now().Add(hostingLife))
	}
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

// remove removes a game that its host ends or starts: clients cannot join a game
// that has started.
func (l *Lobby) remove(h *hosted) wzhttp.Status {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.byID[h.ID] == h {
		delete(l.byID, h.ID)
		l.hostings.Remove(h.number)
		if !h.published {
			l.games.Unannounce(h.ID)
		}
	}
	if l.games.Adopt(h.ID) && l.games.Remove(h.ID) {
		l.counts.Add(&l.counts.Stats.Removed)
	}
	return (&hosted{Entry: warzonegames.Entry{ID: h.ID}}).status()
}

func (l *Lobby) expires() time.Time { return time.Now().Add(cmp.Or(max(l.Life, 0), wzhttp.Life)) }
