package gamespy2

import (
	"bytes"
	"slices"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// A gatherer makes a response of the sections of its packets, read in the order
// of their numbers.
//
// A server cuts a response wherever the packet is full: in a key, a value or a
// column name. The next packet starts by repeating the cut item in full. So the
// gatherer reads each packet on its own and sets a value by its column and row.
// The last item of a packet does not count until the next packet repeats it. If a
// response ends early, the gatherer keeps the items before.
type gatherer struct {
	o       Options
	values  int // limit for the values of a table
	later   int // upper bound for the texts in the packets after this one
	info    []KeyValue
	tables  [3]grid // by section
	partial bool

	// outOfStep reports that a key or column lacks a value, so others may have wrong ones,
	// or that bytes are left that are no section.
	outOfStep bool

	minecraft bool     // the packet is a full stat of Minecraft
	keys      []string // of a full stat, those that may follow
	wide      bool     // numbers among its players have four bytes

	justCause2 bool // the packet is that of Just Cause 2 Multiplayer

	first  int    // where the packet's first column is, if it starts with one
	plain  bool   // the response has the plain form
	ending ending // of the packet that is read
	end    int    // of the packet's texts: the bytes from there on have no zero byte

	dangle item // the last item of the packet before, if it may be cut
}

// An ending is how a packet may end.
type ending uint8

const (
	endsWhole ending = iota // with all of its sections
	endsEarly               // anywhere; the response is then partial
	endsTorn                // cut by the server, within an item for certain
	endsOpen                // cut by the server, perhaps within the last item, though it looks whole
)

// isCut reports whether the server has cut the packet. In the split form the next packet
// then repeats an item.
func (e ending) isCut() bool { return e >= endsTorn }

// tolerateEnd lets the packet end anywhere, unless the options are strict.
func (g *gatherer) tolerateEnd() {
	if g.ending == endsWhole && !g.o.Strict {
		g.ending = endsEarly
	}
}

// An item is a property of info or a value of a table.
type item struct {
	section int
	name    string // the key or the column; "" for no item
	row     int
}

// countTexts returns an upper bound for the number of texts in p.
func countTexts(p []byte) int { return bytes.Count(p, []byte{0}) }

// packet reads the sections of a packet.
func (g *gatherer) packet(r *wire.Reader, last bool) {
	g.settle(r.Peek())
	g.first = r.Offset() + 1
	// The bytes after the last zero byte are an item that was cut for certain.
	torn := 0
	if !last {
		torn = len(r.Peek()) - 1 - bytes.LastIndexByte(r.Peek(), 0)
	}
	switch {
	case last:
		g.ending = endsWhole
		g.tolerateEnd()
	case torn > 0:
		g.ending = endsTorn
	default:
		g.ending = endsOpen
	}
	outer := r.Enter(r.Len()-torn, "", r.Offset())
	g.findEnd(r)
	g.sections(r, last)
	if !last {
		r.Leave(outer)
		r.Skip(torn, "cut")
	}
}

// sections reads the sections of a packet without torn bytes at its end.
func (g *gatherer) sections(r *wire.Reader, last bool) {
	next := info
	for r.Len() > 0 {
		section := int(r.Peek()[0])
		if section < next || section > teams {
			break
		}
		next = section + 1
		r.Uint8("section")
		if section == info {
			g.minecraft = last && g.info == nil && isMinecraftInfo(r.Peek())
			g.keys = minecraftKeys[:]
			g.readInfo(r)
			if g.wide = g.minecraft && !g.o.Strict && bytes.HasPrefix(r.Peek(), []byte(paperSection)); g.wide {
				r.Skip(2*(paperNumber-1), "ignored")
			}
			if g.justCause2 {
				g.readJustCause2(r)
			}
		} else {
			g.readTable(r, section)
		}
		r.In("", -1)
	}
	if g.o.Strict {
		r.End()
		if !g.ending.isCut() && next <= teams {
			r.Fail(lobbywire.ErrTruncated, "section", r.Offset())
		}
	}
	g.ignore(r)
}

// ignore skips the rest of a response. Only zero bytes can be padding.
func (g *gatherer) ignore(r *wire.Reader) {
	g.outOfStep = g.outOfStep || len(bytes.Trim(r.Peek(), "\x00")) > 0
	r.Skip(r.Len(), "ignored")
}

// settle is called before next, the body of the next packet, is read. If next does not
// repeat the last item of the packet before, which may be cut, the response is partial.
func (g *gatherer) settle(next []byte) {
	d := g.dangle
	if d.name == "" {
		return
	}
	rest, ok := afterName(next, d.name)
	repeated := ok && len(rest) > 0 && (next[0] == info) == (d.section == info) &&
		(d.section == info || int(rest[0]) <= d.row)
	g.partial = g.partial || !repeated
	g.dangle = item{}
}

// afterName returns the bytes of p after a section byte and a name.
func afterName(p []byte, name string) (rest []byte, ok bool) {
	end := 1 + len(name)
	if len(p) <= end || string(p[1:end]) != name || p[end] != 0 {
		return nil, false
	}
	return p[end+1:], true
}

// findEnd sets end for the packet that r reads.
func (g *gatherer) findEnd(r *wire.Reader) { g.end = r.Offset() + bytes.LastIndexByte(r.Peek(), 0) + 1 }

// atEnd reports whether a packet that may end anywhere ends in the next text.
func (g *gatherer) atEnd(r *wire.Reader) bool { return g.ending != endsWhole && r.Offset() >= g.end }

// skipCut skips the rest of a packet, a text that is cut.
func (g *gatherer) skipCut(r *wire.Reader) {
	r.Skip(r.Len(), "cut")
	g.partial = g.partial || !g.ending.isCut()
}

// readInfo reads keys and values and the zero byte after them. It reports whether
// the zero byte was there.
func (g *gatherer) readInfo(r *wire.Reader) (ended bool) {
	if g.info == nil {
		g.info = make([]KeyValue, 0, r.CountPairs())
	}
	for r.Len() > 0 {
		if r.Peek()[0] == 0 {
			r.In("info", -1)
			r.Uint8("end")
			return true
		}
		r.In("info", len(g.info))
		if g.atEnd(r) {
			g.skipCut(r)
			return false
		}
		at := r.Offset()
		key := r.Text0("key")
		if g.o.Strict && len(key) > MaxName {
			r.Exceed("key", at, len(key), MaxName)
		}
		value := ""
		switch p := r.Peek(); {
		case g.endsInfo(p):
			if g.o.Strict {
				r.Refuse("value", r.Offset(), "missing")
			}
			g.outOfStep = true
			r.In("info", -1)
			r.Uint8("end")
			return true
		case !g.lacksValue(p):
			if g.atEnd(r) {
				g.skipCut(r)
				return false
			}
			value = g.readInfoValue(r, key)
		case g.o.Strict:
			r.Refuse("value", r.Offset(), "missing")
		}
		if r.Failed() {
			return false
		}
		if r.Len() == 0 && g.ending == endsOpen {
			g.dangle = item{section: info, name: key}
			break
		}
		g.info = append(g.info, KeyValue{key, value})
	}
	r.In("info", -1)
	g.missEnd(r)
	return false
}

// readInfoValue reads the value of a key. That of a known key of Minecraft may contain zero
// bytes.
func (g *gatherer) readInfoValue(r *wire.Reader, key string) string {
	at := -1
	if g.minecraft {
		at = slices.Index(g.keys, key)
	}
	if at < 0 {
		return r.Text0("value")
	}
	g.keys = g.keys[at+1:]
	p := r.Peek()
	n := minecraftValue(p, key, g.keys, g.o.Strict)
	if n == bytes.IndexByte(p, 0) {
		return r.Text0("value")
	}
	if g.o.Strict {
		r.Refuse("value", r.Offset(), "contains a zero byte")
	}
	return r.TextWithin(0, n, 1, "value")
}

// endsInfo reports whether p, the bytes after a key, starts with the end of info instead of a
// value: the number of texts is odd.
func (g *gatherer) endsInfo(p []byte) bool {
	if len(p) < 2 || p[0] != 0 {
		return false
	}
	if g.plain {
		return p[1] == 0 && len(p) > 3 && bytes.HasPrefix(p[3:], []byte(playerColumn+"\x00"))
	}
	return startsSection(p[1:], !g.ending.isCut())
}

// missEnd handles the end of a packet before the end of a column or section.
func (g *gatherer) missEnd(r *wire.Reader) {
	if g.ending == endsWhole {
		r.Fail(lobbywire.ErrTruncated, "end", r.Offset())
	}
	g.partial = g.partial || !g.ending.isCut()
}

// lacksValue reports whether p, the bytes after a key, starts with the next key
// instead of a value. In split form, GameSpy's code omits a value that the game
// does not set. Unreal Tournament 3 does not set some properties. Their keys look
// like p268435999.
func (g *gatherer) lacksValue(p []byte) bool {
	if g.plain {
		return false
	}
	n := property(p)
	return n > 0 && n < len(p) && p[n] == 0
}

// propertyDigits is the number of digits of the shortest property of Unreal
// Tournament 3. The numbers start at 0x10000001.
const propertyDigits = 9

// property returns the length of the property that p starts with, or 0.
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

// finish sets the sections of m. Missing values are "".
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
	uneven := g.tables[players].isUneven() || g.tables[teams].isUneven()
	m.Partial = g.partial || g.outOfStep || uneven
}
