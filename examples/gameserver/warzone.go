package main

import "github.com/lobbywire/lobbywire/warzone"

// warzoneGame is what a Warzone lobby lists of the game.
func warzoneGame(g *game) warzone.Game {
	return warzone.Game{
		Name:           g.name,
		MapName:        g.level,
		HostName:       gameName,
		MaxPlayers:     maxPlayers,
		CurrentPlayers: uint32(len(g.players)),
		HostPort:       uint16(g.port),
		VersionString:  version,
	}
}
