package gamespy2

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/lobbywire/lobbywire/internal/wire"
)

// usualSplit is room for most responses.
const usualSplit = 4 * MaxPacket

// A cutter cuts a response in split form where all known clients read the packets.
type cutter struct {
	m      *Response
	long   bool   // a column may take more than two packets
	banned []bool // columns that no packet may start with
	body   []byte // all sections
	starts []int  // offsets of the columns of Players in body, then the end of the last one
}

// A packetStart is the value of Players that a packet starts with. The zero packetStart
// is the start of the response.
type packetStart struct {
	column, row int
	at          int // in body; of the first value, where its column starts
}

// splitPackets returns the packets of a response in split form. If long, a column may
// take more than two packets, and is cut whatever its name.
func (m *Response) splitPackets(w *wire.Writer, long bool) (list [][]byte) {
	m.checkSplit(w)
	if w.Failed() {
		return nil
	}
	var body [usualSplit]byte
	var starts [usualColumns + 1]int
	c := cutter{m: m, long: long, banned: make([]bool, len(m.Players.Columns))}
	c.body, c.starts = m.appendSections(body[:0], starts[:0])
	m.checkZeros(w, c.body)
	if w.Failed() {
		return nil
	}
	return c.packets(w)
}

// packets returns the packets.
func (c *cutter) packets(w *wire.Writer) (list [][]byte) {
	for again := true; again; {
		list, again = c.cut(w)
	}
	return list
}

// cut returns the packets. If a packet starts with a column whose name clients mistake for
// another text, it bans the column and asks for another try.
func (c *cutter) cut(w *wire.Writer) (list [][]byte, again bool) {
	cuts := len(c.body) / MaxPacket // as a rule
	list = make([][]byte, 0, 1+cuts)
	all := wire.NewWriter(make([]byte, 0, bodyOffset+len(c.body)+cuts*repeatRoom))
	var from packetStart
	for number := range uint8(MaxPackets) {
		start := all.Len()
		header := Packet{ID: c.m.ID, Number: number}
		header.append(&all)
		if number > 0 {
			all.Uint8(players)
		}
		if from.row > 0 {
			all.Text(c.m.Players.Columns[from.column])
			all.Uint8(0)
			all.Uint8(uint8(from.row))
		}
		room := MaxPacket - (all.Len() - start)
		last := len(c.body)-from.at <= room
		end, next, tooLarge := len(c.body), packetStart{}, ""
		if !last {
			end, next, tooLarge = c.next(from, room)
			if tooLarge != "" {
				w.Fail(wire.TooLarge("does not fit a packet, and clients know no place to cut it"), tooLarge)
				return nil, false
			}
		}
		all.Bytes(c.body[from.at:end])
		packet := all.Buffer()[start:all.Len():all.Len()]
		if number > 0 && !c.long && c.isMistaken(from, list[number-1], packet) {
			c.banned[from.column] = true
			return nil, true
		}
		list = append(list, packet)
		if last {
			packet[numberOffset] |= lastFlag
			return list, false
		}
		from = next
	}
	w.Fail(wire.TooLarge("more than 8 would be needed"), "packets")
	return nil, false
}

// repeatRoom is room for the header, column name and value that each packet repeats.
const repeatRoom = 40

// isMistaken reports whether GameQ misreads the name of the column that a packet starts
// with. If the previous packet contains that name, GameQ removes the name from the packet
// wherever it occurs, and continues the previous column.
func (c *cutter) isMistaken(from packetStart, before, packet []byte) bool {
	name := []byte(c.m.Players.Columns[from.column])
	if from.row == 0 {
		return bytes.Contains(before[bodyOffset:], name)
	}
	return bytes.Count(packet[bodyOffset:], name) > 1
}

// next returns the end of a packet that starts at from and has room for a number of bytes,
// and the start of the next packet. If there is no place to cut, tooLarge names the field
// that takes too much room.
//
// A packet is cut within a column, after the value at next, or after a column; next is then
// the first value of another column. The places to cut are those that all known clients
// read correctly. qstat loses the teams if a packet starts with them. GameQ loses all
// players if a packet starts with the first one, and misreads a column that takes more than
// two packets, because it no longer knows its name in the third. opengsq always drops the
// last text of a packet, so the next packet repeats that value, unless its column has
// ended. All clients garble Info that is cut.
func (c *cutter) next(from packetStart, room int) (end int, next packetStart, tooLarge string) {
	limit := from.at + room
	column := slices.IndexFunc(c.starts[1:], func(end int) bool { return end > limit })
	tooLarge = "players"
	if column < 0 {
		column = len(c.m.Players.Columns) - 1
		tooLarge = "teams"
	}
	for ; column >= from.column; column-- {
		columnEnd := c.starts[column+1]
		fits := columnEnd <= limit
		if fits && column+1 < len(c.m.Players.Columns) && !c.banned[column+1] && !c.endsEmpty(column) {
			return columnEnd, packetStart{column: column + 1, at: columnEnd}, ""
		}
		first := packetStart{column: column, at: c.values(column)}
		if column == from.column && from.row > 0 {
			first = from
		}
		if first.row > 0 && !c.long || !c.mayCut(column) {
			continue
		}
		end, next := c.lastValue(first, max(first.at, min(limit, columnEnd-1)))
		rest := columnOverhead + len(c.m.Players.Columns[column]) + columnEnd - 1 - next.at
		if next.row > first.row && (c.long || rest <= MaxPacket) {
			return end, next, ""
		}
		if !fits && first.row == 0 {
			tooLarge = "players.columns[" + strconv.Itoa(column) + "]"
		}
	}
	return 0, packetStart{}, c.blame(from, tooLarge)
}

// endsEmpty reports whether the last value of a column is empty. Readers ignore it at the end of
// a packet.
func (c *cutter) endsEmpty(column int) bool {
	rows := c.m.Players.Rows
	return len(rows) > 0 && rows[len(rows)-1][column] == ""
}

// columnOverhead is the number of bytes, besides name and values, of a packet that contains
// only a part of a column.
const columnOverhead = bodyOffset + 1 + columnEnds

// maxStart is the greatest row that a packet can start with: it has one byte.
const maxStart = 255

// values returns the offset of the values of a column.
func (c *cutter) values(column int) int {
	return c.starts[column] + len(c.m.Players.Columns[column]) + len("\x00\x00")
}

// lastValue returns the last value of a column, from first on, that ends before limit and
// that a packet can start with, and its end. A packet that starts with an empty value is
// misread. GameQ keeps a repeated 0 twice, because PHP treats the text as empty.
func (c *cutter) lastValue(first packetStart, limit int) (end int, last packetStart) {
	end = first.at + bytes.LastIndexByte(c.body[first.at:limit], 0) + 1
	for end > first.at {
		at := first.at + bytes.LastIndexByte(c.body[first.at:end-1], 0) + 1
		row := first.row + countTexts(c.body[first.at:at])
		if row <= maxStart && at < end-1 && (c.long || string(c.body[at:end]) != "0\x00") {
			return end, packetStart{first.column, row, at}
		}
		end = at
	}
	return end, first
}

// blame returns the field to shorten if there is no place to cut a packet: Info
// if it takes most of the packet and the names of the players could be cut, else
// field.
func (c *cutter) blame(from packetStart, field string) string {
	large := from == (packetStart{}) && bodyOffset+c.starts[0]-1 > MaxPacket/2
	if large && (len(c.m.Players.Rows) < 2 || c.mayCut(0) && c.starts[1]-1-c.values(0) < MaxPacket) {
		return "info"
	}
	return field
}

// mayCut reports whether a packet may start in a column of Players. Only GameQ
// depends on the names of columns.
func (c *cutter) mayCut(column int) bool {
	columns := c.m.Players.Columns
	if column > 0 && column == len(columns)-1 {
		return false
	}
	if c.long {
		return true
	}
	contains := func(other string) bool { return strings.Contains(other, columns[column]) }
	return !c.banned[column] && !slices.ContainsFunc(columns[:column], contains) &&
		!slices.ContainsFunc(columns[column+1:], contains) && !slices.ContainsFunc(c.m.Teams.Columns, contains)
}
