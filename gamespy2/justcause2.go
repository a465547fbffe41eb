package gamespy2

import (
	"bytes"
	"encoding/binary"
	"strconv"

	"github.com/lobbywire/lobbywire/internal/wire"
)

// The columns of the players of Just Cause 2 Multiplayer, which have no names on the wire.
const (
	steamIDColumn = "steamid_"
	pingColumn    = "ping_"
)

// isJustCause2 reports whether the packet, with this body, is an answer of Just Cause 2
// Multiplayer: the only packet, though not marked as the last, with info and a table of
// players in a form of its own.
func (m *Packet) isJustCause2(body []byte) bool {
	if m.Number != 0 || m.Last || len(body) == 0 || body[0] != info ||
		bytes.Contains(body, []byte(playerColumn+"\x00")) { // a column, as in other games
		return false
	}
	p := body[1:]
	for len(p) > 0 && p[0] != 0 {
		p, _ = skipText(p)
		p, _ = skipText(p)
	}
	return len(p) > 0 && isJustCause2Table(p[1:])
}

// isJustCause2Table reports whether p is a table of players: their number, then two texts
// and a ping of two bytes for each.
func isJustCause2Table(p []byte) bool {
	if len(p) < 2 {
		return false
	}
	n := binary.BigEndian.Uint16(p)
	p = p[2:]
	for range n {
		var name, id bool
		p, name = skipText(p)
		p, id = skipText(p)
		if !name || !id || len(p) < 2 {
			return false
		}
		p = p[2:]
	}
	return len(p) == 0
}

// skipText returns p without the text at its start, and reports whether the text has an
// end.
func skipText(p []byte) (rest []byte, ok bool) {
	_, rest, ok = bytes.Cut(p, []byte{0})
	return rest, ok
}

// readJustCause2 reads the players.
func (p *tableReader) readJustCause2(r *wire.Reader, g *gatherer) {
	r.In(sectionNames[players], -1)
	at := r.Offset()
	rows := int(r.Uint16("count"))
	var columns [3]int
	for i, name := range []string{playerColumn, steamIDColumn, pingColumn} {
		columns[i] = p.column(r, g, players, name, at)
	}
	t := &g.tables[players]
	maxRows := g.values / len(columns)
	if rows > maxRows {
		r.Exceed("count", at, rows, maxRows)
	}
	for row := 0; row < rows && !r.Failed(); row++ {
		r.In(rowNames[players], row)
		t.set(row, columns[0], r.Text0("name"), maxRows)
		t.set(row, columns[1], r.Text0("steamId"), maxRows)
		t.set(row, columns[2], strconv.Itoa(int(r.Uint16("ping"))), maxRows)
	}
}
