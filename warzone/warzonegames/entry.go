package warzonegames

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/netip"
	"time"

	"github.com/lobbywire/lobbywire/internal/wire"
	"github.com/lobbywire/lobbywire/warzone"
)

// An Entry is a game. Each protocol shows the fields that it has. In games that it opens,
// the others are zero. Entries share the slices in HTTP, so replace a slice, and never
// change its elements.
type Entry struct {
	Key      netip.AddrPort // the TCP address of the game, which is unique; see Published
	ID       uint32         // 1 to 2³¹-1, chosen at random by Games
	Source   Source         // the protocol that opened the game
	Started  bool           // the game is being played; only the text and binary proposals list it
	Verified bool           // the lobby has connected to the game at Key, when it was opened or later
	Withheld bool           // hidden from all lists, by Admit or because it is Unreachable; set by Games

	// Unreachable means that the game has answered once, but not the last checks; see
	// [Games.Check]. Games sets it, on the node of the game, and it is shared with the others.
	Unreachable bool

	// Game is the description from the host, except Host and GameID, which
	// Games sets. A game of a proposal has no Version.
	Game warzone.Game
	Tech string // T1, T2 or T3; only the JSON proposal has it
	HTTP HTTPDetails

	Opened  time.Time // when its host opened it; set by Games, unless it is set before Add
	Seen    time.Time // when the host last sent something, set by Games
	Expires time.Time // when the game is removed unless its host sends something; zero means when its connection ends

	Extra map[string]json.RawMessage // unknown members of its binary form
}

// A Source is the protocol that opened a game.
type Source uint8

// The sources.
const (
	SourceLobby  Source = iota // the protocol up to 4.6, through a warzonenet.Lobby
	SourceText                 // the text proposal
	SourceBinary               // the binary proposal
	SourceJSON                 // the JSON proposal
	SourceHTTP                 // the protocol since 4.7, through a wzhttpnet.Lobby
)

// String returns "lobby", "text", "binary", "json", "http" or, for an unknown source, the
// like of "source(7)".
func (s Source) String() string {
	return wire.EnumName(s, "source", "lobby", "text", "binary", "json", "http")
}

// isSame reports whether two entries of a game are the same, apart from Seen, Expires and
// Withheld.
func (e *Entry) isSame(other *Entry) bool {
	return e.Key == other.Key && e.ID == other.ID && e.Source == other.Source &&
		e.Started == other.Started && e.Verified == other.Verified && e.Unreachable == other.Unreachable &&
		e.Game == other.Game && e.Tech == other.Tech && e.HTTP.equal(&other.HTTP) && e.Opened == other.Opened &&
		maps.EqualFunc(e.Extra, other.Extra, func(a, b json.RawMessage) bool { return bytes.Equal(a, b) })
}

// Published reports whether the game has been published, so that it is listed or
// withheld. Before that its lobby has announced it, without a port, because no address of
// it has been checked.
func (e *Entry) Published() bool { return e.Source != SourceHTTP || e.Key.Port() != 0 }

// Addresses returns the addresses of a published game: Key and, if there is one,
// HTTP.Second.
func (e *Entry) Addresses() []netip.AddrPort {
	if e.HTTP.Second.IsValid() {
		return []netip.AddrPort{e.Key, e.HTTP.Second}
	}
	return []netip.AddrPort{e.Key}
}

// replacesAny reports whether games of the source replace games of any source at
// the same address, because the lobby has connected to them there.
func (s Source) replacesAny() bool { return s == SourceLobby || s == SourceHTTP }
