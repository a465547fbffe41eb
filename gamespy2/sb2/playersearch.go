package sb2

import (
	"net/netip"

	"github.com/lobbywire/lobbywire/internal/wire"
)

// A PlayerSearchRequest searches for the servers that a player is on. [PlayerSearch]
// messages answer it.
//
//wire:message Request frame=typePlayerSearchRequest canonical
type PlayerSearchRequest struct {
	Options    uint32 `wire:"options"` // opaque
	MaxResults uint32 `wire:"maxResults"`
	Name       string `wire:"name,text0"`
}

// A PlayerSearch is one part of the answer to a [PlayerSearchRequest].
//
//wire:message Push key=typePlayerSearch
type PlayerSearch struct {
	Final   bool // the last part
	Players []FoundPlayer
}

// A FoundPlayer is a player on a server.
//
//wire:layout
type FoundPlayer struct {
	Name     string         `wire:"name,text0"`
	Addr     netip.AddrPort `wire:"addr,address"` // of the server, for queries; IPv4
	LastSeen uint32         `wire:"lastSeen"`     // in seconds since 1970
	Game     string         `wire:"game,text0"`   // "" if it is the game of the request
}

// minFoundPlayer is the size of the shortest FoundPlayer.
const minFoundPlayer = 1 + ipSize + portSize + 4 + 1

// decode sets Final if its byte is not 0; with Options.Strict the byte must be 0 or
// 1.
func (m *PlayerSearch) decode(r *wire.Reader, o Options) {
	outer := enter(r, typePlayerSearch)
	at := r.Offset()
	final := r.Uint8("final")
	if final > 1 && o.Strict {
		r.Refuse("final", at, "is neither 0 nor 1")
	}
	m.Final = final != 0
	m.Players = decodeList(r, "playerCount", "players", minFoundPlayer, func() (p FoundPlayer) {
		p.decode(r, o)
		return p
	})
	leave(r, outer)
}

// append fails if there are more than 255 players, if an address is not IPv4, if a text
// contains a zero byte or if the message is too long.
func (m *PlayerSearch) append(w *wire.Writer) {
	at := open(w, typePlayerSearch)
	final := uint8(0)
	if m.Final {
		final = 1
	}
	w.Uint8(final)
	appendList(w, "playerCount", "players", m.Players, func(p *FoundPlayer) { p.append(w) })
	seal(w, at)
}
