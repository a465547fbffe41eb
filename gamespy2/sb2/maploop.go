package sb2

import (
	"net/netip"

	"github.com/lobbywire/lobbywire/internal/wire"
)

// A MapLoopRequest requests the maps that a server will run next. A [MapLoop] answers it.
//
//wire:message Request frame=typeMapLoopRequest canonical
type MapLoopRequest struct {
	Addr netip.AddrPort `wire:"addr,address"` // of the server, for queries; IPv4
}

// A MapLoop answers a [MapLoopRequest].
//
//wire:message Push frame=typeMapLoop canonical
type MapLoop struct {
	Addr   netip.AddrPort `wire:"addr,address"` // of the server, for queries; IPv4
	Change uint32         `wire:"change"`       // time of the next map change, in seconds since 1970
	Maps   []string       `wire:"maps,maps"`
}

func decodeMaps(r *wire.Reader, field string) []string { return decodeTexts(r, "mapCount", field) }

// appendMaps appends the number of maps, and their names.
//
//wire:fails there are more than 255 maps, or if a name contains a zero byte
func appendMaps(w *wire.Writer, field string, maps []string) {
	appendTexts(w, "mapCount", field, maps)
}
