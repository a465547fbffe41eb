package sb2

import "github.com/lobbywire/lobbywire/internal/wire"

// A Keepalive checks whether a client is still connected. The client sends the
// same message back.
//
//wire:message Request Push key=TypeKeepalive canonical
type Keepalive struct {
	Data []byte // any bytes; nil if there are none
}

func (m *Keepalive) decode(r *wire.Reader, _ Options) {
	outer := enter(r, TypeKeepalive)
	m.Data = r.Rest("data")
	leave(r, outer)
}

// append fails if the message is too long.
func (m *Keepalive) append(w *wire.Writer) {
	at := open(w, TypeKeepalive)
	w.Bytes(m.Data)
	seal(w, at)
}
