package warzonenet

import (
	"net/netip"
	"strconv"
	"time"

	"github.com/lobbywire/lobbywire/warzone"
)

// An Entry is a game that is listed or withheld, in the form that all protocols
// share. Each protocol shows the fields that it can carry and leaves the others of
// its games zero.
type Entry struct {
	Key      netip.AddrPort // the TCP address of the game, which no other game has
	ID       uint32         // 1 to 2³¹-1, chosen at random by Games
	Source   Source         // the protocol that opened the game
	Started  bool           // the game is being played; lists of Lobby and JSONLobby leave it out
	Verified bool           // the lobby has reached the game at Key
	Withheld bool           // hidden from all lists by Admit; set by Games

	// Game is the host's description. Games sets Host and GameID. A game of a
	// proposal has no Version.
	Game warzone.Game
	Tech string // T1, T2 or T3; only the JSON proposal has it
	HTTP HTTPDetails

	Opened  time.Time // set by Games
	Seen    time.Time // when the host last sent something, set by Games
	Expires time.Time // when the game is removed unless its host sends something; zero: with its connection
}

// HTTPDetails are what only the HTTP lobby has. They are zero in games of other
// sources.
type HTTPDetails struct {
	Session   uint64         // drawn at random for each game; its tokens are derived from it
	Second    netip.AddrPort // the verified address over the other family than Key, if the game has one
	PublicKey string         // the host's Ed25519 key in base64, as the host claims
	MapHash   string         // of the map file; empty for maps that come with the game
	Mods      string         // with their hashes, as a JSON array; empty if there are none
}

// A Source is the protocol that opened a game.
type Source uint8

// The sources.
const (
	SourceLobby  Source = iota // the deployed protocol, as [Lobby] speaks it
	SourceText                 // the text proposal
	SourceBinary               // the binary proposal
	SourceJSON                 // the JSON proposal
	SourceHTTP                 // the deployed protocol since 4.7, as [HTTPLobby] speaks it
)

// String returns "lobby", "text", "binary", "json", "http" or, as an example, "source(7)".
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
	case SourceHTTP:
		return "http"
	}
	return "source(" + strconv.Itoa(int(s)) + ")"
}
