package warzone

import (
	"bytes"
	"net/netip"
	"strings"
	"unicode/utf8"

	"github.com/lobbywire/lobbywire/internal/wire"
)

// decodeText reads a text in a field of size bytes. Some lobbies fill the field
// with blanks.
func decodeText(r *wire.Reader, o Options, size int, field string) string {
	if p := r.Peek(); o.Strict && len(p) >= size {
		if end := bytes.IndexByte(p[:size], 0); end < 0 || bytes.Count(p[end:size], []byte{0}) < size-end {
			r.Refuse(field, r.Offset(), "is not ended and filled by zero bytes")
		}
	}
	r.DecodeTexts(o.Text)
	return r.TextPadded(size, ' ', field)
}

// appendText fails if the text does not fit the field or holds a zero byte.
func appendText(_ *wire.Writer, b *wire.Block, size int, field, s string) {
	b.TextFixed(size, field, s)
}

// decodeHost reads an IP address as text.
func decodeHost(r *wire.Reader, o Options, size int, field string) string {
	at := r.Offset()
	s := decodeText(r, o, size, field)
	if o.Strict && !isHost(s, size) {
		r.Refuse(field, at, notHost)
	}
	return s
}

// appendHost fails if the text is neither empty nor an IP address.
func appendHost(w *wire.Writer, b *wire.Block, size int, field, s string) {
	if !isHost(s, size) {
		w.Refuse(field, notHost)
	}
	b.TextFixed(size, field, s)
}

// ipv4Size is the size of a field that is only meant for IPv4 addresses.
const ipv4Size = 16

// notHost is the reason for refusing an address that the field cannot hold.
const notHost = "is not an IP address, or one that is too long for the field"

// isHost reports whether s is empty or an IP address for a field of size bytes.
func isHost(s string, size int) bool {
	if s == "" {
		return true
	}
	a, err := netip.ParseAddr(s)
	return err == nil && a.Zone() == "" && (a.Is4() || size > ipv4Size)
}

// Clip returns the longest prefix of s that has at most size bytes, contains no zero byte
// and does not end within a UTF-8 sequence.
func Clip(s string, size int) string {
	s, _, _ = strings.Cut(s, "\x00")
	size = max(size, 0)
	if len(s) <= size {
		return s
	}
	cut := size
	for cut > 0 && size-cut < utf8.UTFMax && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut]
}
