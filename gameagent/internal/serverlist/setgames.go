package serverlist

import (
	"net/netip"
	"time"

	"github.com/lobbywire/lobbywire/internal/registry"
)

// SetGames replaces the games. Servers of a removed game get another one or are removed, as
// are servers that must now answer a challenge. Servers with a heartbeat stay in the list
// of GameAgent.
func (l *List) SetGames(games map[string]Rules) {
	all := newGames(games)
	l.Servers.Do(time.Now(), func(*Locked) {
		for name, g := range *l.games.Load() {
			if next := (*all)[name]; next != nil && next.Rules == g.Rules {
				(*all)[name] = g
			}
		}
		l.games.Store(all)
	})
	for _, query := range l.outdated() {
		l.Servers.Update(query, time.Now(), false, l.changeGame)
	}
}

// outdated returns the servers whose game is no longer in the List.
func (l *List) outdated() (all []netip.AddrPort) {
	l.Servers.Each(func(t *Locked, i int) {
		if s := t.Value(i); s.game != l.gameFor(s) {
			all = append(all, t.Key(i))
		}
	})
	return all
}

// gameFor returns the game of a server of the List, or nil.
func (l *List) gameFor(s *server) *Game {
	if s.game == nil || s.status == "" {
		return l.productOf(s.heartbeat)
	}
	return l.Game(s.game.name)
}

// changeGame replaces the game of server i by the one of the List.
func (l *List) changeGame(t *Locked, i int) registry.Outcome {
	s := t.Value(i)
	before, g := s.game, l.gameFor(s)
	isProved := before != nil && before.MustValidate() && g != nil && before.Key == g.Key
	if s.status != "" && (g == nil || g.MustValidate() && !isProved) {
		if s.heartbeat == "" {
			return registry.Remove
		}
		s.status = ""
		g = l.gameFor(s)
	}
	s.game = g
	if t.State(i) != registry.Hidden {
		l.decide(t, i)
	}
	return registry.Ignore
}
