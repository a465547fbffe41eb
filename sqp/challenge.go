package sqp

import (
	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// A ChallengeRequest asks a server for a token. 5 bytes:
//
//	offset  size  field
//	0       1     type, 0
//	1       4     token, big-endian
type ChallengeRequest struct {
	// Token is 0 from every known client. Servers ignore it or, as Unity's,
	// drop requests in which it is not 0.
	Token uint32
}

// A ChallengeResponse hands out a token. It is laid out like the request.
type ChallengeResponse struct {
	// Token is opaque; 0 is a token like any other. Most servers accept it for
	// one query only, and only from the address they sent it to.
	Token uint32
}

// ParseChallengeRequest reads a [ChallengeRequest].
func ParseChallengeRequest(b []byte) (ChallengeRequest, error) {
	r := wire.NewReader(b)
	m := ChallengeRequest{Token: decodeChallenge(&r)}
	if err := r.Err(proto); err != nil {
		return ChallengeRequest{}, err
	}
	return m, nil
}

// ParseChallengeResponse reads a [ChallengeResponse].
func ParseChallengeResponse(b []byte) (ChallengeResponse, error) {
	r := wire.NewReader(b)
	m := ChallengeResponse{Token: decodeChallenge(&r)}
	if err := r.Err(proto); err != nil {
		return ChallengeResponse{}, err
	}
	return m, nil
}

// ExplainChallengeRequest accounts for every byte of a [ChallengeRequest].
func ExplainChallengeRequest(b []byte) lobbywire.Explanation {
	return wire.Explain(proto, "ChallengeRequest", b, func(r *wire.Reader) { decodeChallenge(r) })
}

// ExplainChallengeResponse accounts for every byte of a [ChallengeResponse].
func ExplainChallengeResponse(b []byte) lobbywire.Explanation {
	return wire.Explain(proto, "ChallengeResponse", b, func(r *wire.Reader) { decodeChallenge(r) })
}

func decodeChallenge(r *wire.Reader) (token uint32) {
	decodeType(r, TypeChallenge)
	token = r.Uint32("token")
	r.End()
	return token
}

// AppendBinary appends the wire form to b. It does not fail.
func (m ChallengeRequest) AppendBinary(b []byte) ([]byte, error) {
	return appendChallenge(b, m.Token)
}

// AppendBinary appends the wire form to b. It does not fail.
func (m ChallengeResponse) AppendBinary(b []byte) ([]byte, error) {
	return appendChallenge(b, m.Token)
}

func appendChallenge(b []byte, token uint32) ([]byte, error) {
	w := wire.NewWriter(b)
	w.Uint8(uint8(TypeChallenge))
	w.Uint32(token)
	return w.Finish(proto)
}

// MarshalBinary returns the wire form.
func (m ChallengeRequest) MarshalBinary() ([]byte, error) { return m.AppendBinary(nil) }

// MarshalBinary returns the wire form.
func (m ChallengeResponse) MarshalBinary() ([]byte, error) { return m.AppendBinary(nil) }

// UnmarshalBinary reads b as [ParseChallengeRequest] does.
func (m *ChallengeRequest) UnmarshalBinary(b []byte) (err error) {
	*m, err = ParseChallengeRequest(b)
	return err
}

// UnmarshalBinary reads b as [ParseChallengeResponse] does.
func (m *ChallengeResponse) UnmarshalBinary(b []byte) (err error) {
	*m, err = ParseChallengeResponse(b)
	return err
}
