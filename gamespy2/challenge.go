package gamespy2

import (
	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// A ChallengeResponse answers a challenge request.
//
//	offset  size  field
//	0       1     type, 9
//	1       4     id
//	5       n     number, decimal, ended by 0
//	number of few digits, but not 0:
//	        n     padding, zeros to MinChallengeResponse
type ChallengeResponse struct {
	ID [4]byte // that of the request

	// Number goes into the query, unless it is 0: then the server gives out no
	// challenges, and the query has none. Positive numbers of 6 digits or more
	// suit all clients best.
	Number int32
}

// ParseChallengeResponse reads a [ChallengeResponse]. It allocates nothing
// unless it fails.
func ParseChallengeResponse(b []byte) (ChallengeResponse, error) {
	return Options{}.ParseChallengeResponse(b)
}

// ParseChallengeResponse reads a [ChallengeResponse].
func (o Options) ParseChallengeResponse(b []byte) (ChallengeResponse, error) {
	r := wire.NewReader(b)
	var m ChallengeResponse
	m.decode(&r, o)
	if err := r.Err(proto); err != nil {
		return ChallengeResponse{}, err
	}
	return m, nil
}

// ExplainChallengeResponse accounts for every byte of a [ChallengeResponse].
func ExplainChallengeResponse(b []byte) lobbywire.Explanation {
	return wire.Explain(proto, "ChallengeResponse", b, func(r *wire.Reader) {
		new(ChallengeResponse).decode(r, Options{})
	})
}

func (m *ChallengeResponse) decode(r *wire.Reader, o Options) {
	decodeType(r, TypeChallenge)
	m.ID = decodeID(r)
	m.Number = int32(r.Int0(32, "number"))
	if o.Strict {
		r.End()
	}
	r.Skip(r.Len(), "padding")
}

// AppendBinary appends the wire form to b, padded to [MinChallengeResponse]
// unless Number is 0. It does not fail.
func (m ChallengeResponse) AppendBinary(b []byte) ([]byte, error) {
	w := wire.NewWriter(b)
	w.Uint8(uint8(TypeChallenge))
	w.Bytes(m.ID[:])
	w.Int0(int64(m.Number))
	for m.Number != 0 && w.Len() < MinChallengeResponse {
		w.Uint8(0)
	}
	return w.Finish(proto)
}

// MarshalBinary returns the wire form.
func (m ChallengeResponse) MarshalBinary() ([]byte, error) { return m.AppendBinary(nil) }

// UnmarshalBinary reads b as [ParseChallengeResponse] does.
func (m *ChallengeResponse) UnmarshalBinary(b []byte) (err error) {
	*m, err = ParseChallengeResponse(b)
	return err
}
