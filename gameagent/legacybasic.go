package gameagent

import "github.com/lobbywire/lobbywire/internal/wire"

// A LegacyBasic answers a [LegacyRequest] for the basic keys. It is a part of
// [LegacyStatus] in the same form.
//
//wire:message
type LegacyBasic struct {
	GameName    string `wire:"gameName,key=gamename"`
	GameVersion string `wire:"gameVersion,key=gamever"`
	Location    string `wire:"location,key"` // "EU" from the engine
	Extra       []Pair // pairs without a field, as in LegacyStatus
	QueryID     string // from the engine that of [LegacyQuery.ID]; "" if there is none
}

func (m *LegacyBasic) answer() legacyAnswer {
	return legacyAnswer{legacyBasicKeys[:], nil, &m.Extra, &m.QueryID}
}

// decode accepts keys in any order, and missing keys.
func (m *LegacyBasic) decode(r *wire.Reader, _ Options) {
	fields := m.fields()
	a := m.answer()
	a.decode(r, fields[:])
}

// append fails if a text contains a backslash or a zero byte, or if the message
// is longer than [MaxPacket] bytes.
func (m *LegacyBasic) append(w *wire.Writer) {
	fields := m.fields()
	a := m.answer()
	a.append(w, fields[:])
}
