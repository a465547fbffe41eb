package gameagent

import "strings"

// What the engine sends instead of a name that it will not send.
const (
	// InvalidNewline stands for a name in which a line break comes before any
	// other character that cannot be sent.
	InvalidNewline = "\x11"

	// InvalidChar stands for a name in which another control character, or for
	// the engine a byte from 0x80 on, comes first.
	InvalidChar = "\x12"
)

// The engine puts a name between two format codes.
const (
	nameStart = "^o"
	nameEnd   = "^r"
)

// DecorateName returns the name as the engine sends it: between ^o and ^r.
// Control characters stay, so that encoding refuses them; bytes from 0x80 on
// stay too and can be sent.
func DecorateName(name string) string { return nameStart + name + nameEnd }

// WireName returns what the engine sends for a name: [DecorateName] of it or,
// if it holds what the engine does not send, [InvalidNewline] or [InvalidChar].
// The engine sends no byte from 0x80 on.
func WireName(name string) string {
	for i := range len(name) {
		switch c := name[i]; {
		case c == '\r' || c == '\n':
			return InvalidNewline
		case c < ' ' || c >= 0x80:
			return InvalidChar
		}
	}
	return DecorateName(name)
}

// PlainName returns a name from the wire without the ^o and ^r around it. Other
// format codes stay. It is "" for [InvalidNewline] and [InvalidChar].
func PlainName(name string) string {
	if IsInvalidName(name) {
		return ""
	}
	if plain, ok := strings.CutPrefix(name, nameStart); ok {
		if plain, ok = strings.CutSuffix(plain, nameEnd); ok {
			return plain
		}
	}
	return name
}

// IsInvalidName tells whether a name from the wire is [InvalidNewline] or
// [InvalidChar]: the player has one that the server did not send.
func IsInvalidName(name string) bool { return name == InvalidNewline || name == InvalidChar }
