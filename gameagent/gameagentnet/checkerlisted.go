package gameagentnet

import (
	"net/netip"
	"time"

	"github.com/lobbywire/lobbywire"
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

// first starts the first check of a server, unless it is being checked.
func (k *checker) first(c check, now time.Time) {
	k.refuse(c, lobbywire.ReasonQuery, nil)
	if k.waiting.add(c, now) {
		k.lanes.first.add(c)
	}
}

// recheck starts another check of a server, if that is due. It reports whether the server
// is listed, or verified in the native form.
func (k *checker) recheck(c check, now time.Time) (listed bool) {
	k.catalogue.servers.Do(now, func(t *locked) { listed = k.recheckListed(t, c, now) })
	return listed
}

func (k *checker) recheckListed(t *locked, c check, now time.Time) (listed bool) {
	i, listed := k.listed(t, c.query, c.game)
	if !listed {
		c.query, c.namedPort = c.from, c.query.Port()
		i, listed = k.listed(t, c.query, c.game)
		listed = listed && t.Value(i).namedPort == c.namedPort
	}
	if !listed {
		return false
	}
	s, clock := t.Value(i), k.catalogue.servers.Clock(now)
	if c.stops {
		k.checkStop(s, c, now)
		return true
	}
	s.heard = clock
	if clock-s.checked >= recheckEvery && k.lanes.proven.add(c) {
		s.checked = clock
	}
	return true
}

// listed returns the server with a query address, if it is listed or verified in the
// native form, and has validated if the game requires that.
func (k *checker) listed(t *locked, query netip.AddrPort, g *game) (i int, ok bool) {
	i, known := t.Find(query)
	if !known || t.State(i) == registry.Hidden || t.Value(i).status == "" && g.mustValidate() {
		return 0, false
	}
	return i, true
}

// checkStop starts a check of a server whose state has changed, once it must have
// stopped and the minimum time has passed: the server does not repeat its message.
func (k *checker) checkStop(s *registered, c check, now time.Time) {
	clock := k.catalogue.servers.Clock(now)
	stopped := clock + stopAfter
	if s.checked >= stopped {
		return // a check waits that is late enough
	}
	c.at = max(stopped, s.checked+restopEvery)
	if k.lanes.stopping.add(c) {
		s.checked = c.at
	}
}
