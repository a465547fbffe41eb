package warzone

import (
	"bytes"
	"encoding/binary"

	"github.com/lobbywire/lobbywire/internal/wire"
)

// The version words of a [Game].
const (
	Version2 = 2 // 2.2
	Version3 = 3 // 2.3 to 3.3
	Version4 = 4 // 4.0 to 4.6
)

// A Layout is how a [Game] is laid out. Its version word identifies the layout,
// except in the games of early clients.
type Layout uint8

// The layouts.
const (
	LayoutVersioned Layout = 0 // the one of the version word
	Layout20        Layout = 1 // clients 2.0: no version word, little-endian
	Layout21        Layout = 2 // clients 2.1: no version word, big-endian
	Layout23        Layout = 3 // clients 2.3.0 to 2.3.4: version 3 without MapName and HostName
)

// The layouts that LayoutVersioned stands for.
const (
	layout22 Layout = iota + Layout23 + 1 // Version2
	layout30                              // Version3, since 2.3.5
	layout40                              // Version4
)

// String returns "versioned", "2.0", "2.1", "2.3" or, as an example, "layout(7)".
func (l Layout) String() string {
	return wire.EnumName(l, "layout", "versioned", "2.0", "2.1", "2.3")
}

// isRecord reports whether games have 112 bytes and no version word.
func (l Layout) isRecord() bool { return l == Layout20 || l == Layout21 }

// gameSize returns the size of a game. The layouts with a version word share it.
func (l Layout) gameSize() int {
	if l.isRecord() {
		return RecordSize
	}
	return GameSize
}

// The place of Extra in layout40. HostPort follows.
const (
	extraOffset = 220
	extraSize   = 157
)

// sizeOffset returns the offset of Size, which follows the version word and Name.
func (l Layout) sizeOffset() int {
	if l.isRecord() {
		return 64
	}
	return 68
}

// of returns the layout of a game with a version, as the tags of Game name it.
// If there is none, it returns the name of the field that is wrong.
func (l Layout) of(version uint32) (found Layout, wrong string) {
	switch {
	case l.isRecord(), l == Layout23 && version == Version3:
		return l, ""
	case l > Layout23:
		return 0, "layout"
	case l == LayoutVersioned && version == Version2:
		return layout22, ""
	case l == LayoutVersioned && version == Version3:
		return layout30, ""
	case l == LayoutVersioned && version == Version4:
		return layout40, ""
	}
	return 0, "version"
}

// layoutOf returns the layout of the game that p starts with.
func (o Options) layoutOf(p []byte) Layout {
	switch at := Layout20.sizeOffset(); {
	case o.Layout != LayoutVersioned:
		return o.Layout
	case len(p) < 4 && bytes.Count(p, []byte{0}) == len(p), isVersionWord(p):
		return LayoutVersioned
	case len(p) >= at+4 && binary.LittleEndian.Uint32(p[at:]) == SizeOfRecord:
		return Layout20
	}
	return Layout21
}

// isVersionWord reports whether p starts with a version word, known or not.
// Names and commands start with printable characters.
func isVersionWord(p []byte) bool {
	if len(p) < 4 {
		return false
	}
	v := binary.BigEndian.Uint32(p)
	return 0 < v && v < ' '
}

// neededForGame returns how many bytes are needed to read or to refuse the game
// that p, of four bytes or more, starts with.
func (o Options) neededForGame(p []byte) int {
	l := o.layoutOf(p)
	if v := binary.BigEndian.Uint32(p); !l.isRecord() && (v < Version2 || v > Version4) {
		return 4
	}
	return l.gameSize()
}
