package bomberman

import (
	"encoding/json"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// UnregisterGameServer takes the game server of the connection off the list of
// the management server. The connection stays open; the game server may
// register again. It has no content and no answer:
//
//	{"command":"msUnregisterGameServer"}
type UnregisterGameServer struct {
	Extra         map[string]json.RawMessage // members of a content that should not be there
	EnvelopeExtra map[string]json.RawMessage // members beside command and content
}

// ParseUnregisterGameServer reads an [UnregisterGameServer].
func ParseUnregisterGameServer(payload []byte) (UnregisterGameServer, error) {
	return Options{}.ParseUnregisterGameServer(payload)
}

// ParseUnregisterGameServer reads an [UnregisterGameServer].
func (o Options) ParseUnregisterGameServer(payload []byte) (UnregisterGameServer, error) {
	r := wire.NewReader(payload)
	var m UnregisterGameServer
	m.decode(&r, o)
	if err := r.Err(proto); err != nil {
		return UnregisterGameServer{}, err
	}
	return m, nil
}

// ExplainUnregisterGameServer accounts for every byte of an [UnregisterGameServer].
func ExplainUnregisterGameServer(payload []byte) lobbywire.Explanation {
	return wire.Explain(proto, "UnregisterGameServer", payload, func(r *wire.Reader) {
		new(UnregisterGameServer).decode(r, Options{})
	})
}

func (m *UnregisterGameServer) decode(r *wire.Reader, o Options) {
	decodeBare(r, o, CommandUnregisterGameServer, &m.Extra, &m.EnvelopeExtra)
}

// AppendBinary appends the JSON object to b, with a content only if there is
// Extra. It fails if Extra or EnvelopeExtra is not JSON, or the whole is too
// long.
func (m UnregisterGameServer) AppendBinary(b []byte) ([]byte, error) {
	return appendBare(b, CommandUnregisterGameServer, m.Extra, m.EnvelopeExtra)
}

// MarshalBinary returns the JSON object.
func (m UnregisterGameServer) MarshalBinary() ([]byte, error) { return m.AppendBinary(nil) }

// UnmarshalBinary reads payload as [ParseUnregisterGameServer] does.
func (m *UnregisterGameServer) UnmarshalBinary(payload []byte) (err error) {
	*m, err = ParseUnregisterGameServer(payload)
	return err
}
