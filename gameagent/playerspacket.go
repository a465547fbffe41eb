package gameagent

import (
	"bytes"
	"math"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// A PlayersPacket is one datagram of [Players]. Whole answers are one packet,
// which is first and last; parts of a long one go into an [Assembler].
//
//	[01 "players" 02 count 03]
//	["player_#" 02 name 03 "frags_#" 02 frags 03 "ping_#" 02 ping 03]...
//	[04]
//
// The header is in the first packet and the end mark in the last. Packets are not
// numbered. Records are never cut.
type PlayersPacket struct {
	First   bool     // begins with the header
	Last    bool     // ends with the end mark
	Count   int      // in the first packet: see Players
	Players []Player // in the order of the wire
	Extra   []Pair   // what belongs to no player
}

// ParsePlayersPacket reads a [PlayersPacket].
func ParsePlayersPacket(b []byte) (PlayersPacket, error) { return Options{}.ParsePlayersPacket(b) }

// ParsePlayersPacket reads a [PlayersPacket].
func (o Options) ParsePlayersPacket(b []byte) (PlayersPacket, error) {
	r := wire.NewReader(b)
	var m PlayersPacket
	m.decode(&r, o)
	if err := r.Err(proto); err != nil {
		return PlayersPacket{}, err
	}
	return m, nil
}

// ExplainPlayersPacket accounts for every byte of a [PlayersPacket].
func ExplainPlayersPacket(b []byte) lobbywire.Explanation {
	return wire.Explain(proto, "PlayersPacket", b, func(r *wire.Reader) { new(PlayersPacket).decode(r, Options{}) })
}

func (m *PlayersPacket) decode(r *wire.Reader, o Options) {
	m.Players = []Player{}
	switch p := r.Peek(); {
	case len(p) == 0:
		r.Fail(lobbywire.ErrTruncated, "type", 0)
	case p[0] == startOfList:
		m.First = true
		m.decodeHeader(r)
	}
	for r.Len() > 0 {
		if r.Peek()[0] == endOfList {
			r.Uint8("end")
			m.Last = true
			r.End()
			return
		}
		m.decodePair(r, o)
	}
}

func (m *PlayersPacket) decodeHeader(r *wire.Reader) {
	decodeType(r, startOfList)
	decodeLiteral(r, "players\x02", "key")
	m.Count = int(decodeDecimal(r, math.MaxInt32, afterValue, "count"))
}

// decodePair reads what is told about a player.
func (m *PlayersPacket) decodePair(r *wire.Reader, o Options) {
	at, l := r.Offset(), native
	key := ""
	if r.Peek()[0] == slash && !o.Strict {
		l = legacy
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
		value := decodeValue(r, l, "value")
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
	value := decodeValue(r, l, fieldName(name))
	taken := m.Players[i].set(name, value)
	if o.Strict && (!taken || name == "player" && !sendable(l, value) && !IsInvalidName(value)) {
		r.Fail(lobbywire.ErrInvalid, fieldName(name), at)
	}
	r.In("", -1)
}

// decodeValue reads a value. One in the legacy layout ends before the next pair,
// the end mark, or the end of the packet.
func decodeValue(r *wire.Reader, l layout, field string) string {
	if l == native {
		return decodeUntil(r, afterValue, field)
	}
	p := r.Peek()
	n := bytes.IndexAny(p, "\\\x04")
	if n < 0 {
		n = len(p)
	}
	return r.Text(n, field)
}

// AppendBinary appends the wire form to b. It refuses control characters in
// names and Extra, two players with one index, a count in a packet that is not
// the first, a packet of nothing, and more than [MaxPacket] bytes.
func (m PlayersPacket) AppendBinary(b []byte) ([]byte, error) {
	w := wire.NewWriter(b)
	m.append(&w, func(int) {})
	appendEnd(&w, MaxPacket)
	return w.Finish(proto)
}

func (m *PlayersPacket) append(w *wire.Writer, mark func(end int)) {
	if m.First {
		w.Uint8(startOfList)
		w.Text("players\x02")
		appendNumber(w, &m.Count, "count")
		w.Uint8(afterValue)
	} else if m.Count != 0 {
		w.Fail(lobbywire.ErrInvalid, "count")
	}
	mark(w.Len())
	appendPlayers(w, native, m.Players, mark)
	m.appendExtra(w)
	if m.Last {
		w.Uint8(endOfList)
	}
	if w.Len() == 0 {
		w.Fail(lobbywire.ErrInvalid, "")
	}
}

// appendExtra appends what belongs to no player.
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

// MarshalBinary returns the wire form.
func (m PlayersPacket) MarshalBinary() ([]byte, error) { return m.AppendBinary(nil) }

// UnmarshalBinary reads b as [ParsePlayersPacket] does.
func (m *PlayersPacket) UnmarshalBinary(b []byte) (err error) {
	*m, err = ParsePlayersPacket(b)
	return err
}
