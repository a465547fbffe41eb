package gameagentnet

import (
	"crypto/subtle"
	"net/netip"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/internal/registry"
	"github.com/lobbywire/lobbywire/internal/udp"
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

// legacyHeartbeat starts a check of the server, whether to list it or to keep it
// listed. A server that is not listed gets a challenge.
func (m *Master) legacyHeartbeat(
	local netip.Addr, from netip.AddrPort, req []byte, now time.Time, dst [][]byte,
) [][]byte {
	h, err := gameagent.ParseLegacyHeartbeat(req)
	g := m.game(h.GameName)
	query := g.queryOf(&h, from)
	if err != nil {
		m.refusals.Report(lobbywire.Refusal{From: from, Reason: lobbywire.ReasonInvalid, Err: err})
		return dst
	}
	if !listable(query) {
		m.refusals.Address(query, h.GameName)
		return dst
	}
	if g == nil {
		m.foreign.Add(1)
		m.refuse(query, lobbywire.ReasonGame, h.GameName)
		return dst
	}
	c := check{query: query, game: g, from: from, local: local, stops: h.StateChanged}
	switch {
	case m.recheck(c, now), c.stops && m.waiting.stop(c, now), h.ShuttingDown, !m.loop.Limiter.Allow(from.Addr(), now):
		return dst
	}
	c.isFirst, c.stops = true, false
	m.refuseCheck(c, lobbywire.ReasonQuery, nil)
	if m.waiting.add(c, now) {
		m.lanes.first.add(c)
	}
	if g.Key != "" {
		m.challenged.Add(1)
		dst = udp.AppendMessage(dst, gameagent.LegacySecure{Secure: udp.Letters(m.loop.Minter.Token(from, now))})
	}
	return dst
}

// recheck starts another check of a server, if that is due. It reports whether the server
// is listed, or verified in the native form.
func (m *Master) recheck(c check, now time.Time) (listed bool) {
	m.servers.Do(now, func(t *locked) { listed = m.recheckListed(t, c, now) })
	return listed
}

func (m *Master) recheckListed(t *locked, c check, now time.Time) (listed bool) {
	i, listed := m.listed(t, c.query, c.game)
	if !listed {
		c.query, c.named = c.from, c.query.Port()
		i, listed = m.listed(t, c.query, c.game)
		listed = listed && t.Value(i).named == c.named
	}
	if !listed {
		return false
	}
	m.heard++
	s, clock := t.Value(i), m.servers.Clock(now)
	switch {
	case c.stops:
		m.checkStop(s, c, now)
	case clock-s.checked >= recheckEvery && m.lanes.proven.add(c):
		s.checked = clock
	}
	return true
}

// listed returns the server with a query address, if it is listed or verified in the
// native form, and has validated if the game requires that.
func (m *Master) listed(t *locked, query netip.AddrPort, g *game) (i int, ok bool) {
	i, known := t.Find(query)
	if !known || t.State(i) == registry.Hidden || t.Value(i).status == "" && g.mustValidate() {
		return 0, false
	}
	return i, true
}

// checkStop starts a check of a server whose state has changed, once it must have
// stopped and the minimum time has passed: the server does not repeat its message.
func (m *Master) checkStop(s *registered, c check, now time.Time) {
	clock := m.servers.Clock(now)
	stopped := clock + stopAfter
	if s.checked >= stopped {
		return // a check waits that is late enough
	}
	c.at = max(stopped, s.checked+restopEvery)
	if m.lanes.stopping.add(c) {
		s.checked = c.at
	}
}

// legacyValidation checks a server before others if it has returned the
// challenge, which verifies its address.
func (m *Master) legacyValidation(from netip.AddrPort, req []byte, now time.Time) {
	var wrong *check // one whose game must validate
	c, ok := m.waiting.validate(from, now, func(c check) bool {
		if !m.loop.Limiter.Allow(from.Addr(), now) {
			return false
		}
		v, err := gameagent.ParseLegacyValidation(req)
		right := err == nil && m.isValid(from, v.Validate, c.game.Key, now)
		if !right {
			m.wrong.Add(1)
		}
		if !right && c.game.mustValidate() {
			wrong = &c
		}
		return right
	})
	if wrong != nil {
		m.refuseCheck(*wrong, lobbywire.ReasonKey, nil)
	}
	if ok {
		m.lanes.proven.add(c)
	}
}

// isValid reports whether validate is the answer to a challenge that was sent
// to from.
func (m *Master) isValid(from netip.AddrPort, validate, key string, now time.Time) bool {
	const right = 1
	return m.loop.Minter.ValidAs(func(token uint32) int32 {
		want := gameagent.LegacyValidate(udp.Letters(token), key)
		return int32(subtle.ConstantTimeCompare([]byte(validate), []byte(want)))
	}, from, right, now)
}
