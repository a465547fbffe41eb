package sb2

import "net/netip"

// A MapLoopRequest asks for the maps that a server will run next. A [MapLoop] answers it.
//
//wire:message Request frame=TypeMapLoopRequest canonical
type MapLoopRequest struct {
	Addr netip.AddrPort `wire:"addr,address"` // of the server, for queries; IPv4
}
