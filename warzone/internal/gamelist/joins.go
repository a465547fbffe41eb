package gamelist

import (
	"bytes"
	"cmp"
	"slices"
	"time"
)

// A UsedToken is the token of a player who has joined a game. Other players cannot use it.
// The same player may use it again, for example to try another password.
type UsedToken struct {
	Expires int64   // Unix time in seconds
	Nonce   [8]byte // of the token; tokens of a game differ in it or in Expires
	Player  [8]byte // the start of a hash that identifies the player
}

// maxJoins limits the tokens that a game remembers. It is larger than the number of
// players who join a game while a token is valid. If there are more, other players can
// use the oldest tokens.
const maxJoins = 128

// MergeJoins merges the used tokens of two nodes, sorted by expiry. If two players have
// used the same token at two nodes, all nodes choose the same one of them.
func MergeJoins(a, b []UsedToken, now time.Time) []UsedToken {
	if slices.Equal(a, b) {
		return a
	}
	all := slices.Concat(a, b)
	slices.SortFunc(all, UsedToken.compare)
	all = slices.CompactFunc(all, UsedToken.isSameToken)
	all = slices.DeleteFunc(all, func(t UsedToken) bool { return t.Expires <= now.Unix() })
	return latestJoins(all)
}

// latestJoins returns a copy of the tokens that expire last, as many as a game remembers.
func latestJoins(sorted []UsedToken) []UsedToken {
	return slices.Clone(sorted[max(0, len(sorted)-maxJoins):])
}

// isSameToken reports whether both are the same token, which two players may have used.
func (t UsedToken) isSameToken(u UsedToken) bool {
	return t.Expires == u.Expires && t.Nonce == u.Nonce
}

func (t UsedToken) compare(u UsedToken) int {
	return cmp.Or(cmp.Compare(t.Expires, u.Expires), bytes.Compare(t.Nonce[:], u.Nonce[:]),
		bytes.Compare(t.Player[:], u.Player[:]))
}
