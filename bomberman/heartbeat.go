package bomberman

import (
	"encoding/json"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// Heartbeat tells a game server or a client that its peer is alive. Either may
// disconnect when it has heard nothing for 5 seconds, so both send heartbeats
// more often than that. It has no content and no answer:
//
//	{"command":"xxHeartbeat"}
type Heartbeat struct {
	Extra         map[string]json.RawMessage // members of a content that should not be there
	EnvelopeExtra map[string]json.RawMessage // members beside command and content
}

// ParseHeartbeat reads a [Heartbeat].
func ParseHeartbeat(payload []byte) (Heartbeat, error) {
	return Options{}.ParseHeartbeat(payload)
}

// ParseHeartbeat reads a [Heartbeat].
func (o Options) ParseHeartbeat(payload []byte) (Heartbeat, error) {
	r := wire.NewReader(payload)
	var m Heartbeat
	m.decode(&r, o)
	if err := r.Err(proto); err != nil {
		return Heartbeat{}, err
	}
	return m, nil
}

// ExplainHeartbeat accounts for every byte of a [Heartbeat].
func ExplainHeartbeat(payload []byte) lobbywire.Explanation {
	return wire.Explain(proto, "Heartbeat", payload, func(r *wire.Reader) {
		new(Heartbeat).decode(r, Options{})
	})
}

func (m *Heartbeat) decode(r *wire.Reader, o Options) {
	decodeBare(r, o, CommandHeartbeat, &m.Extra, &m.EnvelopeExtra)
}

// AppendBinary appends the JSON object to b, with a content only if there is
// Extra. It fails if Extra or EnvelopeExtra is not JSON, or the whole is too
// long.
func (m Heartbeat) AppendBinary(b []byte) ([]byte, error) {
	return appendBare(b, CommandHeartbeat, m.Extra, m.EnvelopeExtra)
}

// MarshalBinary returns the JSON object.
func (m Heartbeat) MarshalBinary() ([]byte, error) { return m.AppendBinary(nil) }

// UnmarshalBinary reads payload as [ParseHeartbeat] does.
func (m *Heartbeat) UnmarshalBinary(payload []byte) (err error) {
	*m, err = ParseHeartbeat(payload)
	return err
}
