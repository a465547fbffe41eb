package gameagent

import (
	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// Players answers a [PlayersRequest]. It consists of a header with the number of
// players, a record for each player and an end mark.
//
//wire:message
type Players struct {
	// Count is the number of players on the server. It can exceed the number of
	// records: the engine looks only at its first Count slots, and some of them
	// may be empty.
	Count   int
	Players []Player // in the order of the wire
	Extra   []Pair   // pairs that belong to no player
}

// decode needs the whole answer in one packet. A packet without the header fails
// with [lobbywire.ErrInvalid], a packet without the end mark with
// [lobbywire.ErrTruncated]. [Assembler] joins the packets of a longer answer.
func (m *Players) decode(r *wire.Reader, o Options) {
	if r.Len() > 0 && firstByte(r) != startOfList {
		r.Fail(lobbywire.ErrInvalid, "type", 0)
	}
	var p PlayersPacket
	p.decode(r, o)
	if !p.Last {
		r.Fail(lobbywire.ErrTruncated, "end", r.Offset())
	}
	*m = Players{Count: p.Count, Players: p.Players, Extra: p.Extra}
}

// append writes a single packet. It fails as [PlayersPacket.AppendBinary] does.
// Use [Players.Packets] for long answers.
func (m *Players) append(w *wire.Writer) {
	m.appendCut(w, nil)
	appendEnd(w, MaxPacket)
}

func (m *Players) appendCut(w *wire.Writer, cuts *cuts) {
	p := PlayersPacket{First: true, Last: true, Count: m.Count, Players: m.Players, Extra: m.Extra}
	p.appendCut(w, cuts)
}

// Packets returns the answer as datagrams of up to [MaxPacket] bytes. It cuts the
// answer between records. It fails if a record does not fit in a datagram, and
// otherwise as AppendBinary does, except that it accepts long answers.
func (m Players) Packets() ([][]byte, error) {
	w := wire.NewWriter(nil)
	var c cuts
	m.appendCut(&w, &c)
	return c.packets(&w)
}
