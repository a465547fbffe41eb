package gamespy2net

import (
	"net/netip"
	"time"

	"github.com/lobbywire/lobbywire/gamespy2/internal/gamelist"
	"github.com/lobbywire/lobbywire/internal/registry"
)

// snapshot returns the servers of a game and their position in its changes, as
// [gamelist.List.Snapshot] does.
func (c *catalogue) snapshot(g *gameTable, since uint64) (all []*gamelist.Listing, position uint64) {
	c.servers.Do(time.Now(), func(*locked) { all, position = g.Snapshot(since) })
	return all, position
}

// changesSince appends the changes in the list of a game after a position, as
// [gamelist.List.ChangesSince] does.
func (c *catalogue) changesSince(g *gameTable, position uint64, dst []gamelist.Change) (
	changes []gamelist.Change, next uint64, wake <-chan struct{}, ok bool) {
	c.servers.Do(time.Now(), func(t *locked) {
		find := func(addr netip.AddrPort) *gamelist.Listing {
			s, _, _ := c.find(t, g, addr)
			return s.listing
		}
		changes, next, wake, ok = g.ChangesSince(position, find, dst)
	})
	return changes, next, wake, ok
}

// listedAt returns the server with a public address in the list of a game, and the address
// that it registered from.
func (c *catalogue) listedAt(g *gameTable, public netip.AddrPort) (s registered, at netip.AddrPort, ok bool) {
	c.servers.Do(time.Now(), func(t *locked) { s, at, ok = c.find(t, g, public) })
	return s, at, ok
}

func (c *catalogue) find(t *locked, g *gameTable, public netip.AddrPort) (s registered, at netip.AddrPort, ok bool) {
	at, isMapped := c.mapped[public]
	if !isMapped {
		at = public
	}
	i, known := t.Find(at)
	if !known || t.State(i) != registry.Listed || t.Value(i).game != g {
		return registered{}, at, false
	}
	return *t.Value(i), at, true
}
