package sb2

import (
	"math"
	"net/netip"

	"github.com/lobbywire/lobbywire/internal/wire"
)

// A MapLoop answers a [MapLoopRequest].
//
//wire:message Push key=TypeMapLoop canonical
type MapLoop struct {
	Addr   netip.AddrPort // of the server, for queries; IPv4
	Change uint32         // time of the next map change, in seconds since 1970
	Maps   []string
}

func (m *MapLoop) decode(r *wire.Reader, _ Options) {
	outer := enter(r, TypeMapLoop)
	m.Addr = decodeAddress(r)
	m.Change = r.Uint32("change")
	m.Maps = decodeTexts(r, "mapCount", "maps")
	leave(r, outer)
}

// append fails if the address is not IPv4, if there are more than 255 maps, if a
// name has a zero byte or if the message is too long.
func (m *MapLoop) append(w *wire.Writer) {
	at := open(w, TypeMapLoop)
	appendAddress(w, m.Addr)
	w.Uint32(m.Change)
	appendTexts(w, "mapCount", "maps", m.Maps)
	seal(w, at)
}

// decodeTexts reads a number of texts, one byte, and the texts.
func decodeTexts(r *wire.Reader, count, name string) []string {
	at := r.Offset()
	n := r.Count(uint32(r.Uint8(count)), 1, math.MaxUint8, count, at)
	if n == 0 {
		return nil
	}
	all := make([]string, n)
	for i := range all {
		r.In(name, i)
		all[i] = r.Text0("")
	}
	r.In("", -1)
	return all
}

// appendTexts appends what decodeTexts reads.
func appendTexts(w *wire.Writer, count, name string, all []string) {
	if len(all) > math.MaxUint8 {
		w.Exceed(count, len(all), math.MaxUint8)
		return
	}
	w.Uint8(uint8(len(all)))
	for i, s := range all {
		w.In(name, i)
		w.Text0("", s)
	}
	w.In("", -1)
}
