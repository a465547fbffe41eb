package wzhttpnet

import (
	"cmp"
	"errors"
	"net/netip"
	"slices"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/warzone/internal/gamelist"
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
	e := warzonegames.Entry{Key: netip.AddrPortFrom(r.from, 0), Expires: expires()}
	e.HTTP.Session = newSession()
	if err := setRoom(&e, request.Room); err != nil {
		return m, err
	}
	e, err = l.games.ForLobbies().Announce(e)
	if err != nil {
		l.counts.Add(&l.counts.Stats.Limited)
		return m, errManyGames
	}
	l.refusals.Report(lobbywire.Refusal{From: e.Key, Reason: lobbywire.ReasonIncomplete, Err: errNoConnection})
	return wzhttp.Created{
		GameID:     gameIDOf(e.ID),
		HostToken:  l.tokens.hostToken(e.ID, e.HTTP.Session, time.Now()),
		LobbyToken: l.tokens.lobbyToken(e.ID, e.HTTP.Session),
		MOTD:       l.motd.Load().text,
	}, nil
}

// errNoConnection is the reason why a game is not listed yet after create.
var errNoConnection = errors.New("it has announced a game, and no port where players can connect to it")

// handover is the time within which a node receives a game announced at another node.
const handover = 15 * time.Second

// authorized returns the game of a request whose token proves that it comes from the host.
// If another node may be about to share the game, the error makes the host retry.
func (l *Lobby) authorized(r *lobbyRequest) (e warzonegames.Entry, err error) {
	if r.id == 0 {
		return e, errGameNotFound
	}
	token, _ := wzhttp.HostToken(r.Header.Get("Authorization"))
	session, made, ok := l.tokens.isHost(token, r.id)
	if !ok {
		return e, errToken
	}
	e, found := l.games.FindID(r.id)
	switch {
	case found && e.HTTP.Session == session:
		return e, nil
	case !found && l.games.Store != nil && (time.Since(made) < handover || time.Since(l.started) < handover):
		return e, errNotHere
	}
	return e, errGameNotFound
}

// connect answers a host that announces an address of its game, and starts the check of
// the address. The host chooses only the port; the address is the source of the request.
func (l *Lobby) connect(r *lobbyRequest, e warzonegames.Entry) (wzhttp.Status, error) {
	m, err := bodyOptions().ParseConnection(r.body)
	if err != nil {
		return wzhttp.Status{}, err
	}
	if !m.Type.Valid() {
		return wzhttp.Status{}, errUnsupported
	}
	a := gamelist.AnnouncedAddress{Kind: m.Type, At: netip.AddrPortFrom(r.from, m.Port)}
	e, err = l.change(e.ID, func(e *warzonegames.Entry) error {
		all := addressesOf(e)
		i := slices.IndexFunc(all, func(b gamelist.AnnouncedAddress) bool { return b.Kind == a.Kind })
		if i >= 0 && all[i].Status != wzhttp.ValidationError {
			return errDuplicate
		}
		switch {
		case a.Kind != wzhttp.TCP && a.Kind != kindOf(a.At): // a family other than the request's
			a.Status = wzhttp.ValidationError
		case l.NoVerify:
			a.Status = wzhttp.ValidationValidated
		case l.check(e, a):
			a.Status = wzhttp.ValidationSubmitted
		default:
			return errBusy
		}
		if i < 0 {
			all = append(all, a)
		} else {
			all[i] = a
		}
		e.HTTP.Announced = all
		return nil
	})
	return hostStatus(&e), err
}

// patch changes a game, or only keeps it listed. It publishes a game if one of its
// addresses has been validated.
func (l *Lobby) patch(r *lobbyRequest, e warzonegames.Entry) (wzhttp.Status, error) {
	var m wzhttp.Patch
	var err error
	if len(r.body) > 0 {
		m, err = bodyOptions().ParsePatch(r.body)
	}
	if err != nil {
		return wzhttp.Status{}, err
	}
	e, err = l.change(e.ID, func(e *warzonegames.Entry) error { return setRoom(e, m.Apply(roomOf(e))) })
	if err != nil {
		return wzhttp.Status{}, err
	}
	l.checkAgain(&e)
	if e.Published() {
		l.counts.Add(&l.counts.Stats.Updated)
	} else {
		e, err = l.publish(e)
	}
	return hostStatus(&e), err
}

// publish lists a game at its validated addresses, if there are any.
func (l *Lobby) publish(e warzonegames.Entry) (warzonegames.Entry, error) {
	reached := reachedAt(&e)
	if len(reached) == 0 {
		return e, nil
	}
	first, last := reached[0], reached[len(reached)-1]
	added := false
	e, err := l.change(e.ID, func(e *warzonegames.Entry) error {
		if e.Published() { // by another request
			return nil
		}
		added = true
		e.Key, e.Verified = first, !l.NoVerify
		if last.Addr().Is4() != first.Addr().Is4() {
			e.Second = last
		}
		return nil
	})
	switch {
	case err != nil:
		l.noteRefusal(first, err)
	case added:
		l.counts.Add(&l.counts.Stats.Added)
	}
	return e, err
}

// change changes a game, which then belongs to this node, and extends its life. The
// function change is called with the Games locked.
func (l *Lobby) change(id uint32, change func(e *warzonegames.Entry) error) (warzonegames.Entry, error) {
	var refused error
	e, err := l.games.ForLobbies().Adopt(id, func(e *warzonegames.Entry) {
		refused = change(e)
		if refused == nil {
			e.Expires = expires()
		}
	})
	if err == gamelist.ErrUnpublished {
		err = errManyGames
	}
	return e, cmp.Or(refused, err)
}

// life is the time that a Lobby lists a game after the last request of its host.
const life = 3 * wzhttp.KeepAlive

// expires returns the time at which a game expires if its host has just sent a request.
func expires() time.Time { return time.Now().Add(life) }

// remove removes a game that its host ends or starts: clients cannot join a game
// that has started.
func (l *Lobby) remove(e warzonegames.Entry) wzhttp.Status {
	if l.games.Remove(e.ID) && e.Published() {
		l.counts.Add(&l.counts.Stats.Removed)
	}
	return wzhttp.Status{GameID: gameIDOf(e.ID), Connections: []wzhttp.ConnectionStatus{}}
}
