package gameagent

import (
	"strings"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// Status and Heartbeat are lines: the digit 0 and pairs, each part of which
// follows a semicolon.
const (
	typeLine = '0'
	semi     = ';'
)

// decodeLine reads a line. The value of the key rest, if there is such a key,
// is what is left of the packet.
func decodeLine(r *wire.Reader, o Options, keys []key, fields []any, rest string) (extra []Pair) {
	decodeType(r, typeLine)
	decodeLiteral(r, ";", "separator")
	if r.Len() == 0 {
		r.Fail(lobbywire.ErrTruncated, "key", r.Offset())
	}
	n, separated := 0, false
	for ; r.Len() > 0; n++ {
		r.In("", -1)
		at := r.Offset()
		key, found := r.TextUntil(semi, "key")
		i := find(keys, key, min(n, len(keys)-1))
		if o.Strict && (!found || i != n) {
			r.Fail(lineFault(keys, key, n, found), "key", at)
			return nil
		}
		name := "value"
		if i >= 0 {
			name = keys[i].name
		} else {
			r.In("extra", len(extra))
		}
		at = r.Offset()
		var value string
		if key == rest && rest != "" {
			value, separated = r.Text(r.Len(), name), false
		} else {
			value, separated = r.TextUntil(semi, name)
		}
		if i >= 0 && set(fields[i], value) {
			continue
		}
		if o.Strict {
			kind := lobbywire.ErrInvalid
			if low, _ := bounds(fields[i]); !separated && (value == "" || value == "-" && low < 0) {
				kind = lobbywire.ErrTruncated
			}
			r.Fail(kind, name, at)
		}
		extra = append(extra, Pair{key, value})
	}
	r.In("", -1)
	switch {
	case !o.Strict || r.Failed():
	case n < len(keys):
		r.Fail(lobbywire.ErrTruncated, "key", r.Offset())
	case separated:
		r.Fail(lobbywire.ErrTrailing, "", r.Offset()-1)
	}
	return extra
}

// lineFault tells what is wrong with a key that is not the strict one, of
// keys[n].
func lineFault(keys []key, key string, n int, found bool) error {
	if n < len(keys) && !found && strings.HasPrefix(keys[n].wire, key) {
		return lobbywire.ErrTruncated
	}
	return lobbywire.ErrInvalid
}
