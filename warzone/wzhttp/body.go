package wzhttp

import (
	"encoding/json"
	"math"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// proto names the package in errors.
const proto = "wzhttp"

// openObject starts reading a body, a JSON object.
func openObject(r *wire.Reader, o Options) wire.JSON {
	if n := r.Len(); n > o.maxBody() {
		r.Exceed("", r.Offset(), n, o.maxBody())
	}
	return wire.NewJSON(r)
}

// closeObject checks the size of a body.
func closeObject(w *wire.Writer) {
	if n := w.Len(); n > MaxBody {
		w.Exceed("", n, MaxBody)
	}
}

// Numbers may have forms such as 4.0. The game casts numbers that do not fit, so it
// reads 300 as 44 and -1 as 255. We refuse them.
func decodeUint8(j *wire.JSON, _ Options) uint8   { return uint8(j.Int(0, math.MaxUint8, false)) }
func decodeUint32(j *wire.JSON, _ Options) uint32 { return uint32(j.Int(0, math.MaxUint32, false)) }

// decodePort reads a port other than 0.
func decodePort(j *wire.JSON, _ Options) uint16 { return uint16(j.Int(1, math.MaxUint16, false)) }

// appendPort appends a port other than 0.
func appendPort(w *wire.Writer, field string, port uint16) {
	if port == 0 {
		w.Refuse(field, "is 0")
	}
	w.Int(int64(port))
}

// decodeLimited reads a text. With Strict it fails if the text has more than
// limit bytes.
func decodeLimited(j *wire.JSON, o Options, limit int) string {
	s := j.Text()
	if o.Strict && len(s) > limit {
		j.Fail(wire.Exceeded(len(s), limit))
	}
	return s
}

// appendLimited appends a text of at most limit bytes.
func appendLimited(w *wire.Writer, field, s string, limit int) {
	if len(s) > limit {
		w.Exceed(field, len(s), limit)
	}
	w.JSONText(field, s)
}

// decodeRaw reads any value.
func decodeRaw(j *wire.JSON, _ Options) json.RawMessage { return j.Raw() }

// appendRaw appends any value.
func appendRaw(w *wire.Writer, field string, v json.RawMessage) { w.JSONRaw(field, v) }

// A fault returns the reason why a text is not valid, or nil.
type fault func(s string) error

// decodeFaulty reads a text. With Strict it fails if the text is not valid.
func decodeFaulty(j *wire.JSON, o Options, faultOf fault) string {
	s := j.Text()
	if o.Strict {
		if kind := faultOf(s); kind != nil {
			j.Fail(kind)
		}
	}
	return s
}

// appendFaulty appends a text if it is valid.
func appendFaulty(w *wire.Writer, field, s string, faultOf fault) {
	if kind := faultOf(s); kind != nil {
		w.Fail(kind, field)
	}
	w.JSONText(field, s)
}

// equalMembers reports whether two sets of unknown members are the same, byte by
// byte.
func equalMembers(a, b map[string]json.RawMessage) bool {
	if len(a) != len(b) {
		return false
	}
	for name, v := range a {
		if w, ok := b[name]; !ok || string(v) != string(w) {
			return false
		}
	}
	return true
}

// errorIn returns an error about a value outside of decoding and encoding.
func errorIn(field string, kind error) error {
	return &lobbywire.Error{Proto: proto, Field: field, Offset: -1, Err: kind}
}
