package main

import "time"

// Properties of the game that never change.
const (
	gameName   = "gameserver"
	gameType   = "Deathmatch"
	version    = "1.0"
	maxPlayers = 4 // Bomberman allows no more than 4
)

// A player of the game.
type player struct {
	slot  int // from 0
	name  string
	score int
	ping  int // milliseconds
}

// A game plays itself: players join, score and leave, and sometimes the map changes.
// Replace it by your own game.
type game struct {
	name    string
	port    int
	level   string
	players []player
	turn    int
	every   time.Duration
	next    time.Time // when the next event happens
}

// step advances the game to now. It returns a description of what happened, or "".
func (g *game) step(now time.Time) (event string) {
	if now.Before(g.next) {
		return ""
	}
	g.next = now.Add(g.every)
	return g.happen()
}

func (g *game) happen() (event string) {
	levels := [...]string{"Yard", "Harbor", "Dunes"}
	names := [...]string{"Ada", "Grace", "Zoë", "Łukasz", "Ольга", "健太", "Noor", "Ines"}
	defer func() { g.turn++ }()
	for i := range g.players {
		g.players[i].score += 1 + i
	}
	switch {
	case g.turn%6 == 0:
		g.level = levels[g.turn/6%len(levels)]
		for i := range g.players {
			g.players[i].score = 0
		}
		return "the map is " + g.level
	case g.turn%6 == 5 || len(g.players) == maxPlayers:
		gone := g.players[0]
		g.players = g.players[1:]
		return gone.name + " leaves"
	}
	came := player{slot: g.freeSlot(), name: names[g.turn%len(names)], ping: 20 + g.turn%60}
	g.players = append(g.players, came)
	return came.name + " enters"
}

// freeSlot returns the lowest slot that is free.
func (g *game) freeSlot() int {
	taken := make(map[int]bool)
	for _, p := range g.players {
		taken[p.slot] = true
	}
	slot := 0
	for taken[slot] {
		slot++
	}
	return slot
}
