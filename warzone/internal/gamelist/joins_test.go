package gamelist_test

import (
	"encoding/binary"
	"testing"
	"time"

	"github.com/lobbywire/lobbywire/warzone/internal/gamelist"
)

// A game remembers a limited number of used tokens, and removes expired ones.
func TestJoinsAreBounded(t *testing.T) {
	const maxJoins, life = 128, 120
	start := time.Unix(1_700_000_000, 0)
	var d gamelist.HTTP
	use := func(i int, player byte, now time.Time) bool {
		token := gamelist.UsedToken{Expires: now.Unix() + life, Player: [8]byte{player}}
		binary.BigEndian.PutUint64(token.Nonce[:], uint64(i))
		return d.UseToken(token, now)
	}
	for i := range 2 * maxJoins {
		if !use(i, 1, start.Add(time.Duration(i)*time.Millisecond)) {
			t.Fatalf("token %d is refused", i)
		}
	}
	if len(d.Joins) != maxJoins || cap(d.Joins) > 2*maxJoins {
		t.Errorf("%d tokens, room for %d", len(d.Joins), cap(d.Joins))
	}
	use(0, 1, start.Add(time.Hour))
	if len(d.Joins) != 1 {
		t.Errorf("%d tokens, want one that has not expired", len(d.Joins))
	}
	if use(0, 2, start.Add(time.Hour)) || !use(0, 1, start.Add(time.Hour)) {
		t.Error("the token is not the first player's")
	}
}
