package wzhttp

import (
	"github.com/lobbywire/lobbywire/internal/wire"
)

// A Netcode is the version of the protocol between host and players. Clients can
// join a game only if both numbers are the same as their own.
type Netcode struct {
	Major, Minor uint32
}

// Netcode47 returns the version of 4.7.0.
func Netcode47() Netcode { return Netcode{0x4000, 104} }

// decodeNetcode reads an array of two numbers.
func decodeNetcode(j *wire.JSON, o Options) Netcode {
	var pair [2]uint32
	a := j.Array()
	n := 0
	for ; a.Next(); n++ {
		v := decodeUint32(j, o)
		if n < len(pair) {
			pair[n] = v
		}
	}
	checkPair(&a, n)
	return Netcode{pair[0], pair[1]}
}

// checkPair fails if an array does not have two elements.
func checkPair(a *wire.Array, n int) {
	if n != 2 {
		a.Fail(wire.Invalid("has not two elements"))
	}
}

// appendNetcode appends an array of two numbers.
func appendNetcode(w *wire.Writer, _ string, v Netcode) {
	w.Text("[")
	w.Int(int64(v.Major))
	w.Text(",")
	w.Int(int64(v.Minor))
	w.Text("]")
}
