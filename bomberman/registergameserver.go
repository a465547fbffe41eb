package bomberman

import (
	"encoding/json"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// RegisterGameServer puts the game server of the connection on the list of a
// management server. A second one on the same connection takes the place of the
// first. There is no answer; a server drops one that is invalid.
//
//	{"command":"msRegisterGameServer",
//	 "content":{"serverName":...,"serverAddress":...,"serverPort":...}}
//
// In the list the three are called name, address and port.
type RegisterGameServer struct {
	ServerName    string                     // any text but ""
	ServerAddress string                     // where clients connect to: IPv4, IPv6 or a host name
	ServerPort    int                        // of the game server: 1 to 65535 without Port
	Extra         map[string]json.RawMessage // members of the content that are not known
	EnvelopeExtra map[string]json.RawMessage // members beside command and content
}

var registerGameServerMembers = [...]string{"serverName", "serverAddress", "serverPort"}

// ParseRegisterGameServer reads a [RegisterGameServer]. One that breaks
// the rules of its fields is refused, since servers have to drop it.
func ParseRegisterGameServer(payload []byte) (RegisterGameServer, error) {
	return Options{}.ParseRegisterGameServer(payload)
}

// ParseRegisterGameServer reads a [RegisterGameServer].
func (o Options) ParseRegisterGameServer(payload []byte) (RegisterGameServer, error) {
	r := wire.NewReader(payload)
	var m RegisterGameServer
	m.decode(&r, o)
	if err := r.Err(proto); err != nil {
		return RegisterGameServer{}, err
	}
	return m, nil
}

// ExplainRegisterGameServer accounts for every byte of a [RegisterGameServer].
func ExplainRegisterGameServer(payload []byte) lobbywire.Explanation {
	return wire.Explain(proto, "RegisterGameServer", payload, func(r *wire.Reader) {
		new(RegisterGameServer).decode(r, Options{})
	})
}

func (m *RegisterGameServer) decode(r *wire.Reader, o Options) {
	j := wire.NewJSON(r)
	e := openEnvelope(r, &j, o, CommandRegisterGameServer, withContent, &m.EnvelopeExtra)
	for e.content() {
		c := j.Object(registerGameServerMembers[:], len(registerGameServerMembers), &m.Extra)
		for c.Next() {
			switch c.Name() {
			case "serverName":
				m.ServerName = j.Text()
				if m.ServerName == "" {
					j.Invalid()
				}
			case "serverAddress":
				m.ServerAddress = j.Text()
				if !validAddress(m.ServerAddress, o) {
					j.Invalid()
				}
			case "serverPort":
				m.ServerPort = decodeInt(&j, o)
				if !validPort(m.ServerPort) {
					j.Invalid()
				}
			}
		}
	}
}

// AppendBinary appends the JSON object to b. It fails if a field has a value
// that a server drops, or the whole is too long.
func (m RegisterGameServer) AppendBinary(b []byte) ([]byte, error) {
	w := wire.NewWriter(b)
	w.Text(`{"command":"` + CommandRegisterGameServer + `","content":{`)
	w.In("content", -1)
	if m.ServerName == "" {
		w.Fail(lobbywire.ErrInvalid, "serverName")
	}
	if !validAddress(m.ServerAddress, Options{}) {
		w.Fail(lobbywire.ErrInvalid, "serverAddress")
	}
	if !validPort(m.ServerPort) {
		w.Fail(lobbywire.ErrInvalid, "serverPort")
	}
	w.Text(`"serverName":`)
	w.JSONText("serverName", m.ServerName)
	w.Text(`,"serverAddress":`)
	w.JSONText("serverAddress", m.ServerAddress)
	w.Text(`,"serverPort":`)
	w.Int(int64(m.ServerPort))
	w.JSONExtra(m.Extra, registerGameServerMembers[:])
	w.Text(`}`)
	return finish(&w, m.EnvelopeExtra)
}

// MarshalBinary returns the JSON object.
func (m RegisterGameServer) MarshalBinary() ([]byte, error) { return m.AppendBinary(nil) }

// UnmarshalBinary reads payload as [ParseRegisterGameServer] does.
func (m *RegisterGameServer) UnmarshalBinary(payload []byte) (err error) {
	*m, err = ParseRegisterGameServer(payload)
	return err
}
