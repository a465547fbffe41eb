package sqp

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
//
//wire:layout
type ServerInfo struct {
	CurrentPlayers uint16 `wire:"currentPlayers"`   // players on the server now
	MaxPlayers     uint16 `wire:"maxPlayers"`       // players it takes
	ServerName     string `wire:"serverName,text8"` // UTF-8; this and the other texts at most 255 bytes
	GameType       string `wire:"gameType,text8"`
	BuildID        string `wire:"buildId,text8"`
	Map            string `wire:"map,text8"`
	Port           uint16 `wire:"port"`       // of the game, not of queries
	Extra          []byte `wire:"extra,rest"` // fields of a later version, after Port
}
