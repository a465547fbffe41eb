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

// Explain lets decode read b and reports every field that it reads.
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

// ExplainAny explains b as Explain does, by a function that reads any of the
// messages of the interface M and returns the one that it found.
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
func NameOf[M any]() string { return typeName(fmt.Sprintf("%T", *new(M))) }

// typeName returns the name of a type without its package.
func typeName(full string) string { return full[strings.IndexByte(full, '.')+1:] }

// trace notes fields as a Reader passes them.
type trace struct {
	fields []lobbywire.Field
	end    int
}

// note adds the n bytes that r has just read.
func (t *trace) note(r *Reader, n int, field, value string) {
	t.fields = append(t.fields, lobbywire.Field{
		Name:   r.scope.path(field),
		Offset: r.off - n,
		Length: n,
		Value:  value,
	})
	t.end = r.off
}

func (t *trace) uint(r *Reader, n int, field string, v uint64) {
	t.note(r, n, field, strconv.FormatUint(v, 10))
}

func (t *trace) float(r *Reader, n int, field string, v float32) {
	t.note(r, n, field, strconv.FormatFloat(float64(v), 'g', -1, 32))
}

func (t *trace) text(r *Reader, n int, field, v string) {
	t.note(r, n, field, strconv.QuoteToASCII(v))
}

func (t *trace) bytes(r *Reader, n int, field string, p []byte) {
	s := hex.EncodeToString(p[:min(len(p), maxTraceBytes)])
	if len(p) > maxTraceBytes {
		s += "..."
	}
	t.note(r, n, field, s)
}
