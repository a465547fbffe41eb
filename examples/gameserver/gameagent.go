package main

import (
	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/gameagent/gameagentnet"
)

// gameagentState is what GameAgent tells of the game, to its clients and to
// those of the older backslash queries.
func gameagentState(g *game) gameagentnet.State {
	s := gameagentnet.State{
		SessionName: g.name,
		GameName:    gameName,
		Version:     version,
		Level:       g.level,
		GameType:    gameType,
		MaxPlayers:  maxPlayers,
		GamePort:    uint16(g.port),
	}
	for _, p := range g.players {
		s.Players = append(s.Players, gameagent.Player{Index: p.slot, Name: p.name, Frags: int32(p.score)})
	}
	return s
}
