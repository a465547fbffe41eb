package sb2

import "net/netip"

// A RulesRequest requests all keys of a server. A [PushServer] with rules answers it.
//
//wire:message Request frame=typeRulesRequest canonical
type RulesRequest struct {
	Addr netip.AddrPort `wire:"addr,address"` // of the server, for queries; IPv4
}
