package gameagentnet

import (
	"net/netip"
	"time"

	"github.com/lobbywire/lobbywire/internal/registry"
)

// setGames replaces the games. Servers with a game that is no longer there are removed or get
// another one, as [Master.SetGames] describes.
func (c *catalogue) setGames(games map[string]LegacyGame) {
	all := newGames(games)
	c.servers.Do(time.Now(), func(*locked) {
		for name, g := range *c.games.Load() {
			if next := (*all)[name]; next != nil && next.LegacyGame == g.LegacyGame {
				(*all)[name] = g
			}
		}
		c.games.Store(all)
	})
	for _, query := range c.outdated() {
		c.servers.Update(query, time.Now(), false, c.changeGame)
	}
}

// outdated returns the servers whose game is no longer in the catalogue.
func (c *catalogue) outdated() (all []netip.AddrPort) {
	c.servers.Each(func(t *locked, i int) {
		if s := t.Value(i); s.game != c.gameFor(s) {
			all = append(all, t.Key(i))
		}
	})
	return all
}

// gameFor returns the game of a server in the catalogue, or nil.
func (c *catalogue) gameFor(s *registered) *game {
	if s.game == nil || s.status == "" {
		return c.productOf(s.heartbeat)
	}
	return c.game(s.game.name)
}

// changeGame replaces the game of server i by the one in the catalogue.
func (c *catalogue) changeGame(t *locked, i int) registry.Outcome {
	s := t.Value(i)
	before, g := s.game, c.gameFor(s)
	isProved := before != nil && before.mustValidate() && g != nil && before.Key == g.Key
	if s.status != "" && (g == nil || g.mustValidate() && !isProved) {
		if s.heartbeat == "" {
			return registry.Remove
		}
		s.status = ""
		g = c.gameFor(s)
	}
	s.game = g
	if t.State(i) != registry.Hidden {
		c.decide(t, i)
	}
	return registry.Ignore
}
