package gamespy2

import (
	"bytes"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// A packetReader reads the sections of one packet of a split response into a gatherer.
type packetReader struct {
	tableReader
	justCause2 bool // the packet lists players as Just Cause 2 Multiplayer does
}

// read reads the packet.
func (p *packetReader) read(r *wire.Reader, g *gatherer, last bool) {
	p.first = r.Offset() + 1
	// The bytes after the last zero byte are certainly a cut item.
	cut := 0
	if !last {
		cut = len(r.Peek()) - 1 - bytes.LastIndexByte(r.Peek(), 0)
	}
	outer := r.Enter(r.Len()-cut, "", r.Offset())
	switch {
	case last:
		p.end = endingOf(r, endsWhole)
		p.end.tolerate(p.o)
	case cut > 0:
		p.end = endingOf(r, cutInItem)
	default:
		p.end = endingOf(r, cutSomewhere)
	}
	p.readSections(r, g)
	if !last {
		r.Leave(outer)
		r.Skip(cut, "cut")
	}
	g.partial = g.partial || p.end.partial
}

// readSections reads the sections of a packet without the bytes of a cut item.
func (p *packetReader) readSections(r *wire.Reader, g *gatherer) {
	next := info
	for r.Len() > 0 {
		section := int(r.Peek()[0])
		if section < next || section > teams {
			break
		}
		next = section + 1
		r.Uint8("section")
		if section == info {
			p.readInfo(r, g)
		} else {
			p.readTable(r, g, section)
		}
		r.In("", -1)
	}
	if p.o.Strict {
		r.End()
		if !p.end.isCut() && next <= teams {
			r.Fail(lobbywire.ErrTruncated, "section", r.Offset())
		}
	}
	if skipRest(r) {
		g.outOfStep = true
	}
}

// skipRest skips the rest of a response, and reports whether it is more than padding, which
// consists of zero bytes.
func skipRest(r *wire.Reader) (surplus bool) {
	surplus = len(bytes.Trim(r.Peek(), "\x00")) > 0
	r.Skip(r.Len(), "ignored")
	return surplus
}

// readInfo reads info and the bytes that games send between it and the next section.
func (p *packetReader) readInfo(r *wire.Reader, g *gatherer) {
	i := infoReader{o: p.o, list: g.info}
	minecraft := !p.end.isCut() && g.info == nil && isMinecraftInfo(r.Peek())
	if minecraft {
		i.stat = minecraftKeys[:]
	}
	i.read(r, &p.end)
	g.info = i.list
	g.outOfStep = g.outOfStep || i.uneven
	g.unsure = item{section: info, name: i.unsure.Key, value: i.unsure.Value}
	next := r.Peek()
	switch {
	case p.o.Strict || p.justCause2:
	case minecraft && bytes.HasPrefix(next, []byte(paperSection)):
		p.wide = true
		r.Skip(2*(paperNumber-1), "ignored")
	case len(next) > 1 && next[0] == 0 && startsSection(next[1:], !p.end.isCut()):
		r.Skip(1, "ignored") // the value of an empty key
	}
	if p.justCause2 {
		p.readJustCause2(r, g)
	}
}
