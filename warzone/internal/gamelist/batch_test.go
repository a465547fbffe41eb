package gamelist_test

import (
	"encoding"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire/warzone"
	"github.com/lobbywire/lobbywire/warzone/internal/gamelist"
)

// Encoded games between AppendFirstBatch, a status and AppendSecondBatch are the
// reply that AppendBinary writes.
func TestAppendBatchesEqualsAppendBinary(t *testing.T) {
	add := func(b []byte, m encoding.BinaryAppender) []byte {
		b, err := m.AppendBinary(b)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	status := warzone.Status{Code: warzone.StatusOK, Text: "OK"}
	for n, first := range map[int]int{0: 0, 1: 1, 11: 11, 12: 11, 100: 11} {
		var all []warzone.Game
		var encoded []byte
		for i := range n {
			g := warzone.Game{Version: warzone.Version4, Size: warzone.SizeOfGame, Name: "Game", GameID: uint32(i) + 1}
			all, encoded = append(all, g), add(encoded, g)
		}
		m := warzone.ListReply{
			Games: all, Status: &status,
			Batches: &warzone.Batches{Parameters: warzone.IgnoreFirstBatch, First: first},
		}
		joined := gamelist.AppendFirstBatch(nil, first)
		joined = append(joined, encoded[:first*warzone.GameSize]...)
		joined = gamelist.AppendSecondBatch(add(joined, status), n)
		joined = append(joined, encoded...)
		if diff := cmp.Diff(add(nil, m), joined); diff != "" {
			t.Errorf("%d games (-reply +joined):\n%s", n, diff)
		}
	}
}
