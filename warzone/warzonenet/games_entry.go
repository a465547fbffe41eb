package warzonenet

import (
	"net/netip"
	"strconv"
	"time"

	"github.com/lobbywire/lobbywire/warzone"
)

// An Entry is a game that is listed or withheld, in the form that all protocols share. Each shows
// what it has a field for, the others of a game that it opens are zero.
type Entry struct {
	Key      netip.AddrPort // where the game is joined, TCP; no two games have the same
	ID       uint32         // 1 to 2³¹-1, chosen at random by Games
	Source   Source         // by which the game was opened
	Started  bool           // it is being played: the game's own protocol lists it no more
	Verified bool           // the lobby has reached the game at Key
	Withheld bool           // from all lists, as Admit did not admit it when last asked; set by Games

	// Game is what the host tells. Games sets Host and GameID. A game that
	// was not opened in the game's own protocol has no Version.
	Game warzone.Game
	Tech string // T1, T2 or T3; only the JSON proposal tells

	Opened  time.Time // set by Games
	Seen    time.Time // when the host was last heard of, set by Games
	Expires time.Time // when the game goes unless it is heard of; zero: with its connection
}

// A Source is the protocol by which a game was opened.
type Source uint8

// The sources.
const (
	SourceLobby  Source = iota // the deployed protocol, as [Lobby] speaks it
	SourceText                 // the text proposal
	SourceBinary               // the binary proposal
	SourceJSON                 // the JSON proposal
)

// String returns "lobby", "text", "binary", "json" or, as an example, "source(7)".
func (s Source) String() string {
	switch s {
	case SourceLobby:
		return "lobby"
	case SourceText:
		return "text"
	case SourceBinary:
		return "binary"
	case SourceJSON:
		return "json"
	}
	return "source(" + strconv.Itoa(int(s)) + ")"
}
