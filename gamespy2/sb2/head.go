package sb2

import (
	"math"

	"github.com/lobbywire/lobbywire/internal/wire"
)

// GameOptions are flags of a game in a [Head].
type GameOptions uint16

// GameChallenge means that clients must request a challenge from servers of the
// game before a query.
const GameChallenge GameOptions = 1 << 7

// String returns "challenge" for that option. Unknown options follow as a hexadecimal number; no
// options are "0x0".
func (o GameOptions) String() string { return wire.BitNames(o, []string{7: "challenge"}, 16, "0x0") }

// A Head is the start of an answer. It is not encrypted, but everything after it is.
//
//wire:message canonical
type Head struct {
	Options GameOptions
	Random  []byte // without meaning; up to 253 bytes

	// Challenge is the master's contribution to the key of the cipher, up to 255
	// random bytes. Known masters send 25.
	Challenge []byte
}

// The lengths in a head are XORed with these.
const (
	optionsMask   = 0xec
	challengeMask = 0xea
)

// gameOptionsSize is the size of GameOptions, which are the first random bytes.
const gameOptionsSize = 2

// decode fails if there is no room for Options.
func (m *Head) decode(r *wire.Reader, _ Options) {
	m.read(r)
	r.End()
}

func (m *Head) read(r *wire.Reader) {
	at := r.Offset()
	n := int(r.Uint8("randomLength") ^ optionsMask)
	if n < gameOptionsSize && !r.Failed() {
		r.Refuse("randomLength", at, "leaves no room for the game options")
	}
	m.Options = GameOptions(r.Uint16("options"))
	m.Random = r.Bytes(n-gameOptionsSize, "random")
	n = int(r.Uint8("challengeLength") ^ challengeMask)
	m.Challenge = r.Bytes(n, "challenge")
}

// append fails if Random or Challenge is too long.
func (m *Head) append(w *wire.Writer) {
	n := gameOptionsSize + len(m.Random)
	if n > math.MaxUint8 {
		w.Exceed("random", len(m.Random), math.MaxUint8-gameOptionsSize)
	}
	w.Uint8(uint8(n) ^ optionsMask)
	w.Uint16(uint16(m.Options))
	w.Bytes(m.Random)
	if len(m.Challenge) > math.MaxUint8 {
		w.Exceed("challenge", len(m.Challenge), math.MaxUint8)
	}
	w.Uint8(uint8(len(m.Challenge)) ^ challengeMask)
	w.Bytes(m.Challenge)
}
