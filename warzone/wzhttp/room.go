package wzhttp

// A Room describes a game, as reported by its host. Warzone 2100 calls a game
// that has not started a room.
//
//wire:object inline
type Room struct {
	Version    string    `wire:"v"`             // of the game, such as "4.7.0"
	Netcode    Netcode   `wire:"netv,netcode"`  // clients with a different one cannot join
	Name       string    `wire:"name,roomName"` // at most MaxRoomName bytes
	Host       Player    `wire:"host"`          // the player who hosts
	Map        Map       `wire:"map,map"`
	Mods       []Mod     `wire:"mods,max=MaxMods,omitzero"` // nil if there are none
	Players    Seats     `wire:"players"`                   // without closed seats and spectators
	Spectators Seats     `wire:"specs,lenient"`             // including a host who only watches
	Alliances  Alliances `wire:"ally,lenient"`
	Blind      Blind     `wire:"blind,omitzero"`
	Limits     Limits    `wire:"lim,lenient"`
	Private    bool      `wire:"private,omitzero"` // players need a password
}
