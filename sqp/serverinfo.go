package sqp

import "github.com/lobbywire/lobbywire/internal/wire"

// ServerInfo is the chunk that every server has. After its length, big-endian:
//
//	offset  size  field
//	0       2     currentPlayers
//	2       2     maxPlayers
//	4       1+n   serverName
//	        1+n   gameType
//	        1+n   buildId
//	        1+n   map
//	        2     port
type ServerInfo struct {
	CurrentPlayers uint16 // players on the server now
	MaxPlayers     uint16 // players it takes
	ServerName     string // UTF-8; this and the other texts at most 255 bytes
	GameType       string
	BuildID        string
	Map            string
	Port           uint16 // of the game, not of queries
	Extra          []byte // fields of a later version, after Port
}

func (m *ServerInfo) decode(r *wire.Reader) {
	m.CurrentPlayers = r.Uint16("currentPlayers")
	m.MaxPlayers = r.Uint16("maxPlayers")
	m.ServerName = r.Text8("serverName")
	m.GameType = r.Text8("gameType")
	m.BuildID = r.Text8("buildId")
	m.Map = r.Text8("map")
	m.Port = r.Uint16("port")
	m.Extra = r.Rest("extra")
}

func (m *ServerInfo) append(w *wire.Writer) {
	w.Uint16(m.CurrentPlayers)
	w.Uint16(m.MaxPlayers)
	w.Text8("serverName", m.ServerName)
	w.Text8("gameType", m.GameType)
	w.Text8("buildId", m.BuildID)
	w.Text8("map", m.Map)
	w.Uint16(m.Port)
	w.Bytes(m.Extra)
}
