package sqp

import (
	"cmp"

	"github.com/lobbywire/lobbywire/internal/wire"
)

// The versions of the protocol. They have the same layout.
const (
	Version        = 1 // in all documents and most programs
	VersionMetrics = 2 // required by Unity's Go server for metrics
)

// Chunks is a set of chunks, the parts of a response, one bit each.
type Chunks uint8

// The chunks. Servers ignore the other bits, which are unassigned.
const (
	ChunkServerInfo  Chunks = 1 << 0
	ChunkServerRules Chunks = 1 << 1
	ChunkPlayerInfo  Chunks = 1 << 2
	ChunkTeamInfo    Chunks = 1 << 3
	ChunkMetrics     Chunks = 1 << 4

	// AllChunks are the chunks that a [QueryResponse] can hold. Not every server sends all
	// of them.
	AllChunks = ChunkServerInfo | ChunkServerRules | ChunkPlayerInfo | ChunkTeamInfo | ChunkMetrics
)

// String returns the names joined by |, such as "serverInfo|metrics".
func (c Chunks) String() string { return wire.BitNames(c, chunkNames[:], 16, "0x0") }

// A QueryRequest requests chunks.
//
//wire:message type=TypeQuery
type QueryRequest struct {
	Token   uint32 `wire:"token"`           // from the ChallengeResponse
	Version uint16 `wire:"version,version"` // of the client; 0 is sent as [Version]. Unity's C# test client sends 0
	Chunks  Chunks `wire:"chunks"`          // unassigned bits are kept
}

// decodeVersion reads a version.
func decodeVersion(r *wire.Reader, field string) uint16 { return r.Uint16(field) }

// appendVersion appends a version, and [Version] in place of 0, because most servers ignore
// queries of version 0.
//
//wire:fails never
func appendVersion(w *wire.Writer, _ string, v uint16) { w.Uint16(cmp.Or(v, Version)) }
