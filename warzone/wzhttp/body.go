package wzhttp

import (
	"encoding/json"
	"math"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
	"github.com/lobbywire/lobbywire/internal/wire/wirejson"
)

// proto names the package in errors.
const proto = "wzhttp"

// openObject starts reading a body, a JSON object. Of duplicate members, the last counts,
// as in the game's JSON library, which does not limit the depth.
func openObject(r *wire.Reader, o Options) wirejson.Reader {
	if n := r.Len(); n > o.maxBody() {
		r.Exceed("", r.Offset(), n, o.maxBody())
	}
	if o.Strict {
		return wirejson.NewReader(r)
	}
	return wirejson.NewLooseReader(r)
}

// closeObject checks the size of a body.
func closeObject(w *wire.Writer) {
	if n := w.Len(); n > MaxBody {
		w.Exceed("", n, MaxBody)
	}
}

// Numbers may have forms such as 4.0. The game casts numbers without a check: it reads 300 as
// 44, -1 as 255, 4.9 as 4 and true as 1.
func decodeUint8(j *wirejson.Reader, o Options) uint8 { return uint8(decodeUint(j, o, math.MaxUint8)) }
func decodeUint32(j *wirejson.Reader, o Options) uint32 {
	return uint32(decodeUint(j, o, math.MaxUint32))
}

// decodeUint reads a number up to most, a limit that only Strict checks.
func decodeUint(j *wirejson.Reader, o Options, most int64) uint64 {
	if o.Strict {
		return uint64(j.Int(0, most, false))
	}
	return j.Cast()
}

func decodeInt64(j *wirejson.Reader, _ Options) int64 {
	return j.Int(math.MinInt64, math.MaxInt64, false)
}

// decodePort reads a port other than 0.
func decodePort(j *wirejson.Reader, _ Options) uint16 { return uint16(j.Int(1, math.MaxUint16, false)) }

// appendPort appends a port other than 0.
func appendPort(w *wire.Writer, field string, port uint16) {
	if port == 0 {
		w.Refuse(field, "is 0")
	}
	w.Int(int64(port))
}

// decodeRaw reads any value.
func decodeRaw(j *wirejson.Reader, _ Options) json.RawMessage { return j.Raw() }

// appendRaw appends any value.
func appendRaw(w *wire.Writer, field string, v json.RawMessage) { wirejson.AppendRaw(w, field, v) }

// appendArray appends an array.
func appendArray[T any](w *wire.Writer, field string, all []T, element func(w *wire.Writer, field string, v T)) {
	w.Text("[")
	for i, v := range all {
		if i > 0 {
			w.Text(",")
		}
		element(w, field, v)
	}
	w.Text("]")
}

// errorIn returns an error about a value outside of decoding and encoding.
func errorIn(field string, kind error) error {
	return &lobbywire.Error{Proto: proto, Field: field, Offset: -1, Err: kind}
}
