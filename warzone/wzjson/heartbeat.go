package wzjson

import (
	"encoding/json"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// Heartbeat tells a lobby that a game lives on. It may be answered by an [Ack] or
// an [Error].
//
//	"query":{"command":"heartbeat","id":...}
type Heartbeat struct {
	ID            string                     // of 1 to MaxID bytes, chosen by the lobby
	Extra         map[string]json.RawMessage // members of the query that are not known
	EnvelopeExtra map[string]json.RawMessage // members beside version and query
	RootExtra     map[string]json.RawMessage // members beside lobbyquery
}

var heartbeatMembers = [...]string{"command", "id"}

// ParseHeartbeat reads a [Heartbeat].
func ParseHeartbeat(b []byte) (Heartbeat, error) { return Options{}.ParseHeartbeat(b) }

// ParseHeartbeat reads a [Heartbeat].
func (o Options) ParseHeartbeat(b []byte) (Heartbeat, error) {
	r := wire.NewReader(b)
	var m Heartbeat
	m.decode(&r, o)
	if err := r.Err(proto); err != nil {
		return Heartbeat{}, err
	}
	return m, nil
}

// ExplainHeartbeat accounts for every byte of a [Heartbeat].
func ExplainHeartbeat(b []byte) lobbywire.Explanation {
	return wire.Explain(proto, "Heartbeat", b, func(r *wire.Reader) { new(Heartbeat).decode(r, Options{}) })
}

func (m *Heartbeat) decode(r *wire.Reader, o Options) {
	j := wire.NewJSON(r)
	e := openEnvelope(r, &j, o, &m.EnvelopeExtra, &m.RootExtra)
	for e.query() {
		q := j.Object(heartbeatMembers[:], len(heartbeatMembers), &m.Extra)
		for q.Next() {
			switch q.Name() {
			case "command":
				decodeCommand(&j, CommandHeartbeat)
			case "id":
				m.ID = decodeID(&j)
			}
		}
	}
}

// AppendBinary appends the JSON object to b. It fails if ID is empty, too long or
// not UTF-8, or the whole is too long.
func (m Heartbeat) AppendBinary(b []byte) ([]byte, error) {
	w := wire.NewWriter(b)
	appendStart(&w, CommandHeartbeat)
	appendID(&w, m.ID)
	w.JSONExtra(m.Extra, heartbeatMembers[:])
	return finish(&w, m.EnvelopeExtra, m.RootExtra)
}

// MarshalBinary returns the JSON object.
func (m Heartbeat) MarshalBinary() ([]byte, error) { return m.AppendBinary(nil) }

// UnmarshalBinary reads b as [ParseHeartbeat] does.
func (m *Heartbeat) UnmarshalBinary(b []byte) (err error) {
	*m, err = ParseHeartbeat(b)
	return err
}
