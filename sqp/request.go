package sqp

import (
	"strconv"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// proto names the package in errors.
const proto = "sqp"

// A Type is the first byte of a packet. Requests and responses share types:
// direction tells them apart.
type Type uint8

// The types.
const (
	TypeChallenge Type = 0
	TypeQuery     Type = 1
)

// String returns "challenge", "query" or, as an example, "type(7)".
func (t Type) String() string {
	switch t {
	case TypeChallenge:
		return "challenge"
	case TypeQuery:
		return "query"
	}
	return "type(" + strconv.Itoa(int(t)) + ")"
}

// A Request is what a server receives: either of two messages.
type Request struct {
	Type      Type
	Challenge ChallengeRequest // if Type is TypeChallenge
	Query     QueryRequest     // if Type is TypeQuery
}

// ParseRequest reads a request of either type, for a server. It allocates
// nothing unless it fails. An unknown type is [lobbywire.ErrUnsupported].
func ParseRequest(b []byte) (Request, error) {
	r := wire.NewReader(b)
	var m Request
	m.decode(&r)
	if err := r.Err(proto); err != nil {
		return Request{}, err
	}
	return m, nil
}

// ExplainRequest accounts for every byte of a [Request].
func ExplainRequest(b []byte) lobbywire.Explanation {
	return wire.Explain(proto, "Request", b, func(r *wire.Reader) { new(Request).decode(r) })
}

func (m *Request) decode(r *wire.Reader) {
	if p := r.Peek(); len(p) > 0 {
		m.Type = Type(p[0])
	}
	switch m.Type {
	case TypeChallenge:
		m.Challenge.Token = decodeChallenge(r)
	case TypeQuery:
		m.Query.decode(r)
	default:
		r.Fail(lobbywire.ErrUnsupported, "type", r.Offset())
	}
}

// decodeType reads the type and refuses all but want.
func decodeType(r *wire.Reader, want Type) {
	at := r.Offset()
	if got := Type(r.Uint8("type")); got != want {
		r.Fail(lobbywire.ErrInvalid, "type", at)
	}
}

// AppendBinary appends the wire form to b. It fails if Type is unknown.
func (m Request) AppendBinary(b []byte) ([]byte, error) {
	switch m.Type {
	case TypeChallenge:
		return m.Challenge.AppendBinary(b)
	case TypeQuery:
		return m.Query.AppendBinary(b)
	}
	w := wire.NewWriter(b)
	w.Fail(lobbywire.ErrUnsupported, "type")
	return w.Finish(proto)
}

// MarshalBinary returns the wire form.
func (m Request) MarshalBinary() ([]byte, error) { return m.AppendBinary(nil) }

// UnmarshalBinary reads b as [ParseRequest] does.
func (m *Request) UnmarshalBinary(b []byte) (err error) {
	*m, err = ParseRequest(b)
	return err
}
