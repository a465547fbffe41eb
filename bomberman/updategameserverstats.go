package bomberman

// UpdateGameServerStats reports the state of the game server of the connection
// to a management server. There is no answer. A server drops invalid stats, so
// decoding refuses them. It also drops stats without a [RegisterGameServer].
//
//wire:message Message command=msUpdateGameServerStats
type UpdateGameServerStats struct {
	Players      PlayerCount  `wire:"players,must"`
	IsLobbyOpen  bool         `wire:"isLobbyOpen"` // whether players can join now
	GameplayMode GameplayMode `wire:"gameplayMode,must=valid"`
	Envelope
}
