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

// decodeLine reads a line. With rest, the value of the last of keys is all that
// is left of the packet.
func decodeLine(r *wire.Reader, o Options, keys []key, fields []any, rest bool) (extra []Pair) {
	decodeType(r, typeLine)
	decodeLiteral(r, string(semi), "separator")
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
			r.Fail(keyFault(keys[n:], key, found), "key", at)
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
		if rest && i == len(keys)-1 {
			value, separated = r.Text(r.Len(), name), false
		} else {
			value, separated = r.TextUntil(semi, name)
		}
		if i >= 0 && set(fields[i], value) {
			continue
		}
		if o.Strict {
			r.Fail(numberFault(fields[i], value, separated), name, at)
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

// keyFault tells what is wrong with a key that is not the first of keys, or that
// no separator follows.
func keyFault(keys []key, key string, separated bool) error {
	if len(keys) > 0 && !separated && strings.HasPrefix(keys[0].wire, key) {
		return lobbywire.ErrTruncated
	}
	return lobbywire.ErrInvalid
}

// numberFault tells what is wrong with a value that is not a number of field.
func numberFault(field any, value string, separated bool) error {
	low, _ := bounds(field)
	if !separated && (value == "" || value == "-" && low < 0) {
		return lobbywire.ErrTruncated
	}
	return lobbywire.ErrInvalid
}
