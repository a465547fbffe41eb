package sb2

import (
	"net/netip"

	"github.com/lobbywire/lobbywire/internal/wire"
)

// A MapLoopRequest asks for the maps that a server will run next. A [MapLoop] answers it.
//
//wire:message Request key=TypeMapLoopRequest canonical
type MapLoopRequest struct {
	Addr netip.AddrPort // of the server, for queries; IPv4
}

func (m *MapLoopRequest) decode(r *wire.Reader, _ Options) {
	outer := enter(r, TypeMapLoopRequest)
	m.Addr = decodeAddress(r)
	leave(r, outer)
}

// append fails if the address is not IPv4.
func (m *MapLoopRequest) append(w *wire.Writer) {
	at := open(w, TypeMapLoopRequest)
	appendAddress(w, m.Addr)
	seal(w, at)
}
