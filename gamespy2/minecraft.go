package gamespy2

import (
	"slices"

	"github.com/lobbywire/lobbywire/internal/wire"
)

// Minecraft is a full stat of a Minecraft server, with typed fields. The fields up to
// HostIP are the keys of Info, in the order of the wire, with game_id after GameType. Some
// clients rely on this order. A number is nil if it is missing or invalid.
type Minecraft struct {
	MOTD       string `key:"hostname"` // as in [BasicStat]
	GameType   string `key:"gametype"` // "SMP"
	Version    string `key:"version"`  // such as "1.20.4"
	Plugins    string `key:"plugins"`  // "server: name version; name version", or ""
	Map        string `key:"map"`
	NumPlayers *int   `key:"numplayers"`
	MaxPlayers *int   `key:"maxplayers"`
	HostPort   *int   `key:"hostport"`
	HostIP     string `key:"hostip"`

	Players []string // names
}

// gameIDIndex is the index of game_id in Info.
const gameIDIndex = 2

// Minecraft returns the typed form of the full stat of a Minecraft server. Unknown keys and
// columns are ignored.
func (m Response) Minecraft() Minecraft {
	var v Minecraft
	m.readInfo(&v)
	v.Players = make([]string, len(m.Players.Rows))
	if column := m.Players.Column(playerColumn); column >= 0 {
		for i, row := range m.Players.Rows {
			v.Players[i] = row[column]
		}
	}
	return v
}

// Response returns the full stat. It has no teams and ends after the players, as
// clients require.
func (v Minecraft) Response(id [4]byte) Response {
	m := Response{ID: id, Split: true, Sections: SectionInfo | SectionPlayers}
	m.Info = slices.Insert(infoOf(&v), gameIDIndex, KeyValue{minecraftGame, gameID})
	m.Players = Table{Columns: []string{playerColumn}, Rows: make([][]string, len(v.Players))}
	for i := range v.Players {
		m.Players.Rows[i] = v.Players[i : i+1 : i+1]
	}
	return m
}

// BasicStat returns the basic stat. A number that is unknown or does not fit becomes 0.
func (v Minecraft) BasicStat(id [4]byte) BasicStat {
	return BasicStat{
		ID: id, MOTD: v.MOTD, GameType: v.GameType, Map: v.Map,
		NumPlayers: orZero[int32](v.NumPlayers), MaxPlayers: orZero[int32](v.MaxPlayers),
		HostPort: orZero[uint16](v.HostPort), HostIP: v.HostIP,
	}
}

// orZero returns *v, or 0 if v is nil or the number does not fit.
func orZero[T int32 | uint16](v *int) T {
	if v == nil || int(T(*v)) != *v {
		return 0
	}
	return T(*v)
}

// checkMinecraft refuses a full stat that clients of Minecraft misread: they read the keys
// of [Minecraft] by position, and the names of the players up to the end of the packet.
func (m *Response) checkMinecraft(w *wire.Writer) {
	for i, kv := range (Minecraft{}).Response(m.ID).Info {
		if i >= len(m.Info) || m.Info[i].Key != kv.Key {
			w.In("info", i)
			w.Refuse("key", "is not the key that Minecraft has there")
		}
	}
	w.In("", -1)
	if len(m.Players.Columns) != 1 || m.Players.Columns[0] != playerColumn {
		w.Refuse("players.columns", "are not player_ alone")
	}
	if len(m.Teams.Columns)+len(m.Teams.Rows) > 0 {
		w.Refuse("teams", "do not exist in Minecraft")
	}
}
