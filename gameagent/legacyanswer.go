package gameagent

import (
	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// Keys that end a legacy answer.
const (
	finalKey   = "final"
	queryIDKey = "queryid"
)

// legacyEnd ends answers and lists.
const legacyEnd = `\` + finalKey + `\`

// A legacyAnswer refers to the parts of one of the four answers, except the
// fields of its keys. These are arguments: in the struct, they would make the
// message escape. The answers share a decoder, which is written by hand for the
// same reasons as that of lines.
type legacyAnswer struct {
	keys    []key
	players *[]Player // nil if the answer has none, so that player_5 is a key like others
	extra   *[]Pair
	queryID *string
}

// decode reads a whole answer.
func (m *legacyAnswer) decode(r *wire.Reader, fields []any) {
	if !m.decodePart(r, fields) {
		r.Fail(lobbywire.ErrTruncated, finalKey, r.Offset())
	}
}

// decodePart reads the pairs of a packet. It reports whether one of them is the
// end of the answer, \final\.
func (m *legacyAnswer) decodePart(r *wire.Reader, fields []any) (final bool) {
	if m.players != nil {
		*m.players = []Player{}
	}
	decodeLiteral(r, `\`, "separator")
	for next := 0; r.Len() > 0; {
		r.In("", -1)
		at := r.Offset()
		key := decodeUntil(r, slash, "key")
		if r.Failed() {
			return false
		}
		if key == finalKey {
			decodeFinal(r)
			final = true
			continue
		}
		if i := find(m.keys, key, next); i >= 0 {
			value, _ := r.TextUntil(slash, m.keys[i].name)
			next = (i + 1) % len(m.keys)
			if !set(fields[i], value) {
				*m.extra = append(*m.extra, Pair{key, value})
			}
			continue
		}
		m.decodeOther(r, key, at)
	}
	r.In("", -1)
	return final
}

// decodeFinal reads the value of \final\, which must be empty.
func decodeFinal(r *wire.Reader) {
	at := r.Offset()
	if value, _ := r.TextUntil(slash, finalKey); value != "" {
		r.Fail(lobbywire.ErrInvalid, finalKey, at)
	}
}

// decodeOther reads the value of a key that is not in m.keys. The key is at
// offset at.
func (m *legacyAnswer) decodeOther(r *wire.Reader, key string, at int) {
	if key == queryIDKey && *m.queryID == "" {
		*m.queryID, _ = r.TextUntil(slash, "queryId")
		return
	}
	name, index, ok := cutIndex(key)
	if !ok || m.players == nil {
		decodeExtra(r, m.extra, key)
		return
	}
	i := playerAt(r, m.players, index)
	if i < 0 {
		r.Fail(lobbywire.ErrTooLarge, "players", at)
		return
	}
	r.In("players", i)
	k := playerKeyOf(name)
	value, _ := r.TextUntil(slash, k.name())
	(*m.players)[i].set(k, value)
}

// decodeExtra reads the value of a key without a field.
func decodeExtra(r *wire.Reader, extra *[]Pair, key string) {
	r.In("extra", len(*extra))
	value, _ := r.TextUntil(slash, "value")
	*extra = append(*extra, Pair{key, value})
}

// append appends a whole answer as one packet.
func (m *legacyAnswer) append(w *wire.Writer, fields []any) {
	m.appendCut(w, fields, nil)
	appendEnd(w, MaxPacket)
}

// appendCut appends the keys, Extra, the players and the end.
func (m *legacyAnswer) appendCut(w *wire.Writer, fields []any, cuts *cuts) {
	for i, k := range m.keys {
		appendField(w, slash, k, fields[i], *m.extra)
	}
	appendExtra(w, slash, *m.extra, func(key string) bool {
		_, _, indexed := cutIndex(key)
		return key == finalKey || key == queryIDKey || indexed && m.players != nil
	})
	cuts.mark(w)
	if m.players != nil {
		appendPlayers(w, legacy, *m.players, cuts)
	}
	w.Text(legacyEnd)
	if *m.queryID != "" {
		w.TextAfter(slash, queryIDKey)
		appendTextAfter(w, slash, *m.queryID, "queryId")
	}
}

// packets returns the answer as datagrams.
func (m *legacyAnswer) packets(fields []any) ([][]byte, error) {
	w := wire.NewWriter(nil)
	var c cuts
	m.appendCut(&w, fields, &c)
	return c.packets(&w)
}
