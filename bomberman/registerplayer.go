package bomberman

import (
	"encoding/json"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// RegisterPlayer asks a game server in its lobby to let the connection play
// under a name. It is answered by a [RegisterPlayerResponse]. Closing the
// connection ends the registration.
//
//	{"command":"gsRegisterPlayer","content":{"name":...}}
type RegisterPlayer struct {
	Name          string                     // letters A to Z and a to z, and digits; see ValidName
	Extra         map[string]json.RawMessage // members of the content that are not known
	EnvelopeExtra map[string]json.RawMessage // members beside command and content
}

var registerPlayerMembers = [...]string{"name"}

// ParseRegisterPlayer reads a [RegisterPlayer]. Unless Strict, Name may
// be any text: the server has to answer that it rejects it.
func ParseRegisterPlayer(payload []byte) (RegisterPlayer, error) {
	return Options{}.ParseRegisterPlayer(payload)
}

// ParseRegisterPlayer reads a [RegisterPlayer].
func (o Options) ParseRegisterPlayer(payload []byte) (RegisterPlayer, error) {
	r := wire.NewReader(payload)
	var m RegisterPlayer
	m.decode(&r, o)
	if err := r.Err(proto); err != nil {
		return RegisterPlayer{}, err
	}
	return m, nil
}

// ExplainRegisterPlayer accounts for every byte of a [RegisterPlayer].
func ExplainRegisterPlayer(payload []byte) lobbywire.Explanation {
	return wire.Explain(proto, "RegisterPlayer", payload, func(r *wire.Reader) {
		new(RegisterPlayer).decode(r, Options{})
	})
}

func (m *RegisterPlayer) decode(r *wire.Reader, o Options) {
	j := wire.NewJSON(r)
	e := openEnvelope(r, &j, o, CommandRegisterPlayer, withContent, &m.EnvelopeExtra)
	for e.content() {
		c := j.Object(registerPlayerMembers[:], len(registerPlayerMembers), &m.Extra)
		for c.Next() {
			switch c.Name() {
			case "name":
				m.Name = j.Text()
				if o.Strict && !ValidName(m.Name) {
					j.Invalid()
				}
			}
		}
	}
}

// AppendBinary appends the JSON object to b. It fails if Name is not valid, or
// the whole is too long.
func (m RegisterPlayer) AppendBinary(b []byte) ([]byte, error) {
	w := wire.NewWriter(b)
	w.Text(`{"command":"` + CommandRegisterPlayer + `","content":{`)
	w.In("content", -1)
	if !ValidName(m.Name) {
		w.Fail(lobbywire.ErrInvalid, "name")
	}
	w.Text(`"name":`)
	w.JSONText("name", m.Name)
	w.JSONExtra(m.Extra, registerPlayerMembers[:])
	w.Text(`}`)
	return finish(&w, m.EnvelopeExtra)
}

// MarshalBinary returns the JSON object.
func (m RegisterPlayer) MarshalBinary() ([]byte, error) { return m.AppendBinary(nil) }

// UnmarshalBinary reads payload as [ParseRegisterPlayer] does.
func (m *RegisterPlayer) UnmarshalBinary(payload []byte) (err error) {
	*m, err = ParseRegisterPlayer(payload)
	return err
}

// ValidName tells whether a player may register under name: it has one
// character at least, all of them letters A to Z and a to z, and digits.
func ValidName(name string) bool {
	for _, c := range []byte(name) {
		if !isLetter(c) && !isDigit(c) {
			return false
		}
	}
	return name != ""
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }
func isDigit(c byte) bool  { return c >= '0' && c <= '9' }
