package gameagent

import (
	"bytes"
	"math"
	"strings"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent/internal/pairs"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// Players answers a [PlayersRequest]. It consists of a header with the number of
// players, a record for each player and an end mark.
//
// A long answer consists of several packets. Only the first contains the header, and only
// the last the end mark. Packets are not numbered. A record is never split. An [Assembler]
// joins the packets.
//
//wire:message FromServer
type Players struct {
	// Count is the number of players on the server. It can exceed the number of records:
	// the engine examines only its first Count slots, and some of them may be empty.
	Count   int
	Players []Player // in the order of the wire
	Extra   []Pair   // pairs that belong to no player

	// NotFirst and NotLast are for a single packet of a long answer.
	NotFirst bool // lacks the header, and so the Count
	NotLast  bool // lacks the end mark
}

// startOfRecord is the start of the packets after the first.
const startOfRecord = 'p'

// header precedes the number of players.
const header = "players\x02"

// decode needs the whole answer in one packet. A packet without the header fails
// with [lobbywire.ErrInvalid], a packet without the end mark with
// [lobbywire.ErrTruncated]. With Options.Part it accepts any packet of the
// answer.
func (m *Players) decode(r *wire.Reader, o Options) {
	r.DecodeTexts(o.Text)
	m.Players = []Player{}
	m.NotLast = true
	switch {
	case r.Len() == 0:
		r.Fail(lobbywire.ErrTruncated, "type", 0)
	case firstOf(r.Peek()) == startOfList:
		r.Const8("type", startOfList)
		pairs.DecodeLiteral(r, header, "key")
		m.Count = int(pairs.DecodeDecimal(r, math.MaxInt32, afterValue, "count"))
	case o.Part:
		m.NotFirst = true
	default:
		r.Refuse("type", 0, "belongs to a later packet")
	}
	numbers := pairs.Memory{Plain: o.Strict}
	for r.Len() > 0 && m.NotLast {
		if firstOf(r.Peek()) != endOfList {
			m.decodePair(r, o, &numbers)
			continue
		}
		r.Const8("end", endOfList)
		r.End()
		m.NotLast = false
	}
	if m.NotLast && !o.Part {
		r.Fail(lobbywire.ErrTruncated, "end", r.Offset())
	}
}

// decodePair reads a pair, which usually belongs to a player. ClassicsPatch sends pairs
// with backslashes before the key and the value.
func (m *Players) decodePair(r *wire.Reader, o Options, numbers *pairs.Memory) {
	at, afterKey := r.Offset(), byte(afterKey)
	if firstOf(r.Peek()) == slash && !o.Strict {
		afterKey = slash
		r.Skip(1, "separator")
	}
	key := r.TextBefore(afterKey, "key")
	name, index, ok := pairs.CutIndex(key)
	switch {
	case ok:
		p := m.playerAt(r, index, at)
		at = r.Offset()
		i := pairs.Find(playerKeys[:], name, 0)
		field := pairs.NameOf(playerKeys[:], i, "extra")
		value := decodeValue(r, afterKey, field)
		taken := p.set(r, numbers, i, name, value)
		if o.Strict && (!taken || field == "name" && !sendable(value) && !isReplaced(value)) {
			r.Refuse(field, at, "is unknown, not a number, or has invalid bytes")
		}
	case o.Strict:
		r.Refuse("key", at, "has no index")
	default:
		r.In("extra", len(m.Extra))
		value := decodeValue(r, afterKey, "value")
		m.Extra = append(pairs.Room(m.Extra, r.Len()), Pair{key, value})
	}
	r.In("", -1)
}

// decodeValue reads a value. After a backslash it ends before the next pair, the end mark,
// or the end of the packet.
func decodeValue(r *wire.Reader, afterKey byte, field string) string {
	if afterKey != slash {
		return r.TextBefore(afterValue, field)
	}
	p := r.Peek()
	n := bytes.IndexAny(p, "\\\x04")
	if n < 0 {
		n = len(p)
	}
	return r.Text(n, field)
}

// append writes a single packet. It fails if a name or Extra contains a control
// character, if two players have the same index, if there are more than
// [MaxPlayers] players, if NotFirst is set with a Count or without players, or if
// the packet is longer than [MaxPacket] bytes. Use [Players.Packets] for long
// answers.
func (m *Players) append(w *wire.Writer) {
	m.appendCut(w, nil)
	pairs.AppendEnd(w, MaxPacket)
}

func (m *Players) appendCut(w *wire.Writer, cuts *pairs.Cuts) {
	if !m.NotFirst {
		w.Uint8(startOfList)
		w.Text(header)
		pairs.AppendNumber(w, &m.Count, "count")
		w.Uint8(afterValue)
	} else if m.Count != 0 {
		w.Refuse("count", "belongs to the first packet")
	}
	if m.NotFirst && len(m.Players) == 0 {
		w.Refuse("players", "missing")
	}
	cuts.Mark(w)
	m.appendPlayers(w, cuts)
	m.appendExtra(w)
	if !m.NotLast {
		w.Uint8(endOfList)
	}
}

// Packets returns the answer as datagrams of up to [MaxPacket] bytes. It cuts the answer
// between records. It fails if a record does not fit in a datagram or for another reason
// for which AppendBinary fails, except the length of the answer.
func (m Players) Packets() ([][]byte, error) {
	w := wire.NewWriter(nil)
	var c pairs.Cuts
	m.appendCut(&w, &c)
	return c.Packets(&w, proto, MaxPacket, func(int) string { return "" })
}

// appendExtra appends the pairs that belong to no player.
func (m *Players) appendExtra(w *wire.Writer) {
	for i, e := range m.Extra {
		w.In("extra", i)
		_, _, indexed := pairs.CutIndex(e.Key)
		if indexed || !sendable(e.Key) || strings.Contains(e.Key, `\`) {
			w.Refuse("key", "has an index, or bytes that end a key")
		}
		if !sendable(e.Value) {
			w.Refuse("value", "has bytes that end a value")
		}
		w.Text(e.Key)
		w.Uint8(afterKey)
		w.Text(e.Value)
		w.Uint8(afterValue)
	}
	w.In("", -1)
}
