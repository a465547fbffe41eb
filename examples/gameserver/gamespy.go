package main

import (
	"strconv"

	"github.com/lobbywire/lobbywire/gamespy2"
	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
)

// noTeam is the team of all players of a game without teams. A player without a
// ping or a team has -32767 in qstat.
const noTeam = "0"

// gamespyState is what GameSpy tells of the game. Texts are UTF-8, as newer clients
// expect; older ones take them for Latin-1, for whom there is gamespy2.ToLatin1.
func gamespyState(g *game) gamespy2net.State {
	players := gamespy2.Table{Columns: []string{"player_", "score_", "ping_", "team_"}}
	for _, p := range g.players {
		players.Rows = append(players.Rows, []string{p.name, strconv.Itoa(p.score), strconv.Itoa(p.ping), noTeam})
	}
	return gamespy2net.State{
		Info: []gamespy2.KeyValue{
			{Key: "hostname", Value: g.name},
			{Key: "gamename", Value: gameName},
			{Key: "gamever", Value: version},
			{Key: "mapname", Value: g.level},
			{Key: "gametype", Value: gameType},
			{Key: "numplayers", Value: strconv.Itoa(len(g.players))},
			{Key: "maxplayers", Value: strconv.Itoa(maxPlayers)},
			{Key: "password", Value: "0"},
			{Key: "hostport", Value: strconv.Itoa(g.port)},
		},
		Players: players,
	}
}
