package wzjson

import (
	"encoding/json"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// Ack answers an [Update], a [Heartbeat] or a [Goodbye]. Lobbies need not send it.
//
//	"query":{"command":"update-ack"}
type Ack struct {
	Command       string                     // CommandUpdateAck, CommandHeartbeatAck or CommandGoodbyeAck
	Extra         map[string]json.RawMessage // members of the query that are not known
	EnvelopeExtra map[string]json.RawMessage // members beside version and query
	RootExtra     map[string]json.RawMessage // members beside lobbyquery
}

var ackMembers = [...]string{"command"}

// ParseAck reads an [Ack].
func ParseAck(b []byte) (Ack, error) { return Options{}.ParseAck(b) }

// ParseAck reads an [Ack].
func (o Options) ParseAck(b []byte) (Ack, error) {
	r := wire.NewReader(b)
	var m Ack
	m.decode(&r, o)
	if err := r.Err(proto); err != nil {
		return Ack{}, err
	}
	return m, nil
}

// ExplainAck accounts for every byte of an [Ack].
func ExplainAck(b []byte) lobbywire.Explanation {
	return wire.Explain(proto, "Ack", b, func(r *wire.Reader) { new(Ack).decode(r, Options{}) })
}

func (m *Ack) decode(r *wire.Reader, o Options) {
	j := wire.NewJSON(r)
	e := openEnvelope(r, &j, o, &m.EnvelopeExtra, &m.RootExtra)
	for e.query() {
		q := j.Object(ackMembers[:], len(ackMembers), &m.Extra)
		for q.Next() {
			switch q.Name() {
			case "command":
				m.Command = nameOf(j.View())
				if !isAck(m.Command) {
					j.Invalid()
				}
			}
		}
	}
}

// AppendBinary appends the JSON object to b. It fails if Command is none of the
// three, or the whole is too long.
func (m Ack) AppendBinary(b []byte) ([]byte, error) {
	w := wire.NewWriter(b)
	if !isAck(m.Command) {
		w.Fail(lobbywire.ErrInvalid, "lobbyquery.query.command")
	}
	appendStart(&w, m.Command)
	w.JSONExtra(m.Extra, ackMembers[:])
	return finish(&w, m.EnvelopeExtra, m.RootExtra)
}

// MarshalBinary returns the JSON object.
func (m Ack) MarshalBinary() ([]byte, error) { return m.AppendBinary(nil) }

// UnmarshalBinary reads b as [ParseAck] does.
func (m *Ack) UnmarshalBinary(b []byte) (err error) {
	*m, err = ParseAck(b)
	return err
}

// isAck tells whether an [Ack] has the command.
func isAck(command string) bool {
	switch command {
	case CommandUpdateAck, CommandHeartbeatAck, CommandGoodbyeAck:
		return true
	}
	return false
}
