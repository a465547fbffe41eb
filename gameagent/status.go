package gameagent

import (
	"bytes"

	"github.com/lobbywire/lobbywire/gameagent/internal/pairs"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// A Status answers a [StatusRequest]. It is a line of text:
//
//	0;players;8;maxplayers;16;level;Yodeller;gametype;Fragmatch;version;1.10;gamename;serioussamse;sessionname;Awesome Server
//
// Nothing is escaped. Only the session name, which comes last, may contain a
// semicolon. Text is in the code page of the host.
//
//wire:message FromServer type=typeLine
type Status struct {
	Players    *int   `wire:"players,key"`               // players on the server now, from 0; nil if unknown
	MaxPlayers *int   `wire:"maxPlayers,key=maxplayers"` // capacity; nil if unknown
	Level      string `wire:"level,key"`                 // display name of the level
	// "Cooperative", "Scorematch", "Fragmatch", "Flyover" or "", translated
	GameType string `wire:"gameType,key=gametype"`
	Version  string `wire:"version,key"` // version of the engine, such as "1.10"
	// "serioussamse", "serioussamfe", "serioussam" or the name of a mod
	GameName    string `wire:"gameName,key=gamename"`
	SessionName string `wire:"sessionName,key=sessionname"` // may contain format codes: ^ and a letter
	Extra       []Pair // pairs without a field: unknown keys, repeated keys, values that are not valid for the field

	// Cut reports that the packet has 255 bytes. Old builds for Linux cut the answer at
	// that size, so the last value may be incomplete and later keys may be missing.
	// Appending refuses a Status with Cut of any other size.
	Cut bool
}

// isStatus reports whether a line is a Status as servers send it. Unlike a
// Heartbeat, it has no challenge, except perhaps in its session name.
func isStatus(b []byte) bool {
	if !bytes.HasPrefix(b, []byte("0;players;")) {
		return false
	}
	keys, _, _ := bytes.Cut(b, []byte(";sessionname;"))
	return !bytes.Contains(keys, []byte(";challenge;"))
}

// decode accepts keys in any order, and missing keys. The last key may lack its
// value.
func (m *Status) decode(r *wire.Reader, o Options) {
	r.DecodeTexts(o.Text)
	m.Cut = r.Len() == cutStatus
	m.decodeHeader(r)
	fields := m.fields()
	m.Extra = decodeLine(r, o, statusKeys[:], fields[:], true)
}

// append writes the keys in the engine's order, with Extra before the session
// name. It fails if a number is below 0 or above 2147483647, if a text contains
// a zero byte, if a text except the session name contains a semicolon, if Extra
// holds a key that decoding does not put there, if the message is longer than [MaxPacket]
// bytes, or if Cut is set and the message does not have 255 bytes.
func (m *Status) append(w *wire.Writer) {
	m.appendHeader(w)
	fields := m.fields()
	appendLine(w, statusKeys[:], fields[:], m.Extra, true)
	pairs.AppendEnd(w, MaxPacket)
	if m.Cut && w.Len() != cutStatus {
		w.Refuse("cut", "the message does not have 255 bytes")
	}
}
