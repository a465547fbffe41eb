package gameagent

import "strings"

// Texts that the engine sends in place of names that it cannot send.
const (
	// InvalidNewline replaces a name whose first unsendable character is a line
	// break.
	InvalidNewline = "\x11"

	// InvalidChar replaces a name whose first unsendable character is another
	// control character or, in the engine, a byte of 0x80 or above.
	InvalidChar = "\x12"
)

// The engine puts a name between two format codes.
const (
	nameStart = "^o"
	nameEnd   = "^r"
)

// DecorateName returns name between ^o and ^r, as the engine sends it. It does
// not check name: appending refuses control characters, and sends bytes of 0x80
// and above although the engine does not.
func DecorateName(name string) string { return nameStart + name + nameEnd }

// WireName returns the text that the engine sends for name. It is
// [DecorateName] of name, or [InvalidNewline] or [InvalidChar] if name contains
// a control character or a byte of 0x80 or above.
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

// PlainName returns a name from the wire without the ^o and ^r around it. It
// keeps other format codes. For [InvalidNewline] and [InvalidChar] it returns
// "".
func PlainName(name string) string {
	if isReplaced(name) {
		return ""
	}
	if plain, ok := strings.CutPrefix(name, nameStart); ok {
		plain, ok = strings.CutSuffix(plain, nameEnd)
		if ok {
			return plain
		}
	}
	return name
}

// isReplaced reports whether the engine sent name in place of another.
func isReplaced(name string) bool { return name == InvalidNewline || name == InvalidChar }
