package gameagent

import "github.com/lobbywire/lobbywire/internal/wire"

// A LegacyInfo answers a [LegacyRequest] for the info. It is a part of
// [LegacyStatus] in the same form.
//
//wire:message
type LegacyInfo struct {
	HostName   string `wire:"hostName,key=hostname"` // the session name
	HostPort   uint16 `wire:"hostPort,key=hostport"` // port of the game, not of queries
	MapName    string `wire:"mapName,key=mapname"`
	GameType   string `wire:"gameType,key=gametype"`
	NumPlayers int    `wire:"numPlayers,key=numplayers"` // players on the server now, from 0
	MaxPlayers int    `wire:"maxPlayers,key=maxplayers"` // capacity
	GameMode   string `wire:"gameMode,key=gamemode"`     // "openplaying"
	Extra      []Pair // pairs without a field, as in LegacyStatus
	QueryID    string // from the engine that of [LegacyQuery.ID]; "" if there is none
}

func (m *LegacyInfo) answer() legacyAnswer {
	return legacyAnswer{legacyInfoKeys[:], nil, &m.Extra, &m.QueryID}
}

// decode accepts keys in any order, and missing keys.
func (m *LegacyInfo) decode(r *wire.Reader, _ Options) {
	fields := m.fields()
	a := m.answer()
	a.decode(r, fields[:])
}

// append fails if a number of players is below 0 or above 2147483647, if a text
// contains a backslash or a zero byte, or if the message is longer than
// [MaxPacket] bytes.
func (m *LegacyInfo) append(w *wire.Writer) {
	fields := m.fields()
	a := m.answer()
	a.append(w, fields[:])
}
