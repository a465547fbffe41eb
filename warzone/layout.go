package warzone

import (
	"bytes"
	"encoding/binary"
	"strconv"

	"github.com/lobbywire/lobbywire/internal/wire"
)

// The version words of a [Game].
const (
	Version2 = 2 // 2.2
	Version3 = 3 // 2.3 to 3.3
	Version4 = 4 // 4.x
)

// A Layout tells how a [Game] is laid out where its bytes do not.
type Layout uint8

// The layouts.
const (
	LayoutVersioned Layout = 0 // as the version word in front says
	Layout20        Layout = 1 // clients 2.0: no version word, little-endian
	Layout21        Layout = 2 // clients 2.1: no version word, big-endian
	Layout23        Layout = 3 // clients 2.3.0 to 2.3.4: version 3 without MapName and HostName
)

// String returns "versioned", "2.0", "2.1", "2.3" or, as an example, "layout(7)".
func (l Layout) String() string {
	switch l {
	case LayoutVersioned:
		return "versioned"
	case Layout20:
		return "2.0"
	case Layout21:
		return "2.1"
	case Layout23:
		return "2.3"
	}
	return "layout(" + strconv.Itoa(int(l)) + ")"
}

// isRecord tells whether games have no version word.
func (l Layout) isRecord() bool { return l == Layout20 || l == Layout21 }

// size returns the size of a game.
func (l Layout) size() int {
	if l.isRecord() {
		return RecordSize
	}
	return GameSize
}

// sizeOffset returns where in a game its Size is.
func (l Layout) sizeOffset() int {
	if l.isRecord() {
		return nameSize
	}
	return 4 + nameSize
}

// uint32 reads a number in the byte order of the layout.
func (l Layout) uint32(r *wire.Reader, field string) uint32 {
	if l == Layout20 {
		return r.Uint32LE(field)
	}
	return r.Uint32(field)
}

// appendUint32 appends a number in the byte order of the layout.
func (l Layout) appendUint32(b *wire.Block, v uint32) {
	if l == Layout20 {
		b.Uint32LE(v)
		return
	}
	b.Uint32(v)
}

// layoutOf returns the layout of the game that p starts with.
func (o Options) layoutOf(p []byte) Layout {
	at := Layout20.sizeOffset()
	switch {
	case o.Layout != LayoutVersioned:
		return o.Layout
	case len(p) < 4 && bytes.Count(p, []byte{0}) == len(p), isVersionWord(p):
		return LayoutVersioned
	case len(p) >= at+4 && binary.LittleEndian.Uint32(p[at:]) == SizeOfRecord:
		return Layout20
	}
	return Layout21
}

// isVersionWord tells whether p starts with a version word, known or not. Names
// and commands start with printable characters.
func isVersionWord(p []byte) bool {
	if len(p) < 4 {
		return false
	}
	v := binary.BigEndian.Uint32(p)
	return 0 < v && v < ' '
}

// neededForGame returns the size of the game that p, of four bytes or more,
// starts with: so many bytes are needed to read it or to refuse it.
func (o Options) neededForGame(p []byte) int {
	l := o.layoutOf(p)
	if v := binary.BigEndian.Uint32(p); !l.isRecord() && (v < Version2 || v > Version4) {
		return 4
	}
	return l.size()
}
