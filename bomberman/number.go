package bomberman

import (
	"math"
	"strconv"

	"github.com/lobbywire/lobbywire/internal/wire"
	"github.com/lobbywire/lobbywire/internal/wire/wirejson"
)

// decodeInt reads an integer of 32 bits.
func decodeInt(j *wirejson.Reader, o Options) int {
	return int(j.Int(math.MinInt32, math.MaxInt32, o.Strict))
}

// decodeInt64 reads an integer of 64 bits.
func decodeInt64(j *wirejson.Reader, o Options) int64 {
	return j.Int(math.MinInt64, math.MaxInt64, o.Strict)
}

// decodeRange reads an integer from low to high.
func decodeRange[T ~int](j *wirejson.Reader, o Options, low, high T) T {
	return T(j.Int(int64(low), int64(high), o.Strict))
}

// decodeIntOrText reads an integer that may be in quotes: the specification says
// integer, but its examples have quotes.
func decodeIntOrText(j *wirejson.Reader, o Options) int {
	if j.Peek() != '"' {
		return decodeInt(j, o)
	}
	p := string(j.View())
	n, err := strconv.ParseUint(p, 10, 31) // which accepts no sign
	if err != nil || o.Strict && p[0] == '0' && len(p) > 1 {
		j.Refuse("is not an integer of 32 bits")
		return 0
	}
	return int(n)
}

// validCount reports whether n is a count. Counts have 31 bits.
func validCount(n int) bool { return n >= 0 && n <= math.MaxInt32 }

// validNumber reports whether n is the number of a player.
func validNumber(n int) bool { return n >= 1 && n <= MaxPlayers }

// maxCoordinate allows for a border around the widest arena.
const maxCoordinate = maxArena + 1

func validCoordinate(n int) bool { return n >= 0 && n <= maxCoordinate }

// isOdd reports whether n is odd.
func isOdd(n int) bool { return n%2 != 0 }

// Reasons for refusing a number.
const (
	validCountFault      wire.Invalid = "is not from 0 to 2147483647"
	validNumberFault     wire.Invalid = "is not from 1 to 4"
	validCoordinateFault wire.Invalid = "is not from 0 to the greatest coordinate"
	isOddFault           wire.Invalid = "is even"
)
