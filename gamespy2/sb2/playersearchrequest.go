package sb2

import "github.com/lobbywire/lobbywire/internal/wire"

// A PlayerSearchRequest asks which servers a player is on. [PlayerSearch]
// messages answer it.
//
//wire:message Request key=TypePlayerSearchRequest canonical
type PlayerSearchRequest struct {
	Options    uint32 // opaque
	MaxResults uint32
	Name       string
}

func (m *PlayerSearchRequest) decode(r *wire.Reader, _ Options) {
	outer := enter(r, TypePlayerSearchRequest)
	m.Options = r.Uint32("options")
	m.MaxResults = r.Uint32("maxResults")
	m.Name = r.Text0("name")
	leave(r, outer)
}

// append fails if the name has a zero byte or the message is too long.
func (m *PlayerSearchRequest) append(w *wire.Writer) {
	at := open(w, TypePlayerSearchRequest)
	w.Uint32(m.Options)
	w.Uint32(m.MaxResults)
	w.Text0("name", m.Name)
	seal(w, at)
}
