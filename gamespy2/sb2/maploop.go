package sb2

import (
	"math"
	"net/netip"

	"github.com/lobbywire/lobbywire/internal/wire"
)

// A MapLoop answers a [MapLoopRequest].
//
//wire:message Push frame=TypeMapLoop canonical
type MapLoop struct {
	Addr   netip.AddrPort `wire:"addr,address"` // of the server, for queries; IPv4
	Change uint32         `wire:"change"`       // time of the next map change, in seconds since 1970
	Maps   []string       `wire:"maps,maps"`
}

func decodeMaps(r *wire.Reader, field string) []string { return decodeTexts(r, "mapCount", field) }

// appendMaps fails if there are more than 255 maps, or if a name has a zero byte.
func appendMaps(w *wire.Writer, field string, maps []string) {
	appendTexts(w, "mapCount", field, maps)
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
