package warzone

// A GameIDReply answers a [GameIDRequest]. 4 bytes, big-endian.
//
//wire:message Response
type GameIDReply struct {
	// GameID is not 0. The known lobbies choose 1 to 2³¹-1, except Filler+1.
	GameID uint32 `wire:"gameId"`
}

// gameIDSize is the size of a GameIDReply.
const gameIDSize = 4
