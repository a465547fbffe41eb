package wirejson

import (
	"encoding/binary"
	"math/bits"
)

// plainSize returns how many bytes at the start of p stand for themselves in a JSON string:
// ASCII without control characters, quotes and backslashes. It tests 8 bytes at a time.
func plainSize(p []byte) int {
	last := len(p) - 8
	if last < 0 {
		return min(plainBytes(padded(p)), len(p))
	}
	for n := 0; ; n = min(n+8, last) {
		if plain := plainBytes(binary.LittleEndian.Uint64(p[n:])); plain < 8 {
			return n + plain
		}
		if n == last {
			return len(p)
		}
	}
}

// padded returns the word of p, which has less than 8 bytes, and spaces behind it.
func padded(p []byte) uint64 {
	v := uint64(spaces) << (8 * len(p))
	if n := len(p) - 4; n >= 0 {
		low, high := binary.LittleEndian.Uint32(p), binary.LittleEndian.Uint32(p[n:])
		return v | uint64(low) | uint64(high)<<(8*n)
	}
	for i, c := range p {
		v |= uint64(c) << (8 * i)
	}
	return v
}

// A byte of each of these words is repeated.
const (
	ones   = 0x0101010101010101
	highs  = 0x80 * ones
	spaces = ' ' * ones
)

// plainBytes returns how many bytes of v, from the lowest, are plain. A subtraction sets the
// high bit of a byte that is too low. It may borrow from the bytes above that one, but not
// from those below it.
func plainBytes(v uint64) int {
	quotes := v ^ ('"' * ones)
	slashes := v ^ ('\\' * ones)
	other := (v | (v - spaces) | (quotes - ones) | (slashes - ones)) & highs
	return bits.TrailingZeros64(other) / 8
}
