package gameagent

import (
	"bytes"
	"math"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// A PlayersPacket is one datagram of [Players]. Most answers are a single packet,
// which is both first and last. An [Assembler] joins the packets of longer
// answers.
//
// Only the first packet has the header, and only the last has the end mark.
// Packets are not numbered. A record is never split.
//
//wire:message FromServer key=startOfList,startOfRecord
type PlayersPacket struct {
	First   bool     // starts with the header
	Last    bool     // ends with the end mark
	Count   int      // of the first packet: see Players
	Players []Player // in the order of the wire
	Extra   []Pair   // pairs that belong to no player
}

// startOfRecord starts the packets after the first.
const startOfRecord = 'p'

// header precedes the number of players.
const header = "players\x02"

func (m *PlayersPacket) decode(r *wire.Reader, o Options) {
	m.Players = []Player{}
	switch {
	case r.Len() == 0:
		r.Fail(lobbywire.ErrTruncated, "type", 0)
	case firstByte(r) == startOfList:
		m.First = true
		r.Const8("type", startOfList)
		decodeLiteral(r, header, "key")
		m.Count = int(decodeDecimal(r, math.MaxInt32, afterValue, "count"))
	}
	for r.Len() > 0 {
		if firstByte(r) == endOfList {
			r.Const8("end", endOfList)
			m.Last = true
			r.End()
			return
		}
		m.decodePair(r, o)
	}
}

// decodePair reads a pair, which mostly belongs to a player.
func (m *PlayersPacket) decodePair(r *wire.Reader, o Options) {
	at, f := r.Offset(), native
	key := ""
	if firstByte(r) == slash && !o.Strict {
		f = legacy
		r.Skip(1, "separator")
		key = decodeUntil(r, slash, "key")
	} else {
		key = decodeUntil(r, afterKey, "key")
	}
	name, index, ok := cutIndex(key)
	if !ok {
		if o.Strict {
			r.Fail(lobbywire.ErrInvalid, "key", at)
		}
		r.In("extra", len(m.Extra))
		value := decodeValue(r, f, "value")
		m.Extra = append(m.Extra, Pair{key, value})
		r.In("", -1)
		return
	}
	i := playerAt(r, &m.Players, index)
	if i < 0 {
		r.Fail(lobbywire.ErrTooLarge, "players", at)
		return
	}
	r.In("players", i)
	at = r.Offset()
	k := playerKeyOf(name)
	value := decodeValue(r, f, k.name())
	taken := m.Players[i].set(k, value)
	if o.Strict && (!taken || k.name() == "name" && !sendable(f, value) && !isReplaced(value)) {
		r.Fail(lobbywire.ErrInvalid, k.name(), at)
	}
	r.In("", -1)
}

// decodeValue reads a value. In the legacy form it ends before the next pair, the
// end mark, or the end of the packet.
func decodeValue(r *wire.Reader, f form, field string) string {
	if f == native {
		return decodeUntil(r, afterValue, field)
	}
	p := r.Peek()
	n := bytes.IndexAny(p, "\\\x04")
	if n < 0 {
		n = len(p)
	}
	return r.Text(n, field)
}

// append fails if a name or Extra contains a control character, if two players
// have the same index, if there are more than [MaxPlayers] players, if Count is
// set but First is not, or if the packet is empty or longer than [MaxPacket]
// bytes.
func (m *PlayersPacket) append(w *wire.Writer) {
	m.appendCut(w, nil)
	appendEnd(w, MaxPacket)
}

func (m *PlayersPacket) appendCut(w *wire.Writer, cuts *cuts) {
	if m.First {
		w.Uint8(startOfList)
		w.Text(header)
		appendNumber(w, &m.Count, "count")
		w.Uint8(afterValue)
	} else if m.Count != 0 {
		w.Fail(lobbywire.ErrInvalid, "count")
	}
	cuts.mark(w)
	appendPlayers(w, native, m.Players, cuts)
	m.appendExtra(w)
	if m.Last {
		w.Uint8(endOfList)
	}
	if w.Len() == 0 {
		w.Fail(lobbywire.ErrInvalid, "")
	}
}

// appendExtra appends the pairs that belong to no player.
func (m *PlayersPacket) appendExtra(w *wire.Writer) {
	for i, e := range m.Extra {
		w.In("extra", i)
		_, _, indexed := cutIndex(e.Key)
		if indexed || !sendable(legacy, e.Key) {
			w.Fail(lobbywire.ErrInvalid, "key")
		}
		if !sendable(native, e.Value) {
			w.Fail(lobbywire.ErrInvalid, "value")
		}
		w.Text(e.Key)
		w.Uint8(afterKey)
		w.Text(e.Value)
		w.Uint8(afterValue)
	}
	w.In("", -1)
}
