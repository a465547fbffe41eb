package sb2

import (
	"net/netip"

	"github.com/lobbywire/lobbywire/internal/wire"
)

// A RulesRequest requests all keys of a server. A [PushServer] with rules answers it.
//
//wire:message Request key=TypeRulesRequest canonical
type RulesRequest struct {
	Addr netip.AddrPort // of the server, for queries; IPv4
}

func (m *RulesRequest) decode(r *wire.Reader, _ Options) {
	outer := enter(r, TypeRulesRequest)
	m.Addr = decodeAddress(r)
	leave(r, outer)
}

// append fails if the address is not IPv4.
func (m *RulesRequest) append(w *wire.Writer) {
	at := open(w, TypeRulesRequest)
	appendAddress(w, m.Addr)
	seal(w, at)
}
