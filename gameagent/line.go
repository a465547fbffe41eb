package gameagent

import (
	"strings"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent/internal/pairs"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// semi precedes each key and each value of a line. Status and Heartbeat are
// lines. Their decoder is written by hand because real servers send keys in any
// order, leave keys out, repeat them and add their own.
const semi = ';'

// decodeLine reads a line after its first byte and returns the pairs without a
// field. If rest is set, the value of the last of keys extends to the end of the
// packet.
func decodeLine(r *wire.Reader, o Options, keys []key, fields []any, rest bool) (extra []Pair) {
	pairs.DecodeLiteral(r, string(semi), "separator")
	if r.Len() == 0 {
		r.Fail(lobbywire.ErrTruncated, "key", r.Offset())
	}
	numbers := pairs.Memory{Plain: o.Strict}
	n, separated := 0, false
	for ; r.Len() > 0; n++ {
		r.In("", -1)
		at := r.Offset()
		key, found := r.TextUntil(semi, "key")
		i := pairs.Find(keys, key, min(n, len(keys)-1))
		if o.Strict && (!found || i != n) {
			r.Fail(keyFault(keys[n:], key, found), "key", at)
			return nil
		}
		if i < 0 {
			r.In("extra", len(extra))
		}
		name := pairs.NameOf(keys, i, "value")
		at = r.Offset()
		var value string
		if rest && i == len(keys)-1 {
			value, separated = r.Text(r.Len(), name), false
		} else {
			value, separated = r.TextUntil(semi, name)
		}
		if i >= 0 && numbers.Set(fields[i], value, r.Len()) {
			continue
		}
		if o.Strict {
			r.Fail(numberFault(fields[i], value, separated), name, at)
		}
		extra = append(pairs.Room(extra, r.Len()), Pair{key, value})
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

// keyFault returns the reason for refusing a key that differs from the first of keys or
// lacks a separator after it.
func keyFault(keys []key, key string, separated bool) error {
	if len(keys) > 0 && !separated && strings.HasPrefix(keys[0].Wire, key) {
		return lobbywire.ErrTruncated
	}
	return wire.Invalid("is not the next key, or has no semicolon")
}

// numberFault returns the reason for refusing a value as a number.
func numberFault(field any, value string, separated bool) error {
	low, _ := pairs.Limits(field)
	if !separated && (value == "" || value == "-" && low < 0) {
		return lobbywire.ErrTruncated
	}
	return wire.Invalid("is not a number of the field")
}

// appendLine appends a line after its first byte: the keys in order, followed by
// extra. If rest is set, the last key comes after extra, and its value may
// contain semicolons.
func appendLine(w *wire.Writer, keys []key, fields []any, extra []Pair, rest bool) {
	last := len(keys) - 1
	if rest {
		pairs.AppendFields(w, semi, keys[:last], fields)
	} else {
		pairs.AppendFields(w, semi, keys, fields)
	}
	pairs.AppendExtra(w, semi, extra, func(p Pair) bool {
		return rest && p.Key == keys[last].Wire || pairs.HasField(keys, fields, p.Key, p.Value)
	})
	if !rest {
		return
	}
	value := *fields[last].(*string)
	if strings.IndexByte(value, 0) >= 0 {
		w.Refuse(keys[last].Name, "contains a zero byte")
	}
	w.TextAfter(semi, keys[last].Wire)
	w.TextAfter(semi, value)
}
