package serverlist

import (
	"net/netip"
	"time"

	"github.com/lobbywire/lobbywire/internal/registry"
)

// The minimum times between two checks of a listed server, so that forged heartbeats
// do not cause constant queries.
const (
	recheckEvery = 20 * time.Second
	restopEvery  = 5 * time.Second // if it may be stopping
)

// stopAfter is the time from a change of state to the query, so that a server that is
// stopping has stopped.
const stopAfter = 2 * time.Second

// Recheck starts another check of a server, if one is due. It reports whether the server is
// listed, or has returned a challenge of GameAgent.
func (k *Checker) Recheck(c Check, now time.Time) (listed bool) {
	k.List.Servers.Do(now, func(t *Locked) { listed = k.recheckListed(t, c, now) })
	return listed
}

func (k *Checker) recheckListed(t *Locked, c Check, now time.Time) (listed bool) {
	i, listed := k.listed(t, c.Query, c.Game)
	if !listed {
		c.Query, c.namedPort = c.From, c.Query.Port()
		i, listed = k.listed(t, c.Query, c.Game)
		listed = listed && t.Value(i).namedPort == c.namedPort
	}
	if !listed {
		return false
	}
	s, clock := t.Value(i), k.List.Servers.Clock(now)
	if c.Stops {
		k.checkStop(s, c, now)
		return true
	}
	s.heard = clock
	if clock-s.checked >= recheckEvery && k.lanes.proven.add(c) {
		s.checked = clock
	}
	return true
}

// listed returns the server with a query address, if it is listed or has returned a challenge of
// GameAgent, and has validated if the game requires that.
func (k *Checker) listed(t *Locked, query netip.AddrPort, g *Game) (i int, ok bool) {
	i, known := t.Find(query)
	if !known || t.State(i) == registry.Hidden || t.Value(i).status == "" && g.MustValidate() {
		return 0, false
	}
	return i, true
}

// checkStop starts a check of a server whose state has changed, once it should have stopped
// and the minimum time has passed: the server does not repeat its message.
func (k *Checker) checkStop(s *server, c Check, now time.Time) {
	clock := k.List.Servers.Clock(now)
	stopped := clock + stopAfter
	if s.checked >= stopped {
		return // a late enough check is waiting
	}
	c.at = max(stopped, s.checked+restopEvery)
	if k.lanes.stopping.add(c) {
		s.checked = c.at
	}
}
