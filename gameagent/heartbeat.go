package gameagent

import (
	"github.com/lobbywire/lobbywire/gameagent/internal/pairs"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// A Heartbeat keeps a server listed at a master. A server sends one every 150
// seconds, and one in answer to a [Challenge]. It is a line of text:
//
//	0;challenge;870699779;players;8;maxplayers;16;level;Yodeller;gametype;Fragmatch;version;1.10;product;serioussamse
//
// Nothing is escaped. The heartbeat does not contain the address of the server:
// the master takes it from the datagram. The port of the game is the source port
// minus 1.
//
//wire:message ToMaster type=typeLine
type Heartbeat struct {
	// Challenge is the number from the master's Challenge, or 0 in a periodic heartbeat. It
	// is also 0 if the packet contains no challenge.
	Challenge int32 `wire:"challenge,key"`

	Players    *int   `wire:"players,key"`               // players on the server now, from 0; nil if unknown
	MaxPlayers *int   `wire:"maxPlayers,key=maxplayers"` // capacity; nil if unknown
	Level      string `wire:"level,key"`                 // this and the other texts are as in Status
	GameType   string `wire:"gameType,key=gametype"`
	Version    string `wire:"version,key"`
	Product    string `wire:"product,key"` // Status.GameName
	Extra      []Pair // pairs without a field, as in Status
}

// decode accepts keys in any order, and missing keys. A challenge must have the form that
// the engine sends: the text 05 is not the number 5 and goes to Extra.
func (m *Heartbeat) decode(r *wire.Reader, o Options) {
	r.DecodeTexts(o.Text)
	m.decodeHeader(r)
	fields := m.fields()
	m.Extra = decodeLine(r, o, heartbeatKeys[:], fields[:], false)
}

// append writes the keys in the engine's order, followed by Extra. It fails if a
// number of players is below 0 or above 2147483647, if a text contains a
// semicolon or a zero byte, if Extra holds a key that decoding does not put there,
// or if the message is longer than [MaxHeartbeat]
// bytes.
func (m *Heartbeat) append(w *wire.Writer) {
	m.appendHeader(w)
	fields := m.fields()
	appendLine(w, heartbeatKeys[:], fields[:], m.Extra, false)
	pairs.AppendEnd(w, MaxHeartbeat)
}
