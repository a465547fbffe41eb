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

// A legacyAnswer is what the four answers have in common, beside their keys.
type legacyAnswer struct {
	hasPlayers bool // keys as player_5 are those of players
	players    []Player
	extra      []Pair
	queryID    string
}

// decode reads pairs. One of them must be the end, \final\, unless the packet is
// a part of an answer. It tells whether the end was there.
func (m *legacyAnswer) decode(r *wire.Reader, keys []key, fields []any, part bool) (final bool) {
	m.players = []Player{}
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
		if i := find(keys, key, next); i >= 0 {
			value, _ := r.TextUntil(slash, keys[i].name)
			next = (i + 1) % len(keys)
			if !set(fields[i], value) {
				m.extra = append(m.extra, Pair{key, value})
			}
			continue
		}
		m.decodeOther(r, key, at)
	}
	r.In("", -1)
	if !final && !part {
		r.Fail(lobbywire.ErrTruncated, finalKey, r.Offset())
	}
	return final
}

// decodeFinal reads the value of the end, which has none.
func decodeFinal(r *wire.Reader) {
	at := r.Offset()
	if value, _ := r.TextUntil(slash, finalKey); value != "" {
		r.Fail(lobbywire.ErrInvalid, finalKey, at)
	}
}

// decodeOther reads a value whose key, which stands at at, is none of the
// message's own.
func (m *legacyAnswer) decodeOther(r *wire.Reader, key string, at int) {
	if key == queryIDKey && m.queryID == "" {
		m.queryID, _ = r.TextUntil(slash, "queryId")
		return
	}
	name, index, ok := cutIndex(key)
	if !ok || !m.hasPlayers {
		r.In("extra", len(m.extra))
		value, _ := r.TextUntil(slash, "value")
		m.extra = append(m.extra, Pair{key, value})
		return
	}
	i := playerAt(r, &m.players, index)
	if i < 0 {
		r.Fail(lobbywire.ErrTooLarge, "players", at)
		return
	}
	r.In("players", i)
	value, _ := r.TextUntil(slash, fieldName(name))
	m.players[i].set(name, value)
}

// append appends the message's own keys, Extra, players and the end. The ends of
// what comes before the players and of each player are given to mark.
func (m *legacyAnswer) append(w *wire.Writer, keys []key, fields []any, mark func(end int)) {
	for i, k := range keys {
		appendField(w, slash, k, fields[i], m.extra)
	}
	appendExtra(w, slash, m.extra, func(key string) bool {
		_, _, indexed := cutIndex(key)
		return key == finalKey || key == queryIDKey || indexed && m.hasPlayers
	})
	mark(w.Len())
	appendPlayers(w, legacy, m.players, mark)
	w.Text(legacyEnd)
	if m.queryID != "" {
		w.TextAfter(slash, queryIDKey)
		appendTextAfter(w, slash, m.queryID, "queryId")
	}
}

// appendBinary appends an answer that must fit one packet.
func (m *legacyAnswer) appendBinary(b []byte, keys []key, fields []any) ([]byte, error) {
	w := wire.NewWriter(b)
	m.append(&w, keys, fields, func(int) {})
	appendEnd(&w, MaxPacket)
	return w.Finish(proto)
}

// packets returns the datagrams of an answer.
func (m *legacyAnswer) packets(keys []key, fields []any) ([][]byte, error) {
	w := wire.NewWriter(nil)
	var ends []int
	m.append(&w, keys, fields, func(end int) { ends = append(ends, end) })
	return cutPackets(&w, ends)
}
