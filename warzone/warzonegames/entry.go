package warzonegames

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/lobbywire/lobbywire/internal/wire"
	"github.com/lobbywire/lobbywire/warzone"
	"github.com/lobbywire/lobbywire/warzone/internal/gamelist"
	"github.com/lobbywire/lobbywire/warzone/wzhttp"
)

// An Entry is a game. Each protocol uses the fields that it defines; in games that it
// opens, the others are zero. Entries share Mods, so replace it, and never change its
// elements.
type Entry struct {
	Key      netip.AddrPort // the TCP address of the game, which is unique; see Published
	ID       uint32         // 1 to 2³¹-1, chosen at random by Games
	Source   Source         // the protocol that opened the game
	Started  bool           // the game is being played; only the text and binary proposals list it
	Verified bool           // the lobby has connected to the game at Key, when it was opened or later
	Withheld bool           // hidden from all lists, by Admit or because it is Unreachable; set by Games

	// Unreachable means that the game has answered before, but not the last checks. The
	// Games of its node sets it, and the other nodes receive it.
	Unreachable bool

	// Game is the description from the host, except Host and GameID, which
	// Games sets. A game of a proposal has no Version.
	Game warzone.Game
	Tech string // T1, T2 or T3; only in the JSON proposal

	// Only for games of the HTTP lobby.
	Second    netip.AddrPort // the verified address of the other address family, if there is one
	PublicKey string         // the host's Ed25519 key in base64, unverified
	MapHash   string         // of the map file; empty for maps that come with the game
	Mods      []wzhttp.Mod   // with their hashes, without Extra
	HTTP      gamelist.HTTP  // for their lobby only

	Opened  time.Time // when its host opened it; set by Games, unless it is set before Add
	Seen    time.Time // when the host last sent something, set by Games
	Expires time.Time // when the game is removed unless its host sends something; zero: when its connection ends

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

// isSame reports whether two entries of a game are equal except in Seen, Expires and
// Withheld.
func (e *Entry) isSame(other *Entry) bool {
	return e.Key == other.Key && e.ID == other.ID && e.Source == other.Source &&
		e.Started == other.Started && e.Verified == other.Verified && e.Unreachable == other.Unreachable &&
		e.Game == other.Game && e.Tech == other.Tech && e.Opened == other.Opened &&
		e.Second == other.Second && e.PublicKey == other.PublicKey && e.MapHash == other.MapHash &&
		slices.EqualFunc(e.Mods, other.Mods, isSameMod) && e.HTTP.Equal(&other.HTTP) &&
		maps.EqualFunc(e.Extra, other.Extra, func(a, b json.RawMessage) bool { return bytes.Equal(a, b) })
}

// isSameMod reports whether two mods are the same. They have no Extra.
func isSameMod(m, n wzhttp.Mod) bool { return m.Name == n.Name && m.Hash == n.Hash }

// Published reports whether the game has been published and is therefore listed or
// withheld. Before that, it is announced and its Key has no port, because no address has
// been checked.
func (e *Entry) Published() bool { return e.Source != SourceHTTP || e.Key.Port() != 0 }

// unshare replaces memory shared with others by copies. Mods lose their Extra.
func (e *Entry) unshare() {
	e.Game, e.Tech, e.HTTP = e.Game.Clone(), strings.Clone(e.Tech), e.HTTP.Clone()
	e.PublicKey, e.MapHash = strings.Clone(e.PublicKey), strings.Clone(e.MapHash)
	e.Mods = slices.Clone(e.Mods)
	for i, m := range e.Mods {
		e.Mods[i] = wzhttp.Mod{Name: strings.Clone(m.Name), Hash: strings.Clone(m.Hash)}
	}
}

// replacesAny reports whether games of the source replace games of any source at
// the same address, because the lobby has connected to them there.
func (s Source) replacesAny() bool { return s == SourceLobby || s == SourceHTTP }
