package warzone

import (
	"bytes"
	"encoding/binary"
)

// isRecord reports whether games have 112 bytes and no version word.
func (l Layout) isRecord() bool { return l == Layout20 || l == Layout21 }

// gameSize returns the size of a game. The layouts with a version word share it.
func (l Layout) gameSize() int {
	if l.isRecord() {
		return RecordSize
	}
	return GameSize
}

// The offset and the size of Extra in layout40. HostPort follows.
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

// of returns the layout of a game with a version, as in the tags of Game. If there is none,
// it returns the name of the invalid field.
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
	case len(p) < at+4:
		return Layout21
	case binary.LittleEndian.Uint32(p[at:]) == SizeOfRecord:
		return Layout20
	case binary.BigEndian.Uint32(p[at:]) != SizeOfRecord && p[0] == 0 && binary.BigEndian.Uint32(p) != 0:
		return LayoutVersioned // of an unknown version
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

// neededForGame returns the number of bytes needed to read or refuse the game at the start
// of p, which has at least four bytes.
func (o Options) neededForGame(p []byte) int {
	l := o.layoutOf(p)
	if !l.isRecord() && !isKnownVersion(p) {
		return 4
	}
	return l.gameSize()
}

// isKnownVersion reports whether p, of four bytes or more, starts with a known version word.
func isKnownVersion(p []byte) bool {
	v := binary.BigEndian.Uint32(p)
	return Version2 <= v && v <= Version4
}

// isOtherVersion reports whether p starts, or may start if it is too short, with a game of
// an unknown version: with a small version word, or with the Size of the known versions.
func isOtherVersion(p []byte) bool {
	at := LayoutVersioned.sizeOffset()
	switch {
	case len(p) < 4 || p[0] != 0 || isKnownVersion(p):
		return false
	case isVersionWord(p), len(p) < at+4:
		return true
	}
	return binary.BigEndian.Uint32(p[at:]) == SizeOfGame
}
