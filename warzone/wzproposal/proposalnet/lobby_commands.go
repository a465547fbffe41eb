package proposalnet

import (
	"net/netip"
	"time"

	"github.com/lobbywire/lobbywire/warzone/internal/refusal"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
)

// answer carries out a command and returns the answer.
func (l *Lobby) answer(from netip.Addr, c command) []byte {
	var list []byte
	var id string
	var err error
	switch c.verb {
	case verbList:
		list, err = l.lister.list(from, c.filter)
	case verbClose:
		err = l.remove(from, c)
	default:
		id, err = l.put(from, c)
	}
	switch {
	case err != nil:
		l.counts.Add(&l.counts.Stats.Refused)
		if c.verb == verbOpen || c.verb == verbUpdate {
			l.refusals.Report(refusal.Of(netip.AddrPortFrom(from, c.game.Port), err))
		}
		return l.dialect.refused(refusal.Text(err))
	case c.verb == verbList:
		l.counts.Add(&l.counts.Stats.Lists)
		return list
	}
	return l.dialect.done(c.verb, id)
}

// put lists a game, changes it or keeps it listed.
func (l *Lobby) put(from netip.Addr, c command) (id string, err error) {
	e, found := l.find(from, c)
	if !found && c.verb != verbOpen {
		return "", warzonegames.ErrGone
	}
	game := gameOf(&e)
	switch c.verb {
	case verbOpen:
		game = c.game
	case verbUpdate:
		c.change(&game)
	}
	if game.Name == "" {
		return "", refusal.ErrNoName
	}
	life := l.dialect.facts().life
	set := func(e *warzonegames.Entry) {
		game.describe(e)
		e.Expires = time.Now().Add(life)
	}
	count := &l.counts.Stats.Updated
	err = warzonegames.ErrGone
	if found {
		e, err = l.server.Games.Update(e.ID, set)
	}
	if c.verb == verbOpen {
		count = &l.counts.Stats.Added
		if err == warzonegames.ErrGone { // or it belongs to another node
			e = warzonegames.Entry{Key: netip.AddrPortFrom(from, game.Port), Source: l.dialect.facts().source}
			set(&e)
			e, err = l.server.Games.Add(e)
		}
	}
	if err != nil {
		return "", err
	}
	if e.Unreachable {
		l.server.Games.ForLobbies().Touch(e.ID, time.Now().Add(max(life, withheldLife)))
		return "", refusal.UnreachableAt(e.Key)
	}
	l.counts.Add(count)
	return l.ids.id(&e), nil
}

// withheldLife is the minimum lifetime of a game that does not answer, after the last
// request of its host. It is longer than the back-off of a refused Host, which therefore
// cannot get its game listed by opening it anew.
const withheldLife = 10 * time.Minute

// remove removes a game.
func (l *Lobby) remove(from netip.Addr, c command) error {
	e, found := l.find(from, c)
	if !found || !l.server.Games.Remove(e.ID) {
		return warzonegames.ErrGone
	}
	l.counts.Add(&l.counts.Stats.Removed)
	return nil
}

// find returns the game of a command, if it was opened through the same proposal.
func (l *Lobby) find(from netip.Addr, c command) (e warzonegames.Entry, ok bool) {
	if l.dialect.facts().hasIDs {
		e, ok = l.ids.find(l.server.Games, c.id)
	} else {
		e, ok = l.server.Games.ForLobbies().Find(netip.AddrPortFrom(from, c.game.Port))
	}
	return e, ok && e.Source == l.dialect.facts().source
}
