package sb2

import (
	"net/netip"

	"github.com/lobbywire/lobbywire/internal/wire"
)

// A MessageRequest asks the master to forward data to a server, in a client
// message over UDP. Clients use it to start NAT negotiation.
//
//wire:message Request key=TypeMessageRequest canonical
type MessageRequest struct {
	Addr netip.AddrPort // of the server, for queries; IPv4
	Data []byte
}

func (m *MessageRequest) decode(r *wire.Reader, _ Options) {
	outer := enter(r, TypeMessageRequest)
	m.Addr = decodeAddress(r)
	m.Data = r.Rest("data")
	leave(r, outer)
}

// append fails if the address is not IPv4 or the message is too long.
func (m *MessageRequest) append(w *wire.Writer) {
	at := open(w, TypeMessageRequest)
	appendAddress(w, m.Addr)
	w.Bytes(m.Data)
	seal(w, at)
}
