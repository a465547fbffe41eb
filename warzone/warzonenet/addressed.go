package warzonenet

import (
	"cmp"
	"net/netip"
	"time"
)

// life is how long a game stays listed that was opened through the text or the
// binary proposal, in which nothing but another request about it tells that its
// host is still there.
const life = 10 * time.Minute

// addressed are games that their hosts know by the address: the text and the
// binary proposal are the same conversation.
type addressed struct {
	games  *Games
	source Source
	life   time.Duration
	stats  *proposalCounters
}

// An opening is what a host tells of its game.
type opening struct {
	port       uint16
	name       string
	mapName    string
	maxPlayers uint32
}

// open lists the game of a host, or changes it.
func (a *addressed) open(from netip.Addr, o opening) error {
	if o.name == "" {
		return errNoName
	}
	set := func(e *Entry) {
		e.Game.Name = shown(o.name, maxShownName)
		e.Game.MapName = shown(o.mapName, maxShownMap)
		e.Game.MaxPlayers = o.maxPlayers
		e.Started = false
		e.Expires = a.expires()
	}
	err := a.update(from, o.port, set)
	if err == ErrGone {
		e := Entry{Key: netip.AddrPortFrom(from, o.port), Source: a.source}
		set(&e)
		_, err = a.games.Add(e)
	}
	if err == nil {
		a.stats.opened.Add(1)
	}
	return err
}

// start says that the game of a host is being played.
func (a *addressed) start(from netip.Addr, port uint16) error {
	err := a.update(from, port, func(e *Entry) {
		e.Started = true
		e.Expires = a.expires()
	})
	if err == nil {
		a.stats.updated.Add(1)
	}
	return err
}

// close takes the game of a host from the list.
func (a *addressed) close(from netip.Addr, port uint16) error {
	e, ok := a.find(from, port)
	if !ok || !a.games.Remove(e.ID) {
		return ErrGone
	}
	a.stats.closed.Add(1)
	return nil
}

func (a *addressed) update(from netip.Addr, port uint16, change func(e *Entry)) error {
	e, ok := a.find(from, port)
	if !ok {
		return ErrGone
	}
	_, err := a.games.Update(e.ID, change)
	return err
}

// find returns the game at an address if it was opened through the same
// proposal.
func (a *addressed) find(from netip.Addr, port uint16) (Entry, bool) {
	e, ok := a.games.Find(netip.AddrPortFrom(from, port))
	return e, ok && e.Source == a.source
}

func (a *addressed) expires() time.Time { return time.Now().Add(cmp.Or(a.life, life)) }
