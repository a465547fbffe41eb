// Package dump reads bytes from texts: dumps with offsets, transcripts, literals of programming
// languages, hexadecimal and base64.
//
// It refuses a text that is damaged or has two meanings. Offsets are never read as data.
package dump

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Text is the result of reading a text.
type Text struct {
	Form string // in words, as "hexdump -C"

	// Packets are the bytes: one slice, or several for a text with several dumps.
	Packets [][]byte

	// Weak reports that the text may itself be a message, for example if it is all digits.
	Weak bool
}

// Forms that a text can be read as with [As].
const (
	Hex    = "hex"
	Base64 = "base64"
)

// Read reads b. It reports false if b is not in any of the forms. With an error, the form is
// known, but the text is damaged or ambiguous. A result has at most limit bytes.
func Read(b []byte, limit int) (t Text, ok bool, err error) {
	text, isText := textOf(b)
	if !isText {
		return Text{}, false, nil
	}
	for _, read := range []func(text string, limit int) (Text, bool, error){
		readTranscript, readRows, readQuoted, readEscapes, readPlainEscapes, readBuffer, readArray, readSeparated,
		readHex, readBase64,
	} {
		if t, ok, err := read(text, limit); ok {
			return t, true, err
		}
	}
	return Text{}, false, nil
}

// As reads b in a form. It does not doubt that b is in this form, but in hexadecimal it still
// knows dumps with offsets.
func As(form string, b []byte, limit int) (Text, error) {
	text, isText := textOf(b)
	if !isText {
		return Text{}, fmt.Errorf("not %s, but binary", form)
	}
	if form == Base64 {
		return asBase64(text)
	}
	if t, ok, err := readRows(text, limit); ok && err != errOffset {
		return t, err
	}
	if t, ok, err := readSeparated(text, limit); ok {
		return t, err
	}
	return asHex(text)
}

// IsText reports whether b is printable text.
func IsText(b []byte) bool {
	_, ok := textOf(b)
	return ok
}

// textOf returns b as a text with lines that end with "\n", and whether it is one.
func textOf(b []byte) (text string, ok bool) {
	if !utf8.Valid(b) || len(b) == 0 {
		return "", false
	}
	text = strings.ReplaceAll(strings.TrimPrefix(string(b), "\ufeff"), "\r\n", "\n")
	ok = !strings.ContainsFunc(text, func(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' })
	text = unquoted(text)
	return text, ok && strings.TrimSpace(text) != ""
}
