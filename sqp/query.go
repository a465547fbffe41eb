package sqp

import (
	"strconv"
	"strings"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// Version is the only version of the protocol.
const Version = 1

// Chunks is a set of parts of an answer, one bit each.
type Chunks uint8

// The chunks. The other bits are unassigned; servers ignore them.
const (
	ChunkServerInfo  Chunks = 1 << 0
	ChunkServerRules Chunks = 1 << 1
	ChunkPlayerInfo  Chunks = 1 << 2
	ChunkTeamInfo    Chunks = 1 << 3
	ChunkMetrics     Chunks = 1 << 4

	// AllChunks are those that a [QueryResponse] can hold. Not every server
	// has them all: see the package documentation.
	AllChunks = ChunkServerInfo | ChunkServerRules | ChunkPlayerInfo | ChunkTeamInfo | ChunkMetrics
)

// chunkNames are in the order of the bits, which is that of the wire.
var chunkNames = [...]string{"serverInfo", "serverRules", "playerInfo", "teamInfo", "metrics"}

// String returns names joined by |, as "serverInfo|metrics".
func (c Chunks) String() string {
	var names []string
	for i, name := range chunkNames {
		if c&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	if rest := c &^ AllChunks; rest != 0 || c == 0 {
		names = append(names, "0x"+strconv.FormatUint(uint64(rest), 16))
	}
	return strings.Join(names, "|")
}

// A QueryRequest asks for chunks. 8 bytes, big-endian:
//
//	offset  size  field
//	0       1     type, 1
//	1       4     token
//	5       2     version, 1
//	7       1     chunks
type QueryRequest struct {
	Token   uint32 // from the ChallengeResponse
	Version uint16 // the client's; all send 1, but Unity's C# test client 0
	Chunks  Chunks // bits without a meaning are kept
}

// ParseQueryRequest reads a [QueryRequest].
func ParseQueryRequest(b []byte) (QueryRequest, error) {
	r := wire.NewReader(b)
	var m QueryRequest
	m.decode(&r)
	if err := r.Err(proto); err != nil {
		return QueryRequest{}, err
	}
	return m, nil
}

// ExplainQueryRequest accounts for every byte of a [QueryRequest].
func ExplainQueryRequest(b []byte) lobbywire.Explanation {
	return wire.Explain(proto, "QueryRequest", b, func(r *wire.Reader) { new(QueryRequest).decode(r) })
}

func (m *QueryRequest) decode(r *wire.Reader) {
	decodeType(r, TypeQuery)
	m.Token = r.Uint32("token")
	m.Version = r.Uint16("version")
	m.Chunks = Chunks(r.Uint8("chunks"))
	r.End()
}

// AppendBinary appends the wire form to b. It does not fail.
func (m QueryRequest) AppendBinary(b []byte) ([]byte, error) {
	w := wire.NewWriter(b)
	w.Uint8(uint8(TypeQuery))
	w.Uint32(m.Token)
	w.Uint16(m.Version)
	w.Uint8(uint8(m.Chunks))
	return w.Finish(proto)
}

// MarshalBinary returns the wire form.
func (m QueryRequest) MarshalBinary() ([]byte, error) { return m.AppendBinary(nil) }

// UnmarshalBinary reads b as [ParseQueryRequest] does.
func (m *QueryRequest) UnmarshalBinary(b []byte) (err error) {
	*m, err = ParseQueryRequest(b)
	return err
}
