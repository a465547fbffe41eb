package wzjson

import "encoding/json"

// An Add adds a game to the list of a lobby. The game runs on the machine that
// sends the message, at [DefaultPort]. The lobby answers with an [AddAck] or an
// [Error].
//
// Tech and MaxPlayers are left out if they are zero. Unless Strict, all members except the
// command may be missing.
//
//wire:message Message command=add
type Add struct {
	Name       string                     `wire:"name,lenient"`
	Map        string                     `wire:"map,lenient"`
	Tech       Tech                       `wire:"tech,tech,omitzero,lenient"`
	MaxPlayers int                        `wire:"players,range=1..maxPlayers,omitzero,lenient"` // capacity of the game
	Extra      map[string]json.RawMessage // unknown members of the query
	Envelope
}

// Game returns the list entry for the game, without Host and Port, which follow from the
// connection: members of Extra with these names are dropped.
func (m Add) Game() Game {
	return Game{Name: m.Name, Map: m.Map, Tech: m.Tech, MaxPlayers: m.MaxPlayers, Extra: merged(nil, m.Extra)}
}
