package gamespy2net

import (
	"math"
	"net/netip"
	"time"

	"github.com/lobbywire/lobbywire/internal/udp"
)

// A ChallengeMode states which queries a [Server] answers. The address of a query
// without a challenge may be forged, and its answer may go to a victim.
type ChallengeMode int

// The modes.
const (
	// ChallengeOffered answers challenge requests and all queries, but queries
	// with no challenge or a wrong one only at a low rate. Every known client gets an
	// answer: also Battlefield 2's browser, GameQ and opengsq, which query many games
	// without a challenge, and gamedig, which may send challenge request and query from
	// two ports.
	ChallengeOffered ChallengeMode = iota

	// ChallengeRequired answers only queries with a challenge, as Battlefield
	// 2142, Crysis, Unreal Tournament 3 and Minecraft do. Clients that do not
	// support challenges cannot see the server.
	ChallengeRequired

	// ChallengeOff does not answer challenge requests, like Battlefield 2. All
	// queries are answered at the low rate.
	ChallengeOff
)

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
