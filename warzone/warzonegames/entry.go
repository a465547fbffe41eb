package warzonegames

import (
	"net/netip"
	"strings"
	"time"

	"github.com/lobbywire/lobbywire/internal/wire"
	"github.com/lobbywire/lobbywire/warzone"
)

// An Entry is a game that is listed or withheld. Each protocol shows the fields that it has.
// In games that it opens, the others are zero.
type Entry struct {
	Key      netip.AddrPort // the TCP address of the game, which is unique
	ID       uint32         // 1 to 2³¹-1, chosen at random by Games
	Source   Source         // the protocol that opened the game
	Started  bool           // the game is being played; only the text and binary proposals list it
	Verified bool           // the lobby has connected to the game at Key
	Withheld bool           // hidden from all lists by Admit; set by Games

	// Game is the description from the host, except Host and GameID, which
	// Games sets. A game of a proposal has no Version.
	Game warzone.Game
	Tech string // T1, T2 or T3; only the JSON proposal has it
	HTTP HTTPDetails

	Opened  time.Time // set by Games
	Seen    time.Time // when the host last sent something, set by Games
	Expires time.Time // when the game is removed unless its host sends something; zero means when its connection ends
}

// HTTPDetails has the fields that only the HTTP lobby has. It is zero in games
// of other sources.
type HTTPDetails struct {
	Session   uint64         // random; the tokens of the game are derived from it
	Second    netip.AddrPort // the verified address of the other address family than Key, if there is one
	PublicKey string         // the host's Ed25519 key in base64, unverified
	MapHash   string         // of the map file; empty for maps that come with the game
	Mods      string         // mods with their hashes, as a JSON array; empty if there are none

	// Announced has the addresses of a game that is not published yet, with the states
	// of their checks, as a JSON array. Only entries of the Store have it, because no
	// list has unpublished games. Their Key has no port.
	Announced string

	// Joins has the tokens that players have used, with hashes of the players' keys,
	// until the tokens expire, in a binary form.
	Joins string
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

// Addresses returns the addresses of a listed game: Key and, if there is one, HTTP.Second.
func (e *Entry) Addresses() []netip.AddrPort {
	if e.HTTP.Second.IsValid() {
		return []netip.AddrPort{e.Key, e.HTTP.Second}
	}
	return []netip.AddrPort{e.Key}
}

// replacesAny reports whether games of the source replace games of any source at
// the same address, because the lobby has connected to them there.
func (s Source) replacesAny() bool { return s == SourceLobby || s == SourceHTTP }

// Clone returns a copy whose texts share no memory with others.
func (d HTTPDetails) Clone() HTTPDetails {
	d.PublicKey, d.MapHash, d.Mods = strings.Clone(d.PublicKey), strings.Clone(d.MapHash), strings.Clone(d.Mods)
	d.Joins = strings.Clone(d.Joins)
	return d
}
