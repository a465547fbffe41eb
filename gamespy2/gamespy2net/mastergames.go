package gamespy2net

import (
	"net/netip"
	"time"

	"github.com/lobbywire/lobbywire/internal/registry"
)

// SetGames replaces Games. It may be called while the Master serves. Servers of a game that
// is removed or has another key are removed; they register again if they have the new key.
// Clients that get changes of such a game, or of one with other settings, are disconnected.
func (m *Master) SetGames(games []Game) {
	m.start()
	all := newGames(games, &m.lists.encoded)
	m.servers.Do(time.Now(), func(t *locked) {
		for name, g := range *m.games.Load() {
			if next := (*all)[name]; next != nil && next.Game == g.Game {
				(*all)[name] = g
				continue
			}
			g.End()
		}
		m.games.Store(all)
	})
	for _, addr := range m.outdated() {
		m.servers.Update(addr, time.Now(), false, m.changeGame)
	}
}

// outdated returns the servers with another game than the one of Games.
func (m *Master) outdated() (all []netip.AddrPort) {
	m.servers.Each(func(t *locked, i int) {
		if g := t.Value(i).game; g != m.game(g.Name) {
			all = append(all, t.Key(i))
		}
	})
	return all
}

// changeGame replaces the game of server i by the one of Games.
func (m *Master) changeGame(t *locked, i int) registry.Outcome {
	s := t.Value(i)
	next := m.game(s.game.Name)
	switch {
	case next == s.game:
		return registry.Ignore
	case next == nil, next.Key != s.game.Key:
		return registry.Remove
	}
	isHidden := t.State(i) == registry.Hidden
	t.Hide(i)
	s.game = next
	if next.RequireChallenge {
		m.setChallenge(t, i, false)
	}
	if !isHidden {
		t.Decide(i)
	}
	return registry.Ignore
}
