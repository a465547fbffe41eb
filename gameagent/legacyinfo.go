package gameagent

import (
	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// LegacyInfoID is the QueryID that the engine gives a [LegacyInfo].
const LegacyInfoID = "8.1"

// A LegacyInfo answers the [LegacyRequest] for the info: a part of what a
// [LegacyStatus] tells, in its form.
type LegacyInfo struct {
	HostName   string // the session name
	HostPort   uint16 // of the game, not of queries
	MapName    string
	GameType   string
	NumPlayers int    // on the server now, from 0
	MaxPlayers int    // it takes
	GameMode   string // "openplaying"
	Extra      []Pair // what has no place above, as in LegacyStatus
	QueryID    string // [LegacyInfoID]; "" is none
}

// ParseLegacyInfo reads a [LegacyInfo]. Keys may come in any order and may be
// missing.
func ParseLegacyInfo(b []byte) (LegacyInfo, error) {
	r := wire.NewReader(b)
	var m LegacyInfo
	m.decode(&r)
	if err := r.Err(proto); err != nil {
		return LegacyInfo{}, err
	}
	return m, nil
}

// ExplainLegacyInfo accounts for every byte of a [LegacyInfo].
func ExplainLegacyInfo(b []byte) lobbywire.Explanation {
	return wire.Explain(proto, "LegacyInfo", b, func(r *wire.Reader) { new(LegacyInfo).decode(r) })
}

func (m *LegacyInfo) decode(r *wire.Reader) {
	var a legacyAnswer
	fields := m.fields()
	a.decode(r, legacyInfoKeys[:], fields[:], false)
	m.Extra, m.QueryID = a.extra, a.queryID
}

// legacyInfoKeys are in the order in which the engine sends them.
var legacyInfoKeys = [...]key{
	{"hostname", "hostName"},
	{"hostport", "hostPort"},
	{"mapname", "mapName"},
	{"gametype", "gameType"},
	{"numplayers", "numPlayers"},
	{"maxplayers", "maxPlayers"},
	{"gamemode", "gameMode"},
}

// fields are in the order of legacyInfoKeys.
func (m *LegacyInfo) fields() [7]any {
	return [...]any{
		&m.HostName, &m.HostPort, &m.MapName, &m.GameType, &m.NumPlayers,
		&m.MaxPlayers, &m.GameMode,
	}
}

// AppendBinary appends the wire form to b. It refuses backslashes, zero bytes,
// and more than [MaxPacket] bytes.
func (m LegacyInfo) AppendBinary(b []byte) ([]byte, error) {
	a, fields := legacyAnswer{extra: m.Extra, queryID: m.QueryID}, m.fields()
	return a.appendBinary(b, legacyInfoKeys[:], fields[:])
}

// MarshalBinary returns the wire form.
func (m LegacyInfo) MarshalBinary() ([]byte, error) { return m.AppendBinary(nil) }

// UnmarshalBinary reads b as [ParseLegacyInfo] does.
func (m *LegacyInfo) UnmarshalBinary(b []byte) (err error) {
	*m, err = ParseLegacyInfo(b)
	return err
}
