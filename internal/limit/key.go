package limit

import (
	"crypto/rand"
	"encoding/binary"
	"math/bits"
)

// A key is the secret of a hash, so that peers cannot choose addresses that share a bucket.
type key [2]uint64

func newKey() (k key) {
	var b [16]byte
	rand.Read(b[:])
	return key{binary.NativeEndian.Uint64(b[:]), binary.NativeEndian.Uint64(b[8:]) | 1}
}

// hash multiplies and folds twice, as wyhash does. All bits of the result depend on all
// bits of n.
func (k *key) hash(n uint64) uint64 {
	high, low := bits.Mul64(n^k[0], k[1])
	high, low = bits.Mul64(high^low^k[1], k[0]|1)
	return high ^ low
}
