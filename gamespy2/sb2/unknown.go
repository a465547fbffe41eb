package sb2

import "github.com/lobbywire/lobbywire/internal/wire"

// An Unknown is a message of an unknown type, in either direction.
//
//wire:message Request Push canonical
type Unknown struct {
	Type uint8
	Data []byte
}

func (m *Unknown) decode(r *wire.Reader, _ Options) {
	outer, t := enterAny(r)
	m.Type = t
	m.Data = r.Rest("data")
	leave(r, outer)
}

// append fails if the message is too long.
func (m *Unknown) append(w *wire.Writer) {
	at := open(w, m.Type)
	w.Bytes(m.Data)
	seal(w, at)
}
