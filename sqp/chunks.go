package sqp

import "github.com/lobbywire/lobbywire/internal/wire"

// chunkNames are in the order of the bits, the order on the wire.
var chunkNames = [...]string{"serverInfo", "serverRules", "playerInfo", "teamInfo", "metrics"}

// decodeChunk reads one chunk.
func (m *QueryResponse) decodeChunk(r *wire.Reader, o Options, chunk Chunks) {
	switch chunk {
	case ChunkServerInfo:
		m.ServerInfo = new(ServerInfo)
		m.ServerInfo.decode(r, o)
	case ChunkServerRules:
		m.ServerRules = decodeServerRules(r, o)
	case ChunkPlayerInfo:
		m.PlayerInfo = decodePlayerInfo(r, o)
	case ChunkTeamInfo:
		m.TeamInfo = decodeTeamInfo(r, o)
	case ChunkMetrics:
		m.Metrics = decodeMetrics(r, o)
	}
}

// appendChunks appends the chunks that are not nil.
func (m *QueryResponse) appendChunks(w *wire.Writer) {
	if m.ServerInfo != nil {
		at := openChunk(w)
		w.In("serverInfo", -1)
		m.ServerInfo.append(w)
		sealChunk(w, at)
	}
	if m.ServerRules != nil {
		at := openChunk(w)
		appendServerRules(w, m.ServerRules)
		sealChunk(w, at)
	}
	if m.PlayerInfo != nil {
		at := openChunk(w)
		appendPlayerInfo(w, m.PlayerInfo)
		sealChunk(w, at)
	}
	if m.TeamInfo != nil {
		at := openChunk(w)
		appendTeamInfo(w, m.TeamInfo)
		sealChunk(w, at)
	}
	if m.Metrics != nil {
		at := openChunk(w)
		appendMetrics(w, m.Metrics)
		sealChunk(w, at)
	}
}

// Chunks returns the set of chunks in m.
func (m QueryResponse) Chunks() (c Chunks) {
	if m.ServerInfo != nil {
		c |= ChunkServerInfo
	}
	if m.ServerRules != nil {
		c |= ChunkServerRules
	}
	if m.PlayerInfo != nil {
		c |= ChunkPlayerInfo
	}
	if m.TeamInfo != nil {
		c |= ChunkTeamInfo
	}
	if m.Metrics != nil {
		c |= ChunkMetrics
	}
	return c
}
