package wire

import (
	"cmp"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	"github.com/lobbywire/lobbywire"
)

// maxTraceBytes is how many bytes of an opaque field Explain shows.
const maxTraceBytes = 64

// Explain decodes b and returns every field that decode reads.
func Explain(proto, message string, b []byte, decode func(*Reader)) lobbywire.Explanation {
	r := NewReader(b)
	r.trace = new(trace)
	decode(&r)
	e := lobbywire.Explanation{
		Proto:   proto,
		Message: message,
		Fields:  r.trace.fields,
		Err:     r.Err(proto),
	}
	if at := r.trace.end; at < len(b) {
		name := "unread"
		if r.Failed() {
			name = cmp.Or(r.fail.Field, "message")
		}
		e.Fields = append(e.Fields, lobbywire.Field{Name: name, Offset: at, Length: len(b) - at})
	}
	return e
}

// ExplainAny is Explain for a function that decodes any message of the interface M and
// returns it.
func ExplainAny[M any](proto string, b []byte, decode func(*Reader) M) lobbywire.Explanation {
	var m any
	e := Explain(proto, "", b, func(r *Reader) { m = decode(r) })
	e.Message = typeName(fmt.Sprintf("%T", m))
	if m == nil {
		e.Message = typeName(fmt.Sprintf("%T", new(M)))
	}
	return e
}

// NameOf returns the name of the message type M without its package.
func NameOf[M any]() string { return typeName(fmt.Sprintf("%T", (*M)(nil))) }

// typeName returns the name of a type without its package.
func typeName(full string) string { return full[strings.IndexByte(full, '.')+1:] }

// A trace lists the fields that a Reader reads.
type trace struct {
	fields []lobbywire.Field
	end    int
}

// Explaining reports whether the fields are for [Explain].
func (r *Reader) Explaining() bool { return r.trace != nil }

// Note explains the bytes from offset at to the next read as a field whose value is shown
// as given.
func (r *Reader) Note(at int, field, value string) {
	note(r, r.off-at, field, verbatim(value))
}

// NoteGap explains the bytes that no field has, up to offset to, as a text of the given name,
// which stands outside the structures of [Reader.In].
func (r *Reader) NoteGap(to int, name string) {
	if r.trace != nil && r.trace.end < to {
		r.trace.addGap(r, to, name)
	}
}

// note adds the last n bytes that r has read to its trace, if it has one and reading
// them has not failed.
func note[T any](r *Reader, n int, field string, value T) {
	if r.trace != nil {
		r.trace.add(r, n, field, value)
	}
}

// noted is note for a value that it returns.
func noted[T any](r *Reader, n int, field string, value T) T {
	if r.trace != nil {
		r.trace.add(r, n, field, value)
	}
	return value
}

func (t *trace) add(r *Reader, n int, field string, value any) {
	if r.Failed() {
		return
	}
	t.fields = append(t.fields, lobbywire.Field{
		Name:   r.scope.path(field),
		Offset: r.off - n,
		Length: n,
		Value:  shown(value),
	})
	t.end = r.off
}

func (t *trace) addGap(r *Reader, to int, name string) {
	t.fields = append(t.fields, lobbywire.Field{
		Name:   name,
		Offset: t.end,
		Length: to - t.end,
		Value:  shown(text(r.b[t.end:to])),
	})
	t.end = to
}

// A text is quoted in a trace, as a string is.
type text []byte

// A verbatim value is shown as it is.
type verbatim string

// shown returns the form of a value in an Explanation.
func shown(value any) string {
	switch v := value.(type) {
	case string:
		return strconv.QuoteToASCII(v)
	case verbatim:
		return string(v)
	case text:
		return strconv.QuoteToASCII(string(v))
	case []byte:
		if len(v) > maxTraceBytes {
			return hex.EncodeToString(v[:maxTraceBytes]) + "..."
		}
		return hex.EncodeToString(v)
	case float32:
		return strconv.FormatFloat(float64(v), 'g', -1, 32)
	}
	return fmt.Sprint(value)
}
