package gamespy2net

import (
	"net/netip"
	"time"

	"github.com/lobbywire/lobbywire/gamespy2"
)

// A query is a request that gets an answer.
type query struct {
	gamespy2.Request

	verified  bool // the request has a valid challenge
	basicStat bool // a client of Minecraft requests the basic stat
}

// parse parses a request. It returns false if the request gets no answer.
//
// The packet does not state whether a query has a challenge. So a query whose
// challenge is wrong is ambiguous, and is parsed again as a query without one.
func (c challenges) parse(state *encoded, now time.Time, from netip.AddrPort, req []byte) (query, bool) {
	if state.basicStat != nil {
		if q, ok := c.parseStat(now, from, req); ok {
			return q, true
		}
	}
	if c.mode != ChallengeOff {
		m, err := gamespy2.Options{Challenge: true}.ParseRequest(req)
		switch {
		case err == nil && m.Type != gamespy2.TypeQuery:
			return query{Request: m}, true
		case err == nil && c.isValid(m.Challenge, from, now):
			return query{Request: m, verified: true}, true
		case c.mode == ChallengeRequired:
			return query{}, false
		case err == nil && listsNoKeys(&m):
			return query{Request: m}, true
		}
	}
	m, err := gamespy2.ParseRequest(req)
	return query{Request: m}, err == nil
}

// parseStat reads a request of a client of Minecraft. It returns false if the
// request is not one.
func (c challenges) parseStat(now time.Time, from netip.AddrPort, req []byte) (query, bool) {
	m, err := gamespy2.ParseStatRequest(req)
	if err != nil {
		return query{}, false
	}
	q := query{
		Request:   gamespy2.Request{Type: gamespy2.TypeQuery, ID: m.ID, Flags: gamespy2.FlagSplit},
		verified:  c.isValid(m.Challenge, from, now),
		basicStat: !m.Full,
	}
	if !q.verified {
		if c.mode == ChallengeRequired {
			return query{}, false
		}
		// A query for all keys without a challenge is as long as a request for
		// the basic stat.
		if other, err := gamespy2.ParseRequest(req); err == nil && other.Split() && listsNoKeys(&other) {
			q.basicStat = false
		}
	}
	return q, true
}

// listsNoKeys reports whether a query selects only whole sections. Such a query is
// not ambiguous: with a challenge it cannot be read as one without.
func listsNoKeys(m *gamespy2.Request) bool {
	return m.Info.Len() == 0 && m.Players.Len() == 0 && m.Teams.Len() == 0
}
