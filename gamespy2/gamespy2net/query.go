package gamespy2net

import (
	"bytes"
	"math"
	"net/netip"
	"time"

	"github.com/lobbywire/lobbywire/gamespy2"
	"github.com/lobbywire/lobbywire/internal/udp"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// A ChallengeMode selects the queries that a [Server] answers. The address of a query
// without a challenge may be forged, and its answer may go to a victim.
type ChallengeMode int

// The modes.
const (
	// ChallengeOffered answers challenge requests and all queries, but queries without a
	// valid challenge only at a low rate. Every known client gets an answer, including
	// Battlefield 2's browser, GameQ and opengsq, which query many games without a
	// challenge, and gamedig, which may send challenge request and query from two ports.
	ChallengeOffered ChallengeMode = iota

	// ChallengeRequired answers only queries with a challenge, as Battlefield
	// 2142, Crysis, Unreal Tournament 3 and Minecraft do. Clients that do not
	// support challenges cannot see the server.
	ChallengeRequired

	// ChallengeOff does not answer challenge requests, like Battlefield 2. All
	// queries are answered at the low rate.
	ChallengeOff
)

// String returns "offered", "required", "off" or a form such as "mode(7)".
func (m ChallengeMode) String() string { return wire.EnumName(m, "mode", "offered", "required", "off") }

// challenges are the challenges of a Server.
type challenges struct {
	mode   ChallengeMode
	minter *udp.Minter
}

// make returns the challenge for an address; 0 means that it needs none.
func (c challenges) make(from netip.AddrPort, now time.Time) int32 {
	if c.mode == ChallengeOff {
		return 0
	}
	return number(c.minter.Token(from, now))
}

// isValid reports whether a challenge was sent to from and is still valid.
func (c challenges) isValid(challenge int32, from netip.AddrPort, now time.Time) bool {
	return c.mode != ChallengeOff && c.minter.ValidAs(number, from, challenge, now)
}

// number converts a token to a challenge. It is positive, because some clients may not
// parse a sign, and has at least six digits, because qstat misreads shorter numbers.
func number(token uint32) int32 {
	const least = 100_000
	return int32(least + token%(math.MaxInt32-least))
}

// A query is a request that gets an answer.
type query struct {
	gamespy2.Request

	verified  bool // the request contains a valid challenge
	basicStat bool // a client of Minecraft requests the basic stat
}

// parse parses a request. It accepts requests of clients of Minecraft only if minecraft is
// set. If the request gets no answer, the outcome is not udp.Handled.
//
// The packet does not show whether a query contains a challenge. A query with a wrong
// challenge is therefore ambiguous, and is parsed again as a query without one.
func (c challenges) parse(minecraft bool, now time.Time, from netip.AddrPort, req []byte) (query, udp.Outcome) {
	if minecraft {
		if q, ok := c.parseStat(now, from, req); ok {
			return q, udp.Handled
		}
	}
	if c.mode != ChallengeOff {
		m, err := gamespy2.Options{Challenge: true}.ParseRequest(req)
		switch {
		case err == nil && m.Type != gamespy2.TypeQuery:
			return query{Request: m}, udp.Handled
		case err == nil && c.isValid(m.Challenge, from, now):
			return query{Request: m, verified: true}, udp.Handled
		case err == nil && listsNoKeys(&m) && m.Sections() != 0 && c.mode != ChallengeRequired:
			return query{Request: m}, udp.Handled
		}
	}
	m, err := gamespy2.ParseRequest(req)
	switch {
	case !bytes.HasPrefix(req, []byte{0xfe, 0xfd}):
		return query{}, udp.Foreign
	case err != nil:
		return query{}, udp.Unsupported
	case c.mode == ChallengeRequired:
		return query{}, udp.Unverified
	}
	return query{Request: m}, udp.Handled
}

// parseStat reads a request of a client of Minecraft. It returns false if the request is
// not one. Some clients send too little padding in a request for the full stat; like
// Minecraft, the server answers these with the basic stat, unless they are queries of
// another game.
func (c challenges) parseStat(now time.Time, from netip.AddrPort, req []byte) (query, bool) {
	const basic, selectors = 11, 14 // bytes of a request for the basic stat, and of a query with a challenge
	short := len(req) > basic && len(req) < selectors
	if short {
		req = req[:basic]
	}
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
		if c.mode == ChallengeRequired || short {
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
