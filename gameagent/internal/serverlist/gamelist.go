package serverlist

import (
	"encoding"
	"net/netip"
	"time"

	"github.com/lobbywire/lobbywire/gameagent/gamespy1"
)

// keepLists is the time for which an encoded list is reused, so that peers that read slowly
// share the memory of a few lists.
const keepLists = 250 * time.Millisecond

// AppendList appends datagrams of the list of GameAgent. It calls allow with their number,
// and appends at most as many as that returns.
func (l *List) AppendList(dst [][]byte, now time.Time, allow func(all int) int) [][]byte {
	l.Servers.Do(now, func(*Locked) {
		if n := allow(len(l.answers.packets.datagrams())); n > 0 {
			dst = l.answers.appendNext(dst, n)
		}
	})
	return dst
}

// GameList returns the encoded list of a game, compact or as text.
func (l *List) GameList(g *Game, compact bool, now time.Time) (list []byte, err error) {
	l.Servers.Do(now, func(t *Locked) { list, err = l.encode(t, g, compact, now) })
	return list, err
}

// encode returns the list of a game, which it reuses for a while.
func (l *List) encode(t *Locked, g *Game, compact bool, now time.Time) (list []byte, err error) {
	if now.Sub(g.kept) >= keepLists {
		g.compactList, g.textList, g.kept = nil, nil, now
	}
	kept := &g.textList
	if compact {
		kept = &g.compactList
	}
	if *kept == nil {
		servers := l.addresses(t, g, true, gamespy1.MaxServers)
		var list encoding.BinaryAppender = gamespy1.AddressList{Servers: servers}
		if compact {
			list = gamespy1.ServerList{Servers: servers}
		}
		*kept, err = list.AppendBinary(nil)
	}
	return *kept, err
}

// addresses returns up to a number of servers of a game. If there are more, the next call continues
// where this one ends. If synced is set, they include servers that are known only from other
// masters.
func (l *List) addresses(t *Locked, g *Game, synced bool, most int) []netip.AddrPort {
	all := make([]netip.AddrPort, 0, min(len(g.owners), most))
	for n := range g.owners {
		at := (g.next + n) % len(g.owners)
		if len(all) == most {
			g.next = at
			break
		}
		if i := g.owners[at]; synced || !t.Value(i).synced {
			all = append(all, l.publicAddr(t.Key(i)))
		}
	}
	return all
}

// SyncGames returns the servers of the wanted games that have registered here, for another
// master.
func (l *List) SyncGames(wants func(g *Game) bool) (games []gamespy1.SyncGame) {
	l.Servers.Do(time.Now(), func(t *Locked) {
		room := gamespy1.MaxServers
		for name, g := range *l.games.Load() {
			if !wants(g) {
				continue
			}
			if servers := l.addresses(t, g, false, max(room-1, 0)); len(servers) > 0 {
				room -= 1 + len(servers) // the game counts, too
				games = append(games, gamespy1.SyncGame{GameName: name, Servers: servers})
			}
		}
	})
	return games
}

// IsCut reports whether some list lacks servers: the list of a game is full, or the list of
// GameAgent needs more datagrams than an answer may have.
func (l *List) IsCut(_ *Locked, datagrams int) bool {
	if len(l.answers.packets.datagrams()) > datagrams {
		return true
	}
	for _, g := range *l.games.Load() {
		if len(g.owners) > gamespy1.MaxServers {
			return true
		}
	}
	return false
}
