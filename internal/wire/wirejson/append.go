package wirejson

import (
	"encoding/json"
	"maps"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/lobbywire/lobbywire/internal/wire"
)

// AppendText appends s as a JSON string, with only the escapes that JSON requires. It
// refuses text that is not UTF-8.
func AppendText(w *wire.Writer, field, s string) {
	if plainSize([]byte(s)) < len(s) { // not a copy, since it is only read
		appendEscaped(w, field, s)
		return
	}
	AppendPlain(w, s)
}

// AppendPlain appends s, which consists of ASCII characters that JSON does not escape, as a
// JSON string.
func AppendPlain(w *wire.Writer, s string) {
	b := append(w.Buffer(), '"')
	b = append(b, s...)
	w.SetBuffer(append(b, '"'))
}

// appendEscaped is AppendText for a text that is not plain.
func appendEscaped(w *wire.Writer, field, s string) {
	if !utf8.ValidString(s) {
		w.Refuse(field, wire.NotUTF8)
		return
	}
	const digits = "0123456789abcdef"
	b := append(w.Buffer(), '"')
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
	w.SetBuffer(append(b, '"'))
}

// AppendAddr appends an IP address without a zone as a string.
func AppendAddr(w *wire.Writer, field string, a netip.Addr) {
	if !a.IsValid() || a.Zone() != "" {
		w.Refuse(field, notAddr)
	}
	w.SetBuffer(append(a.AppendTo(append(w.Buffer(), '"')), '"'))
}

// AppendBool appends true or false.
func AppendBool(w *wire.Writer, v bool) { w.SetBuffer(strconv.AppendBool(w.Buffer(), v)) }

// AppendName appends the name of a member, without escapes, after a comma unless it
// is the first member of its object.
func AppendName(w *wire.Writer, name string) {
	b := w.Buffer()
	if b[len(b)-1] != '{' {
		b = append(b, ',')
	}
	b = append(b, '"')
	b = append(b, name...)
	w.SetBuffer(append(b, '"', ':'))
}

// AppendRaw appends a value as it is. It refuses a text that Reader.Raw does not read as
// one value.
func AppendRaw(w *wire.Writer, field string, v json.RawMessage) {
	r := wire.NewReader(v)
	j := NewReader(&r)
	j.Skip()
	j.End()
	if r.Failed() {
		w.Refuse(field, "is not JSON")
		return
	}
	w.Bytes(v)
}

// AppendExtra appends unknown members to an object, sorted by name. It refuses the
// names in known, which the object already has.
func AppendExtra(w *wire.Writer, extra map[string]json.RawMessage, known []string) {
	if len(extra) > 0 {
		appendExtra(w, extra, known)
	}
}

func appendExtra(w *wire.Writer, extra map[string]json.RawMessage, known []string) {
	for _, name := range slices.Sorted(maps.Keys(extra)) {
		if slices.Contains(known, name) {
			w.Refuse(extraField, "has a member that is a field of the message")
			return
		}
		if b := w.Buffer(); b[len(b)-1] != '{' {
			w.Text(",")
		}
		AppendText(w, extraField, name)
		w.Text(":")
		AppendRaw(w, extraField, extra[name])
	}
}
