package sb2

import "net/netip"

// A MessageRequest asks a master to forward data to a server, in a client message over UDP.
// Clients use it to start NAT negotiation.
//
//wire:message Request frame=typeMessageRequest canonical
type MessageRequest struct {
	Addr netip.AddrPort `wire:"addr,address"` // of the server, for queries; IPv4
	Data []byte         `wire:"data,rest"`
}
