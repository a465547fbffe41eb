package sb2

import "github.com/lobbywire/lobbywire/internal/wire"

// A PushServer is a server that is new or has changed, or the answer to a
// [RulesRequest].
//
//wire:message Push key=typePushServer
type PushServer struct {
	// Keys are the keys of Fields: from the last [PushKeys] or, before it, from the list.
	// They are not part of the message.
	Keys []Key

	// Server has no popular values. Without FlagPort its port is the DefaultPort
	// of the list.
	Server
}

// decode needs Options.Keys if the server has fields.
func (m *PushServer) decode(r *wire.Reader, o Options) {
	r.DecodeTexts(o.Text)
	m.Keys = o.Keys
	outer := enter(r, typePushServer)
	var mem arena
	m.Server.decode(r, &form{keys: m.Keys}, &mem)
	leave(r, outer)
}

// append fails if an address is not IPv4, if a text contains a zero byte, if a field is set
// without its flag, if Fields do not match Keys, or if the message is too long.
func (m *PushServer) append(w *wire.Writer) {
	at := open(w, typePushServer)
	m.Server.append(w, &form{keys: m.Keys})
	seal(w, at)
}
