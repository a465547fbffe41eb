package wire

import (
	"encoding/json"
	"maps"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// JSONText appends s as a JSON string, with only the escapes that JSON requires. It
// refuses text that is not UTF-8.
func (w *Writer) JSONText(field, s string) {
	if plainSize([]byte(s)) < len(s) { // not a copy, since it is only read
		w.jsonEscaped(field, s)
		return
	}
	w.JSONPlain(s)
}

// JSONPlain appends s, which consists of ASCII characters that JSON does not escape, as a
// JSON string.
func (w *Writer) JSONPlain(s string) {
	b := append(w.b, '"')
	b = append(b, s...)
	w.b = append(b, '"')
}

// jsonEscaped is JSONText for a text that is not plain.
func (w *Writer) jsonEscaped(field, s string) {
	if !utf8.ValidString(s) {
		w.Refuse(field, notUTF8)
		return
	}
	const digits = "0123456789abcdef"
	b := append(w.b, '"')
	done := 0
	for i := range len(s) {
		c := s[i]
		if c >= ' ' && c != '"' && c != '\\' {
			continue
		}
		b = append(b, s[done:i]...)
		done = i + 1
		if k := strings.IndexByte(shortEscaped, c); k >= 0 {
			b = append(b, '\\', shortEscapes[k])
		} else {
			b = append(b, '\\', 'u', '0', '0', digits[c>>4], digits[c&15])
		}
	}
	b = append(b, s[done:]...)
	w.b = append(b, '"')
}

// JSONAddr appends an IP address without a zone as a string.
func (w *Writer) JSONAddr(field string, a netip.Addr) {
	if !a.IsValid() || a.Zone() != "" {
		w.Refuse(field, notAddr)
	}
	w.b = append(a.AppendTo(append(w.b, '"')), '"')
}

// JSONBool appends true or false.
func (w *Writer) JSONBool(v bool) { w.b = strconv.AppendBool(w.b, v) }

// JSONName appends the name of a member, without escapes, after a comma unless it
// is the first member of its object.
func (w *Writer) JSONName(name string) {
	b := w.b
	if b[len(b)-1] != '{' {
		b = append(b, ',')
	}
	b = append(b, '"')
	b = append(b, name...)
	w.b = append(b, '"', ':')
}

// JSONRaw appends a value as it is. It refuses a text that JSON.Raw does not read as
// one value.
func (w *Writer) JSONRaw(field string, v json.RawMessage) {
	r := NewReader(v)
	j := NewJSON(&r)
	j.begin()
	j.skip(0)
	j.End()
	if r.Failed() {
		w.Refuse(field, "is not JSON")
		return
	}
	w.b = append(w.b, v...)
}

// JSONExtra appends unknown members to an object, sorted by name. It refuses the
// names in known, which the object already has.
func (w *Writer) JSONExtra(extra map[string]json.RawMessage, known []string) {
	if len(extra) > 0 {
		w.jsonExtra(extra, known)
	}
}

func (w *Writer) jsonExtra(extra map[string]json.RawMessage, known []string) {
	for _, name := range slices.Sorted(maps.Keys(extra)) {
		if slices.Contains(known, name) {
			w.Refuse(extraField, "has a member that is a field of the message")
			return
		}
		if w.b[len(w.b)-1] != '{' {
			w.b = append(w.b, ',')
		}
		w.JSONText(extraField, name)
		w.b = append(w.b, ':')
		w.JSONRaw(extraField, extra[name])
	}
}

// Set applies a member of a change: it copies *p to *v. If p is nil, v keeps its value.
func Set[T any](v, p *T) {
	if p != nil {
		*v = *p
	}
}

// IsZero reports whether v is the zero value of its type, for members that are
// left out then.
func IsZero[T comparable](v T) bool { return v == *new(T) }
