package gameagent

import (
	"math"

	"github.com/lobbywire/lobbywire/gameagent/internal/pairs"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// A Ping answers a [PingRequest]. It is the byte 4 and the number of players in
// decimal digits: 04 31 36 stands for 16 players.
//
//wire:message FromServer type=typePing
type Ping struct {
	Players int `wire:"players,count"` // players on the server now, from 0 to 2147483647
}

// decodeCount reads decimal digits up to the end of the message.
func decodeCount(r *wire.Reader, field string) int {
	return int(pairs.DecodeDecimal(r, math.MaxInt32, pairs.NoEnd, field))
}

// appendCount appends decimal digits.
//
//wire:fails a number is below 0 or above 2147483647
func appendCount(w *wire.Writer, field string, n int) { pairs.AppendNumber(w, &n, field) }
