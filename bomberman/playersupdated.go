package bomberman

import "encoding/json"

// PlayersUpdated lists the players of the next round. A game server sends it to
// all registered players.
//
//wire:message Message command=cPlayersUpdated
type PlayersUpdated struct {
	Players []LobbyPlayer `wire:"players,max=MaxPlayers"` // at most MaxPlayers; the leader need not be first
	Envelope
}

// A LobbyPlayer is a player of the next round.
//
//wire:object
type LobbyPlayer struct {
	Name     string                     `wire:"name,should=ValidName,plain"` // as adapted by the server
	IsLeader bool                       `wire:"isLeader"`                    // may send ConfigureArena
	Extra    map[string]json.RawMessage // unknown members
}
