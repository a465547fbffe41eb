package sb2

import "net/netip"

// A DeleteServer removes a server from the list.
//
//wire:message Push frame=typeDeleteServer canonical
type DeleteServer struct {
	Addr netip.AddrPort `wire:"addr,address"` // of the server, for queries; IPv4
}
