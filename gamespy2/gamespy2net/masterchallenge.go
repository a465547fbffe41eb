package gamespy2net

import (
	"crypto/subtle"
	"encoding/binary"
	"net/netip"
	"time"

	"github.com/lobbywire/lobbywire/gamespy2"
	"github.com/lobbywire/lobbywire/gamespy2/qr2"
	"github.com/lobbywire/lobbywire/internal/udp"
)

// appendChallenge appends the text of a challenge to a server of the game.
func (g *gameTable) appendChallenge(b []byte, from netip.AddrPort, token uint32) []byte {
	t := qr2.ChallengeText{Random: udp.Letters(token), Addr: from}
	if g.RequireChallenge {
		t.Options = qr2.OptionQueryChallenge
	}
	return t.AppendTo(b)
}

// isRight reports whether text answers a challenge that was sent to from.
func (m *Master) isRight(g *gameTable, from netip.AddrPort, text string, now time.Time) bool {
	const right = 1
	return m.loop.Minter.ValidAs(func(token uint32) int32 { return g.compare(from, token, text) }, from, right, now)
}

// isLate reports whether text answers a challenge that was sent to from up to a minute
// before the ones that are still valid.
func (m *Master) isLate(g *gameTable, from netip.AddrPort, text string, now time.Time) bool {
	for slots := 2; slots <= 8; slots++ {
		token := m.loop.Minter.Token(from, now.Add(-time.Duration(slots)*challengeSlot))
		if g.compare(from, token, text) == 1 {
			return true
		}
	}
	return false
}

// compare returns 1 if text answers the challenge with a token, and 0 if not. Its time does
// not depend on how much of text is right.
func (g *gameTable) compare(from netip.AddrPort, token uint32, text string) int32 {
	var challenge [qr2.MaxChallenge]byte
	var answer [2 * qr2.MaxChallenge]byte
	want := qr2.AppendAnswer(answer[:0], g.appendChallenge(challenge[:0], from, token), g.Key)
	return int32(subtle.ConstantTimeCompare(want, []byte(text)))
}

// query appends the queries with which the Master checks that a server answers,
// unless they are longer than most bytes: a query for a key and, for servers that
// require a challenge, a challenge request.
func (m *Master) query(from netip.AddrPort, most int, now time.Time, dst [][]byte) [][]byte {
	var id [4]byte
	binary.BigEndian.PutUint32(id[:], m.loop.Minter.Token(from, now))
	out, size := dst, 0
	for _, q := range []gamespy2.Request{
		{Type: gamespy2.TypeQuery, ID: id, Info: gamespy2.Keys(gamespy2.KeyHostname)},
		{Type: gamespy2.TypeChallenge, ID: id},
	} {
		out = udp.AppendMessage(out, q) // cannot fail
		size += len(out[len(out)-1])
	}
	if size > most {
		return dst
	}
	return out
}

// A queryAnswer is what a datagram is for a query of the Master.
type queryAnswer int

const (
	noQueryAnswer      queryAnswer = iota
	answersQuery                   // to the query, which has no challenge
	answersOnChallenge             // to the challenge request
)

// queryAnswerIn returns what a datagram is for a query of the Master.
func (m *Master) queryAnswerIn(b []byte, from netip.AddrPort, now time.Time) queryAnswer {
	var id [4]byte
	answer := noQueryAnswer
	if v, err := gamespy2.ParseValues(b, 1); err == nil {
		id, answer = v.ID, answersQuery
	} else if c, err := gamespy2.ParseChallengeResponse(b); err == nil {
		id, answer = c.ID, answersOnChallenge
	}
	if !m.loop.Minter.Valid(from, binary.BigEndian.Uint32(id[:]), now) {
		return noQueryAnswer
	}
	return answer
}
