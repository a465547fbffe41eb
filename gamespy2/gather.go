package gamespy2

import (
	"bytes"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// A gatherer takes in the sections of one packet after the other, in the order
// of their numbers, and makes a response of them.
//
// A server cuts an answer wherever the packet is full: in a key, a value, a
// column name. The next packet starts by repeating, in full, what was cut. So
// each packet is read on its own, a value goes where its column and row say,
// and what stands last in a packet does not count until it is repeated.
type gatherer struct {
	o       Options
	later   int // texts in the packets after the one being read, at most
	info    []KeyValue
	tables  [3]grid // by section
	partial bool

	plain     bool // the form
	last      bool // the packet being read is the last one, so it ends in no cut
	mayDangle bool // what stands last in it may be cut, though it looks whole

	dangle cut                                // what stood last in the packet before
	cell   struct{ section, column, row int } // that is cut
}

// A cut is what a packet may have been cut in, though it looks whole.
type cut int

const (
	cutNothing cut = iota
	cutInfo        // the last of info
	cutCell        // a value, which is not in its table
)

// countTexts returns how many texts are in p at most.
func countTexts(p []byte) int { return bytes.Count(p, []byte{0}) }

// packet reads the sections of a packet. Only the last one has to end well.
func (g *gatherer) packet(r *wire.Reader, last bool) {
	g.settle(r.Peek())
	// What follows the last zero byte was cut for certain.
	torn := 0
	if p := r.Peek(); !last && len(p) > 0 {
		torn = len(p) - 1 - bytes.LastIndexByte(p, 0)
	}
	g.last, g.mayDangle = last, !last && torn == 0
	if torn == 0 {
		g.sections(r)
		return
	}
	outer := r.Enter(r.Len()-torn, "", r.Offset())
	g.sections(r)
	r.Leave(outer)
	r.Skip(torn, "cut")
}

func (g *gatherer) sections(r *wire.Reader) {
	next := info
	for r.Len() > 0 {
		section := int(r.Peek()[0])
		if section < next || section > teams {
			break
		}
		next = section + 1
		r.Uint8("section")
		if section == info {
			g.readInfo(r)
		} else {
			g.readTable(r, section)
		}
		r.In("", -1)
	}
	if g.o.Strict {
		r.End()
		if g.last && next <= teams {
			r.Fail(lobbywire.ErrTruncated, "section", r.Offset())
		}
	}
	r.Skip(r.Len(), "ignored")
}

// settle decides about what stood last in the packet before: next, the packet
// now, repeats it, or it is lost.
func (g *gatherer) settle(next []byte) {
	repeated := false
	switch g.dangle {
	case cutNothing:
		return
	case cutInfo:
		i := len(g.info) - 1
		rest, ok := afterName(next, g.info[i].Key)
		repeated = ok && next[0] == info && len(rest) > 0
		g.info = g.info[:i]
	case cutCell:
		rest, ok := afterName(next, g.tables[g.cell.section].names()[g.cell.column])
		repeated = ok && next[0] != info && len(rest) > 0 && int(rest[0]) <= g.cell.row
	}
	g.partial = g.partial || !repeated
	g.dangle = cutNothing
}

// afterName returns what follows a section byte and a name at the start of p.
func afterName(p []byte, name string) (rest []byte, ok bool) {
	end := 1 + len(name)
	if len(p) <= end || string(p[1:end]) != name || p[end] != 0 {
		return nil, false
	}
	return p[end+1:], true
}

// leadingTexts returns about how many texts are in the column or info that p
// starts with: up to two zero bytes, which an empty value makes too. ended tells
// whether they are there.
func leadingTexts(p []byte) (n int, ended bool) {
	for i, c := range p {
		if c != 0 {
			continue
		}
		n++
		if i+1 < len(p) && p[i+1] == 0 {
			return n, true
		}
	}
	return n, false
}

// infoTexts returns about how many texts are in the info that p starts with. It
// ends where players start, or else at two zero bytes, though an empty value
// makes such too.
func infoTexts(p []byte) int {
	if end := bytes.IndexByte(p, players); end > 1 && p[end-2] == 0 && p[end-1] == 0 {
		return countTexts(p[:end-1])
	}
	n, _ := leadingTexts(p)
	return n
}

// readInfo reads keys and values and the zero byte after them. It tells whether
// that was there. It is missing if the packet was cut and, tolerably, at the end
// of a packet in split form.
func (g *gatherer) readInfo(r *wire.Reader) (ended bool) {
	if g.info == nil {
		g.info = make([]KeyValue, 0, infoTexts(r.Peek())/2)
	}
	for r.Len() > 0 {
		if r.Peek()[0] == 0 {
			r.In("info", -1)
			r.Uint8("end")
			return true
		}
		r.In("info", len(g.info))
		at := r.Offset()
		key := r.Text0("key")
		if g.o.Strict && len(key) > MaxName {
			r.Fail(lobbywire.ErrTooLarge, "key", at)
		}
		if r.Len() == 0 && !g.last {
			return false // a key that was cut
		}
		value := ""
		if !g.lacksValue(r.Peek()) {
			value = r.Text0("value")
		}
		if r.Failed() {
			return false
		}
		g.info = append(g.info, KeyValue{key, value})
		if r.Len() == 0 && g.mayDangle {
			g.dangle = cutInfo
		}
	}
	if g.last && (g.plain || g.o.Strict) {
		r.In("info", -1)
		r.Fail(lobbywire.ErrTruncated, "end", r.Offset())
	}
	return false
}

// lacksValue tells whether p, which follows a key, is the next key: GameSpy's
// code leaves out a value that the game does not give, in split form. Unreal
// Tournament 3 gives none for some properties, which have keys like p268435999.
func (g *gatherer) lacksValue(p []byte) bool {
	if g.o.Strict || g.plain {
		return false
	}
	n := property(p)
	return n > 0 && n < len(p) && p[n] == 0
}

// propertyDigits is how many digits the shortest property of Unreal Tournament
// 3 has, the number of which is 0x10000001 or above.
const propertyDigits = 9

// property returns the length of the property that p starts with, 0 for none.
func property[T string | []byte](p T) int {
	if len(p) == 0 || p[0] != 'p' {
		return 0
	}
	n := 1
	for n < len(p) && p[n] >= '0' && p[n] <= '9' {
		n++
	}
	if n <= propertyDigits {
		return 0
	}
	return n
}

// finish makes a response of what was gathered. Values that did not come are "".
func (g *gatherer) finish(m *Response) {
	g.settle(nil)
	m.Split = true
	m.Sections = AllSections
	m.Info = g.info
	if m.Info == nil {
		m.Info = []KeyValue{}
	}
	rows := make([][]string, g.tables[players].rows+g.tables[teams].rows)
	m.Players, rows = g.tables[players].table(rows)
	m.Teams, _ = g.tables[teams].table(rows)
	m.Partial = g.partial
}
