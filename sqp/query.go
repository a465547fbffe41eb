package sqp

import (
	"strconv"
	"strings"
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
//
//wire:message type=TypeQuery
type QueryRequest struct {
	Token   uint32 `wire:"token"`   // from the ChallengeResponse
	Version uint16 `wire:"version"` // the client's; all send 1, but Unity's C# test client 0
	Chunks  Chunks `wire:"chunks"`  // bits without a meaning are kept
}
