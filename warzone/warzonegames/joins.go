package warzonegames

import (
	"crypto/sha256"
	"encoding/binary"
	"slices"
	"strings"
	"time"
)

// HTTPDetails.Joins has the tokens that players have used, so that nobody else can use
// them. The same player may use a token again, for example to try another password. Its
// elements are sorted, so tokens that expire first come first. They consist of parts of
// these sizes, in bytes.
const (
	EndSize       = 8 // when the token expires
	NonceSize     = 8 // of the token
	playerSize    = 8 // the start of a hash of the player's key
	JoinTokenSize = EndSize + NonceSize
	usedSize      = JoinTokenSize + playerSize
)

// maxJoins limits the tokens that a game remembers. It is larger than the number of
// players who join a game while a token is valid. If there are more, other players can
// use the oldest tokens.
const maxJoins = 128

// IsValidJoin reports whether a token, with which s begins, has not expired.
func IsValidJoin(s string, now time.Time) bool {
	return now.Before(time.Unix(int64(binary.BigEndian.Uint64([]byte(s[:EndSize]))), 0))
}

// AddJoin adds a token and the player who uses it. It returns false if another player has
// used the token.
func AddJoin(joins, token, key string, now time.Time) (all string, ok bool) {
	player := sha256.Sum256([]byte(key))
	added := token + string(player[:playerSize])
	for _, used := range usedJoins(joins) {
		if strings.HasPrefix(used, token) {
			return joins, used == added
		}
	}
	return mergeJoins(joins, added, now), true
}

// mergeJoins returns the used tokens of two nodes. If two players have used the
// same token at two nodes, all nodes choose the same one of them.
func mergeJoins(a, b string, now time.Time) string {
	if a == b {
		return a
	}
	all := append(usedJoins(a), usedJoins(b)...)
	slices.Sort(all)
	all = slices.CompactFunc(all, func(u, v string) bool { return u[:JoinTokenSize] == v[:JoinTokenSize] })
	all = slices.DeleteFunc(all, func(u string) bool { return !IsValidJoin(u, now) })
	return strings.Join(all[max(0, len(all)-maxJoins):], "")
}

// usedJoins returns the elements of Joins.
func usedJoins(joins string) (all []string) {
	for ; len(joins) >= usedSize; joins = joins[usedSize:] {
		all = append(all, joins[:usedSize])
	}
	return all
}
