package gameagentnet

import (
	"net/netip"
	"time"

	"github.com/lobbywire/lobbywire/internal/registry"
)

// SetGames replaces Games. It may be called while the Master serves. Servers of a game that
// is new, or whose servers must answer a challenge that they have not answered, are listed
// after their next heartbeat. Servers of other games stay listed in the native form, if
// they use it, and are otherwise removed.
func (m *Master) SetGames(games map[string]LegacyGame) {
	m.start()
	all := newGames(games)
	m.servers.Do(time.Now(), func(t *locked) {
		for name, g := range *m.games.Load() {
			if next := (*all)[name]; next != nil && next.LegacyGame == g.LegacyGame {
				(*all)[name] = g
			}
		}
		m.games.Store(all)
	})
	for _, query := range m.outdated() {
		m.servers.Update(query, time.Now(), false, m.changeGame)
	}
}

// outdated returns the servers with another game than the one of Games.
func (m *Master) outdated() (all []netip.AddrPort) {
	m.servers.Each(func(t *locked, i int) {
		if s := t.Value(i); s.game != m.gameFor(s) {
			all = append(all, t.Key(i))
		}
	})
	return all
}

// gameFor returns the game in Games of a server, or nil.
func (m *Master) gameFor(s *registered) *game {
	if s.game == nil || s.status == "" {
		return m.game(product(s.heartbeat))
	}
	return m.game(s.game.name)
}

// changeGame replaces the game of server i by the one of Games.
func (m *Master) changeGame(t *locked, i int) registry.Outcome {
	s := t.Value(i)
	before, g := s.game, m.gameFor(s)
	isProved := before != nil && before.mustValidate() && g != nil && before.Key == g.Key
	if s.status != "" && (g == nil || g.mustValidate() && !isProved) {
		if s.heartbeat == "" {
			return registry.Remove
		}
		s.status = ""
		g = m.gameFor(s)
	}
	s.game = g
	if t.State(i) != registry.Hidden {
		m.decide(t, i)
	}
	return registry.Ignore
}
