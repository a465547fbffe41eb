package sb2

import "github.com/lobbywire/lobbywire/internal/wire"

// A PushKeys lists the keys of the [PushServer] messages that follow it,
// replacing those of the list.
//
//wire:message Push key=TypePushKeys canonical
type PushKeys struct {
	Keys []Key
}

func (m *PushKeys) decode(r *wire.Reader, _ Options) {
	outer := enter(r, TypePushKeys)
	m.Keys = decodeKeys(r)
	leave(r, outer)
}

// append fails if there are more than [MaxKeys] keys, if a key is invalid or if the
// message is too long.
func (m *PushKeys) append(w *wire.Writer) {
	at := open(w, TypePushKeys)
	appendKeys(w, m.Keys)
	seal(w, at)
}
