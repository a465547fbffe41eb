package main

import "github.com/lobbywire/lobbywire/bomberman"

// bombermanServer is what a Bomberman management server lists of the game, at
// an address that players reach.
func bombermanServer(g *game, address string) bomberman.Server {
	return bomberman.Server{
		Name:         g.name,
		Address:      address,
		Port:         g.port,
		Players:      bomberman.PlayerCount{Current: len(g.players), Max: maxPlayers},
		IsLobbyOpen:  len(g.players) < maxPlayers,
		GameplayMode: bomberman.GameplayModeStandardA,
	}
}
