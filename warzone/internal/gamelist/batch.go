package gamelist

import (
	"encoding/binary"

	"github.com/lobbywire/lobbywire/warzone"
)

// AppendFirstBatch appends the start of a [warzone.ListReply] to b, for a lobby that
// keeps its games encoded: it appends the games next, at most [warzone.MaxFirstBatch].
// Its status follows.
func AppendFirstBatch(b []byte, games int) []byte {
	return binary.BigEndian.AppendUint32(b, uint32(games))
}

// AppendSecondBatch appends the part of a [warzone.ListReply] between the status and a
// second batch that replaces the first. The lobby appends all games next.
func AppendSecondBatch(b []byte, games int) []byte {
	b = binary.BigEndian.AppendUint32(b, warzone.IgnoreFirstBatch)
	return binary.BigEndian.AppendUint32(b, uint32(games))
}
