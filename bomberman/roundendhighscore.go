package bomberman

import "encoding/json"

// RoundEndHighscore ends a round and reports the results of its players, who all
// return to the lobby.
//
//wire:message Message command=cRoundEndHighscore
type RoundEndHighscore struct {
	Players []Highscore `wire:"players,max=MaxPlayers"` // not sorted
	Envelope
}

// A Highscore is the result of a player in a round. Its counts have 31 bits.
//
//wire:object
type Highscore struct {
	// any text: an example has a name that cannot be registered
	Name              string `wire:"name"`
	WalkedSteps       int    `wire:"walkedSteps,should=validCount"`
	PlantedBombs      int    `wire:"plantedBombs,should=validCount"`
	DestroyedWalls    int    `wire:"destroyedWalls,should=validCount"`
	KilledPlayers     int    `wire:"killedPlayers,should=validCount"`
	CollectedPowerups int    `wire:"collectedPowerups,should=validCount"`
	IsSuicided        bool   `wire:"isSuicided"`
	// alive at the end; false for all if time ran out
	IsLastPlayer bool                       `wire:"isLastPlayer"`
	Score        int64                      `wire:"score"`
	Extra        map[string]json.RawMessage // unknown members
}
