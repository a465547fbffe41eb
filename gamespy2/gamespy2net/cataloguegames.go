package gamespy2net

import (
	"net/netip"
	"time"

	"github.com/lobbywire/lobbywire/internal/registry"
)

// setGames replaces the games. Servers of a removed game are removed, and servers of a
// changed game get its new settings.
func (c *catalogue) setGames(games []Game) {
	all := newGames(games, &c.encoded)
	c.servers.Do(time.Now(), func(*locked) {
		for name, g := range *c.games.Load() {
			if next := (*all)[name]; next != nil && next.Game == g.Game {
				(*all)[name] = g
				continue
			}
			g.End()
		}
		c.games.Store(all)
	})
	for _, addr := range c.outdated() {
		c.servers.Update(addr, time.Now(), false, c.changeGame)
	}
}

// outdated returns the servers whose game is no longer in the catalogue.
func (c *catalogue) outdated() (all []netip.AddrPort) {
	c.servers.Each(func(t *locked, i int) {
		if g := t.Value(i).game; g != c.game(g.Name) {
			all = append(all, t.Key(i))
		}
	})
	return all
}

// changeGame replaces the game of server i by the one in the catalogue.
func (c *catalogue) changeGame(t *locked, i int) registry.Outcome {
	s := t.Value(i)
	next := c.game(s.game.Name)
	switch {
	case next == s.game:
		return registry.Ignore
	case next == nil, next.Key != s.game.Key:
		return registry.Remove
	}
	hidden := t.State(i) == registry.Hidden
	t.Hide(i)
	s.game = next
	if next.RequireChallenge {
		c.setNeedsChallenge(t, i, false)
	}
	if !hidden {
		t.Decide(i)
	}
	return registry.Ignore
}

// forgetLists removes the cached lists of all games.
func (c *catalogue) forgetLists() {
	for _, g := range *c.games.Load() {
		g.Encoded.Clear()
	}
}
