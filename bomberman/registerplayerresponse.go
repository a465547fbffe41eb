package bomberman

import (
	"encoding/json"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// RegisterPlayerResponse answers a [RegisterPlayer].
//
//	{"command":"gsRRegisterPlayer","content":{"rejected":...,"adaptedName":...}}
type RegisterPlayerResponse struct {
	Rejected      bool
	AdaptedName   string                     // the name, or the name and a number if it was taken; "" if rejected
	Extra         map[string]json.RawMessage // members of the content that are not known
	EnvelopeExtra map[string]json.RawMessage // members beside command and content
}

var registerPlayerResponseMembers = [...]string{"rejected", "adaptedName"}

// ParseRegisterPlayerResponse reads a [RegisterPlayerResponse].
func ParseRegisterPlayerResponse(payload []byte) (RegisterPlayerResponse, error) {
	return Options{}.ParseRegisterPlayerResponse(payload)
}

// ParseRegisterPlayerResponse reads a [RegisterPlayerResponse].
func (o Options) ParseRegisterPlayerResponse(payload []byte) (RegisterPlayerResponse, error) {
	r := wire.NewReader(payload)
	var m RegisterPlayerResponse
	m.decode(&r, o)
	if err := r.Err(proto); err != nil {
		return RegisterPlayerResponse{}, err
	}
	return m, nil
}

// ExplainRegisterPlayerResponse accounts for every byte of a [RegisterPlayerResponse].
func ExplainRegisterPlayerResponse(payload []byte) lobbywire.Explanation {
	return wire.Explain(proto, "RegisterPlayerResponse", payload, func(r *wire.Reader) {
		new(RegisterPlayerResponse).decode(r, Options{})
	})
}

func (m *RegisterPlayerResponse) decode(r *wire.Reader, o Options) {
	j := wire.NewJSON(r)
	nameAt := 0
	e := openEnvelope(r, &j, o, CommandRegisterPlayerResponse, withContent, &m.EnvelopeExtra)
	for e.content() {
		c := j.Object(registerPlayerResponseMembers[:], len(registerPlayerResponseMembers), &m.Extra)
		for c.Next() {
			switch c.Name() {
			case "rejected":
				m.Rejected = j.Bool()
			case "adaptedName":
				j.Peek()
				nameAt = r.Offset()
				m.AdaptedName = j.Text()
			}
		}
		if o.Strict && !r.Failed() && !m.consistent() {
			r.In("content", -1)
			r.Fail(lobbywire.ErrInvalid, "adaptedName", nameAt)
		}
	}
}

// AppendBinary appends the JSON object to b. It fails if AdaptedName is neither
// a valid name nor, if Rejected, empty, or if the whole is too long.
func (m RegisterPlayerResponse) AppendBinary(b []byte) ([]byte, error) {
	w := wire.NewWriter(b)
	w.Text(`{"command":"` + CommandRegisterPlayerResponse + `","content":{`)
	w.In("content", -1)
	if !m.consistent() {
		w.Fail(lobbywire.ErrInvalid, "adaptedName")
	}
	w.Text(`"rejected":`)
	w.JSONBool(m.Rejected)
	w.Text(`,"adaptedName":`)
	w.JSONText("adaptedName", m.AdaptedName)
	w.JSONExtra(m.Extra, registerPlayerResponseMembers[:])
	w.Text(`}`)
	return finish(&w, m.EnvelopeExtra)
}

// MarshalBinary returns the JSON object.
func (m RegisterPlayerResponse) MarshalBinary() ([]byte, error) { return m.AppendBinary(nil) }

// UnmarshalBinary reads payload as [ParseRegisterPlayerResponse] does.
func (m *RegisterPlayerResponse) UnmarshalBinary(payload []byte) (err error) {
	*m, err = ParseRegisterPlayerResponse(payload)
	return err
}

// consistent tells whether there is a name if, and only if, it is not rejected.
func (m RegisterPlayerResponse) consistent() bool {
	if m.Rejected {
		return m.AdaptedName == ""
	}
	return ValidName(m.AdaptedName)
}
