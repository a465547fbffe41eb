package gamespy2

import (
	"bytes"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// An ending describes where a packet may end, and whether it has ended early.
type ending struct {
	mode    endMode
	texts   int  // end of the texts: the bytes from there on contain no zero byte
	partial bool // the packet ends early, and no other packet repeats the cut item
}

type endMode uint8

const (
	endsWhole    endMode = iota // with all of its sections
	endsEarly                   // anywhere; the response is then partial
	cutInItem                   // cut by the server, certainly within an item
	cutSomewhere                // cut by the server, perhaps within the last item, although it looks complete
)

// endingOf returns the ending of the bytes of r.
func endingOf(r *wire.Reader, mode endMode) ending {
	return ending{mode: mode, texts: r.Offset() + bytes.LastIndexByte(r.Peek(), 0) + 1}
}

// tolerate lets the packet end anywhere, unless the options are strict.
func (e *ending) tolerate(o Options) {
	if e.mode == endsWhole && !o.Strict {
		e.mode = endsEarly
	}
}

// isCut reports whether the server has cut the packet. In the split form the next packet
// then repeats an item.
func (e *ending) isCut() bool { return e.mode >= cutInItem }

// mayBeEarly reports whether the packet may end before its last section does.
func (e *ending) mayBeEarly() bool { return e.mode != endsWhole }

// isInText reports whether a packet that may end early ends in the next text.
func (e *ending) isInText(r *wire.Reader) bool { return e.mayBeEarly() && r.Offset() >= e.texts }

// isUnsure reports whether the item before r is the last one and may be cut.
func (e *ending) isUnsure(r *wire.Reader) bool { return r.Len() == 0 && e.mode == cutSomewhere }

// early notes that the packet has ended early.
func (e *ending) early() { e.partial = e.partial || !e.isCut() }

// skipText skips the rest of a packet, a cut text.
func (e *ending) skipText(r *wire.Reader) {
	r.Skip(r.Len(), "cut")
	e.early()
}

// miss handles the end of a packet before the end of a column or section.
func (e *ending) miss(r *wire.Reader) {
	if !e.mayBeEarly() {
		r.Fail(lobbywire.ErrTruncated, "end", r.Offset())
	}
	e.early()
}
