package sb2

import (
	"net/netip"

	"github.com/lobbywire/lobbywire/internal/wire"
)

// A DeleteServer removes a server from the list.
//
//wire:message Push key=TypeDeleteServer canonical
type DeleteServer struct {
	Addr netip.AddrPort // of the server, for queries; IPv4
}

func (m *DeleteServer) decode(r *wire.Reader, _ Options) {
	outer := enter(r, TypeDeleteServer)
	m.Addr = decodeAddress(r)
	leave(r, outer)
}

// append fails if the address is not IPv4.
func (m *DeleteServer) append(w *wire.Writer) {
	at := open(w, TypeDeleteServer)
	appendAddress(w, m.Addr)
	seal(w, at)
}
