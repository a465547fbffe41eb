package bomberman

import (
	"encoding/json"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// QueryGameServers asks a management server for its list, which it answers with
// a [QueryGameServersResponse]. It has no content:
//
//	{"command":"msQueryGameServers"}
type QueryGameServers struct {
	Extra         map[string]json.RawMessage // members of a content that should not be there
	EnvelopeExtra map[string]json.RawMessage // members beside command and content
}

// ParseQueryGameServers reads a [QueryGameServers].
func ParseQueryGameServers(payload []byte) (QueryGameServers, error) {
	return Options{}.ParseQueryGameServers(payload)
}

// ParseQueryGameServers reads a [QueryGameServers].
func (o Options) ParseQueryGameServers(payload []byte) (QueryGameServers, error) {
	r := wire.NewReader(payload)
	var m QueryGameServers
	m.decode(&r, o)
	if err := r.Err(proto); err != nil {
		return QueryGameServers{}, err
	}
	return m, nil
}

// ExplainQueryGameServers accounts for every byte of a [QueryGameServers].
func ExplainQueryGameServers(payload []byte) lobbywire.Explanation {
	return wire.Explain(proto, "QueryGameServers", payload, func(r *wire.Reader) {
		new(QueryGameServers).decode(r, Options{})
	})
}

func (m *QueryGameServers) decode(r *wire.Reader, o Options) {
	decodeBare(r, o, CommandQueryGameServers, &m.Extra, &m.EnvelopeExtra)
}

// AppendBinary appends the JSON object to b, with a content only if there is
// Extra. It fails if Extra or EnvelopeExtra is not JSON, or the whole is too
// long.
func (m QueryGameServers) AppendBinary(b []byte) ([]byte, error) {
	return appendBare(b, CommandQueryGameServers, m.Extra, m.EnvelopeExtra)
}

// MarshalBinary returns the JSON object.
func (m QueryGameServers) MarshalBinary() ([]byte, error) { return m.AppendBinary(nil) }

// UnmarshalBinary reads payload as [ParseQueryGameServers] does.
func (m *QueryGameServers) UnmarshalBinary(payload []byte) (err error) {
	*m, err = ParseQueryGameServers(payload)
	return err
}
