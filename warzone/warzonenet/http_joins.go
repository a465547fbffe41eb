package warzonenet

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"slices"
	"strings"
	"time"
)

// A usedJoin is an element of HTTPDetails.Joins: a token that a player has used, so that
// nobody else can use it. The same player may use it again, for example to try another
// password. Elements are sorted, so tokens that expire first come first.
type usedJoin string

// Sizes of the parts of a usedJoin, in bytes.
const (
	endSize    = 8 // when the token expires
	nonceSize  = 8 // of the token
	playerSize = 8 // the start of a hash of the player's key
	usedSize   = endSize + nonceSize + playerSize
)

// maxJoins limits the tokens that a game remembers. It is larger than the number of
// players who join a game while a token is valid. If there are more, other players can
// use the oldest tokens.
const maxJoins = 128

// token returns the part that identifies the token.
func (u usedJoin) token() string { return string(u[:endSize+nonceSize]) }

func (u usedJoin) isValid(now time.Time) bool {
	return now.Before(time.Unix(int64(binary.BigEndian.Uint64([]byte(u[:endSize]))), 0))
}

// addJoin adds a token and the player who uses it. It returns false if another player has
// used the token.
func addJoin(joins, token, key string, now time.Time) (all string, ok bool) {
	player := sha256.Sum256([]byte(key))
	added := usedJoin(token + string(player[:playerSize]))
	for _, u := range usedJoins(joins) {
		if u.token() == token {
			return joins, u == added
		}
	}
	return mergeJoins(joins, string(added), now), true
}

// mergeJoins returns the used tokens of two nodes. If two players have used the
// same token at two nodes, all nodes choose the same one of them.
func mergeJoins(a, b string, now time.Time) string {
	if a == b {
		return a
	}
	all := append(usedJoins(a), usedJoins(b)...)
	slices.SortFunc(all, cmp.Compare)
	all = slices.CompactFunc(all, func(u, v usedJoin) bool { return u.token() == v.token() })
	all = slices.DeleteFunc(all, func(u usedJoin) bool { return !u.isValid(now) })
	all = all[max(0, len(all)-maxJoins):]
	var joined strings.Builder
	for _, u := range all {
		joined.WriteString(string(u))
	}
	return joined.String()
}

// usedJoins returns the elements of Joins.
func usedJoins(joins string) (all []usedJoin) {
	for ; len(joins) >= usedSize; joins = joins[usedSize:] {
		all = append(all, usedJoin(joins[:usedSize]))
	}
	return all
}
