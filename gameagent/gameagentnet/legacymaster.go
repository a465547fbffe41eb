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

// legacyHeartbeat starts a check of the server, whether to list it or to keep it
// listed. A server that is not listed gets a challenge.
func (m *Master) legacyHeartbeat(from netip.AddrPort, req []byte, now time.Time, dst [][]byte) [][]byte {
	h, err := gameagent.ParseLegacyHeartbeat(req)
	query := netip.AddrPortFrom(from.Addr(), h.QueryPort)
	if err != nil {
		m.refusals.Report(lobbywire.Refusal{From: from, Reason: lobbywire.ReasonInvalid, Err: err})
		return dst
	}
	if !listable(query) {
		m.refusals.Address(query, h.GameName)
		return dst
	}
	g := m.game(h.GameName)
	if g == nil {
		m.foreign.Add(1)
		m.refuse(query, lobbywire.ReasonGame, h.GameName)
		return dst
	}
	c := check{query: query, game: g, stops: h.StateChanged}
	listed, due := m.recheck(c, now)
	switch {
	case due && c.stops:
		m.lanes.stopping.add(c)
	case due:
		m.lanes.proven.add(c)
	case listed, !m.loop.Limiter.Allow(from.Addr(), now):
	default:
		c.from, c.isFirst, c.stops = from, true, false
		m.refuseCheck(c, lobbywire.ReasonQuery, nil)
		if m.waiting.add(c, now) {
			m.lanes.first.add(c)
		}
		if g.Key != "" {
			m.challenged.Add(1)
			dst = udp.AppendMessage(dst, gameagent.LegacySecure{Secure: udp.Letters(m.loop.Minter.Token(from, now))})
		}
	}
	return dst
}

// recheck reports whether a server is listed, or verified in the native form, and
// whether another check is due.
func (m *Master) recheck(c check, now time.Time) (listed, due bool) {
	m.servers.Lock(now)
	defer m.servers.Unlock()
	i, known := m.servers.Find(c.query)
	if !known {
		return false, false
	}
	s := m.servers.Value(i)
	if m.servers.State(i) == registry.Hidden || s.status == "" && c.game.mustValidate() {
		return false, false
	}
	m.heard++
	every := recheckEvery
	if c.stops {
		every = restopEvery
	}
	due = m.servers.Clock(now)-s.checked >= every
	if due {
		s.checked = m.servers.Clock(now)
	}
	return true, due
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
