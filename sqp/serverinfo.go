package sqp

// ServerInfo is the chunk with the main facts. Every server sends it.
//
//wire:layout
type ServerInfo struct {
	CurrentPlayers uint16 `wire:"currentPlayers"`   // number of players on the server
	MaxPlayers     uint16 `wire:"maxPlayers"`       // number of players that it admits
	ServerName     string `wire:"serverName,text8"` // UTF-8, at most 255 bytes, like the other texts
	GameType       string `wire:"gameType,text8"`   // the game or its mode, such as "ctf"; each game has its own
	BuildID        string `wire:"buildId,text8"`    // the version of the game's build, such as "001"
	Map            string `wire:"map,text8"`        // the map being played, such as "Highrise"
	Port           uint16 `wire:"port"`             // of the game, not of queries
	Extra          []byte `wire:"extra,rest"`       // fields of a later version
}
