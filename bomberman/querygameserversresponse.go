package bomberman

import (
	"encoding/json"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// QueryGameServersResponse is the list of a management server.
//
//	{"command":"msRQueryGameServers","content":{"servers":[...]}}
type QueryGameServersResponse struct {
	Servers       []Server                   // in no order; there may be none
	Extra         map[string]json.RawMessage // members of the content that are not known
	EnvelopeExtra map[string]json.RawMessage // members beside command and content
}

var queryGameServersResponseMembers = [...]string{"servers"}

// ParseQueryGameServersResponse reads a [QueryGameServersResponse]. Unless
// Strict, servers are kept that break the rules: see Check of [Server].
func ParseQueryGameServersResponse(payload []byte) (QueryGameServersResponse, error) {
	return Options{}.ParseQueryGameServersResponse(payload)
}

// ParseQueryGameServersResponse reads a [QueryGameServersResponse].
func (o Options) ParseQueryGameServersResponse(payload []byte) (QueryGameServersResponse, error) {
	r := wire.NewReader(payload)
	var m QueryGameServersResponse
	m.decode(&r, o)
	if err := r.Err(proto); err != nil {
		return QueryGameServersResponse{}, err
	}
	return m, nil
}

// ExplainQueryGameServersResponse accounts for every byte of a [QueryGameServersResponse].
func ExplainQueryGameServersResponse(payload []byte) lobbywire.Explanation {
	return wire.Explain(proto, "QueryGameServersResponse", payload, func(r *wire.Reader) {
		new(QueryGameServersResponse).decode(r, Options{})
	})
}

func (m *QueryGameServersResponse) decode(r *wire.Reader, o Options) {
	j := wire.NewJSON(r)
	e := openEnvelope(r, &j, o, CommandQueryGameServersResponse, withContent, &m.EnvelopeExtra)
	for e.content() {
		c := j.Object(queryGameServersResponseMembers[:], len(queryGameServersResponseMembers), &m.Extra)
		for c.Next() {
			switch c.Name() {
			case "servers":
				a := j.Array()
				m.Servers = make([]Server, 0, a.Room(minServer))
				for a.Next() {
					var s Server
					s.decode(&j, o)
					m.Servers = append(m.Servers, s)
				}
			}
		}
	}
}

// AppendBinary appends the JSON object to b. It fails if Check of a server does,
// or the whole is too long; see [ClipServers].
func (m QueryGameServersResponse) AppendBinary(b []byte) ([]byte, error) {
	w := wire.NewWriter(b)
	w.Text(`{"command":"` + CommandQueryGameServersResponse + `","content":{`)
	w.In("content", -1)
	w.Text(`"servers":[`)
	for i := range m.Servers {
		if i > 0 {
			w.Text(`,`)
		}
		w.In("content.servers", i)
		m.Servers[i].append(&w)
	}
	w.In("content", -1)
	w.Text(`]`)
	w.JSONExtra(m.Extra, queryGameServersResponseMembers[:])
	w.Text(`}`)
	return finish(&w, m.EnvelopeExtra)
}

// MarshalBinary returns the JSON object.
func (m QueryGameServersResponse) MarshalBinary() ([]byte, error) { return m.AppendBinary(nil) }

// UnmarshalBinary reads payload as [ParseQueryGameServersResponse] does.
func (m *QueryGameServersResponse) UnmarshalBinary(payload []byte) (err error) {
	*m, err = ParseQueryGameServersResponse(payload)
	return err
}

// ClipServers returns as many of the first servers as fit in one
// [QueryGameServersResponse], which are about 450. All have to pass Check.
func ClipServers(servers []Server) []Server {
	buf := make([]byte, 0, 1024)
	room := maxSent - len(`{"command":"`+CommandQueryGameServersResponse+`","content":{"servers":[]}}`)
	for i := range servers {
		w := wire.NewWriter(buf)
		servers[i].append(&w)
		room -= w.Len()
		if i > 0 {
			room -= len(",")
		}
		if room < 0 {
			return servers[:i:i]
		}
	}
	return servers
}
