package wzjson

import (
	"encoding/json"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// AddAck answers an [Add]. Who knows the id may change and remove the game, so it
// is a secret between host and lobby; lists do not hold it.
//
//	"query":{"command":"add-ack","id":...}
type AddAck struct {
	ID            string                     // of 1 to MaxID bytes, chosen by the lobby
	Extra         map[string]json.RawMessage // members of the query that are not known
	EnvelopeExtra map[string]json.RawMessage // members beside version and query
	RootExtra     map[string]json.RawMessage // members beside lobbyquery
}

var addAckMembers = [...]string{"command", "id"}

// ParseAddAck reads an [AddAck].
func ParseAddAck(b []byte) (AddAck, error) { return Options{}.ParseAddAck(b) }

// ParseAddAck reads an [AddAck].
func (o Options) ParseAddAck(b []byte) (AddAck, error) {
	r := wire.NewReader(b)
	var m AddAck
	m.decode(&r, o)
	if err := r.Err(proto); err != nil {
		return AddAck{}, err
	}
	return m, nil
}

// ExplainAddAck accounts for every byte of an [AddAck].
func ExplainAddAck(b []byte) lobbywire.Explanation {
	return wire.Explain(proto, "AddAck", b, func(r *wire.Reader) { new(AddAck).decode(r, Options{}) })
}

func (m *AddAck) decode(r *wire.Reader, o Options) {
	j := wire.NewJSON(r)
	e := openEnvelope(r, &j, o, &m.EnvelopeExtra, &m.RootExtra)
	for e.query() {
		q := j.Object(addAckMembers[:], len(addAckMembers), &m.Extra)
		for q.Next() {
			switch q.Name() {
			case "command":
				decodeCommand(&j, CommandAddAck)
			case "id":
				m.ID = decodeID(&j)
			}
		}
	}
}

// AppendBinary appends the JSON object to b. It fails if ID is empty, too long or
// not UTF-8, or the whole is too long.
func (m AddAck) AppendBinary(b []byte) ([]byte, error) {
	w := wire.NewWriter(b)
	appendStart(&w, CommandAddAck)
	appendID(&w, m.ID)
	w.JSONExtra(m.Extra, addAckMembers[:])
	return finish(&w, m.EnvelopeExtra, m.RootExtra)
}

// MarshalBinary returns the JSON object.
func (m AddAck) MarshalBinary() ([]byte, error) { return m.AppendBinary(nil) }

// UnmarshalBinary reads b as [ParseAddAck] does.
func (m *AddAck) UnmarshalBinary(b []byte) (err error) {
	*m, err = ParseAddAck(b)
	return err
}
