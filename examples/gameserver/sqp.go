package main

import (
	"github.com/lobbywire/lobbywire/sqp"
	"github.com/lobbywire/lobbywire/sqp/sqpnet"
)

// sqpState is what SQP tells of the game.
func sqpState(g *game) sqpnet.State {
	players := sqp.Table{
		Columns: []string{"name", "score"},
		Types:   []sqp.ValueType{sqp.ValueString, sqp.ValueUint32},
	}
	for _, p := range g.players {
		players.Rows = append(players.Rows, []sqp.Value{sqp.String(p.name), sqp.Uint32(uint32(p.score))})
	}
	return sqpnet.State{
		ServerInfo: sqp.ServerInfo{
			CurrentPlayers: uint16(len(g.players)),
			MaxPlayers:     maxPlayers,
			ServerName:     g.name,
			GameType:       gameType,
			BuildID:        version,
			Map:            g.level,
			Port:           uint16(g.port),
		},
		ServerRules: []sqp.Rule{{Key: "friendlyFire", Value: sqp.Byte(0)}},
		PlayerInfo:  players,
	}
}
