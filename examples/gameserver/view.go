package main

import "github.com/lobbywire/lobbywire"

// noTeam is the team of all players of a game without teams. A player without a
// ping or a team has -32767 in qstat.
const noTeam = "0"

// view describes the game for all protocols; each sends the fields that it supports.
// Only Bomberman management servers need the host; the other protocols use the source
// address.
func (g *game) view(host string) lobbywire.View {
	v := lobbywire.View{
		Name:    g.name,
		Game:    gameName,
		Map:     g.level,
		Mode:    gameType,
		Version: version,
		Host:    host,
		Port:    uint16(g.port),
		Max:     new(maxPlayers),
		Rules:   []lobbywire.Rule{{Key: "friendlyfire", Value: "0"}},
	}
	for _, p := range g.players {
		v.Roster = append(v.Roster,
			lobbywire.Player{Name: p.name, Score: new(p.score), Ping: new(p.ping), Team: noTeam})
	}
	return v
}
