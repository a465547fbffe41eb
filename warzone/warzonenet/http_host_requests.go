package warzonenet

import (
	"net/http"
	"net/netip"
	"strings"
	"time"

	"github.com/lobbywire/lobbywire/warzone/wzhttp"
)

// An authorizedGame is the game of a request with a valid token.
type authorizedGame struct {
	id      uint32
	session uint64
	entry   Entry        // if it is published
	hosting *httpHosting // if it is not published, or was published a moment ago
}

func (g *authorizedGame) isPublished() bool { return g.entry.ID != 0 }

// handover is how long another node may know a host before this one does.
const handover = 15 * time.Second

// authorized returns the game of a request whose token proves that it comes from the
// host. If another node may be about to share the game, the error is one after which
// the host retries.
func (l *HTTPLobby) authorized(r *httpRequest) (authorizedGame, *HTTPError) {
	id, ok := parseGameID(r.id)
	if !ok {
		return authorizedGame{}, errGameNotFound
	}
	token, _ := wzhttp.HostToken(r.Header.Get("Authorization"))
	session, made, ok := l.tokens.isHost(token, id)
	if !ok {
		return authorizedGame{}, errToken
	}
	hosting, ok := l.hostingOf(id, session)
	if !ok {
		return authorizedGame{}, rateLimited("There are too many new games from your network.", retryLater)
	}
	game := authorizedGame{id: id, session: session, hosting: hosting}
	if e, found := l.games.FindID(id); found && e.HTTP.Session == session {
		game.entry = e
		l.setPublished(hosting)
	}
	if game.isPublished() || game.hosting != nil {
		return game, nil
	}
	if l.games.Store != nil && (time.Since(made) < handover || time.Since(l.started) < handover) {
		return authorizedGame{}, rateLimited("The game is not known here yet.", retryLater)
	}
	return authorizedGame{}, errGameNotFound
}

// create answers a host that wants to list a game. The game is published once an
// address has been checked.
func (l *HTTPLobby) create(r *httpRequest) (httpAnswer, *HTTPError) {
	m, err := httpOptions().ParseCreate(r.body)
	if err != nil {
		return httpAnswer{}, unreadable(err)
	}
	room, refused := listable(m.Room)
	if refused != nil {
		return httpAnswer{}, refused
	}
	h, ok := l.newHosting(r.from, room)
	if !ok {
		l.stats.limited.Add(1)
		return httpAnswer{}, rateLimited("There are too many new games from your network.", retryLater)
	}
	return httpAnswer{http.StatusCreated, wzhttp.Created{
		GameID:     gameIDOf(h.id),
		HostToken:  l.tokens.hostToken(h.id, h.session, time.Now()),
		LobbyToken: l.tokens.lobbyToken(h.id, h.session),
		MOTD:       l.motd.Load().text,
	}}, nil
}

// listable returns a room in the form that this lobby keeps.
func listable(r wzhttp.Room) (wzhttp.Room, *HTTPError) {
	if strings.TrimSpace(r.Name) == "" {
		return r, badRequest(reason(errNoName))
	}
	var e Entry
	if err := e.setRoom(r); err != nil {
		return r, badRequest("The mods of the game are too long.")
	}
	room := e.room()
	if _, err := (wzhttp.Create{Room: room}).AppendBinary(nil); err != nil {
		return r, unreadable(err)
	}
	return room, nil
}

// connect answers a host that announces an address of its game. The host chooses
// only the port; the address is the source of the request.
func (l *HTTPLobby) connect(r *httpRequest, game authorizedGame) (httpAnswer, *HTTPError) {
	m, err := httpOptions().ParseConnection(r.body)
	if err != nil {
		return httpAnswer{}, unreadable(err)
	}
	if !m.Type.Valid() || m.Port == 0 {
		return httpAnswer{}, &HTTPError{Status: http.StatusNotAcceptable, Code: codeUnsupported, Message: "This lobby does not know such connections."}
	}
	status, refused := l.addConnection(game, m.Type, netip.AddrPortFrom(r.from, m.Port))
	if refused != nil {
		return httpAnswer{}, refused
	}
	return httpAnswer{http.StatusAccepted, status}, nil
}

// patch changes a game, or only keeps it listed.
func (l *HTTPLobby) patch(r *httpRequest, game authorizedGame) (httpAnswer, *HTTPError) {
	var m wzhttp.Patch
	if len(r.body) > 0 {
		var err error
		if m, err = httpOptions().ParsePatch(r.body); err != nil {
			return httpAnswer{}, unreadable(err)
		}
	}
	var status wzhttp.Status
	var refused *HTTPError
	if game.isPublished() {
		status, refused = l.update(game, m)
	} else {
		status, refused = l.checkIn(game, m)
	}
	if refused != nil {
		return httpAnswer{}, refused
	}
	return httpAnswer{http.StatusOK, status}, nil
}

// update changes a published game.
func (l *HTTPLobby) update(game authorizedGame, m wzhttp.Patch) (wzhttp.Status, *HTTPError) {
	l.games.adopt(game.id)
	var refused *HTTPError
	e, err := l.games.Update(game.id, func(e *Entry) {
		var room wzhttp.Room
		if room, refused = listable(m.Apply(e.room())); refused == nil {
			e.setRoom(room) // cannot fail: listable has succeeded
			e.Expires = l.expires()
		}
	})
	if refused != nil {
		return wzhttp.Status{}, refused
	}
	if err != nil {
		return wzhttp.Status{}, httpRefusal(err)
	}
	l.stats.updated.Add(1)
	game.entry = e
	return l.statusOf(game), nil
}

// remove removes a game that its host ends or starts: clients cannot join a game
// that has started.
func (l *HTTPLobby) remove(game authorizedGame) (httpAnswer, *HTTPError) {
	l.dropHosting(game.id)
	if l.games.adopt(game.id) && l.games.Remove(game.id) {
		l.stats.removed.Add(1)
	}
	ended := httpHosting{id: game.id}
	return httpAnswer{http.StatusOK, ended.status(false)}, nil
}

func (l *HTTPLobby) expires() time.Time { return time.Now().Add(positiveOr(l.Life, httpLife)) }
