package gamespy2

import (
	"slices"

	"github.com/lobbywire/lobbywire/internal/wire"
)

// A StatRequest requests a stat from a Minecraft server. Servers of other games
// ignore it. The answer to a request for the basic stat is a [BasicStat]; the full
// stat is a [Response] in split form, see [Minecraft].
//
//wire:message magic=0xfefd type=TypeQuery
type StatRequest struct {
	ID        [4]byte `wire:"id"`        // Minecraft reads only the low 4 bits of each byte
	Challenge int32   `wire:"challenge"` // Number of the [ChallengeResponse]

	// Full requests the full stat. Most clients send zeros as padding; those
	// that also know other games send the bytes of a [Request] for all keys.
	Full bool
}

// statPadding is the size of the padding of a request for the full stat.
const statPadding = 4

func (m *StatRequest) decode(r *wire.Reader, o Options) {
	m.decodeHeader(r)
	if r.Len() > 0 {
		m.Full = true
		r.Skip(statPadding, "padding")
	}
	decodeEnd(r, o)
}

// append pads the request for the full stat with zeros.
//
//wire:fails never
func (m *StatRequest) append(w *wire.Writer) {
	m.appendHeader(w)
	if m.Full {
		w.Uint32(0)
	}
}

// A BasicStat is the short answer of a Minecraft server. Its numbers are decimal
// text, except hostPort, which is little-endian.
//
//wire:message type=TypeQuery end=decodeEnd
type BasicStat struct {
	ID         [4]byte `wire:"id"`             // of the request
	MOTD       string  `wire:"motd,text0"`     // with colour codes: a section sign, in Latin-1 or UTF-8, and a letter
	GameType   string  `wire:"gameType,text0"` // "SMP"
	Map        string  `wire:"map,text0"`      // name of the world
	NumPlayers int32   `wire:"numPlayers,int0"`
	MaxPlayers int32   `wire:"maxPlayers,int0"`
	HostPort   uint16  `wire:"hostPort,le"`
	HostIP     string  `wire:"hostIp,text0"` // as configured on the server
}

// Minecraft is a full stat of a Minecraft server, with typed fields. The fields up
// to HostIP are the keys of Info, in the order of the wire, with game_id after
// GameType. Some clients rely on this order.
type Minecraft struct {
	MOTD       string `key:"hostname"` // as in [BasicStat]
	GameType   string `key:"gametype"` // "SMP"
	Version    string `key:"version"`  // such as "1.20.4"
	Plugins    string `key:"plugins"`  // "server: name version; name version", or ""
	Map        string `key:"map"`
	NumPlayers int32  `key:"numplayers"`
	MaxPlayers int32  `key:"maxplayers"`
	HostPort   uint16 `key:"hostport"`
	HostIP     string `key:"hostip"`

	Players []string // names
}

// gameID is the value of the key game_id, which some clients require, and
// gameIDPlace its place in Info.
const (
	gameID      = "MINECRAFT"
	gameIDPlace = 2
)

// playerColumn is the first column of Players.
const playerColumn = "player_"

// Minecraft returns the typed form of the full stat of a Minecraft server. Missing
// keys and empty numbers give zero values. Unknown keys and columns are ignored. A
// value that is not a number is [lobbywire.ErrInvalid]; the Field of the error
// names the key.
func (m Response) Minecraft() (Minecraft, error) {
	var v Minecraft
	if err := m.readInfo(&v); err != nil {
		return Minecraft{}, err
	}
	v.Players = make([]string, len(m.Players.Rows))
	if column := m.Players.Column(playerColumn); column >= 0 {
		for i, row := range m.Players.Rows {
			v.Players[i] = row[column]
		}
	}
	return v, nil
}

// Response returns the full stat. It has no teams and ends after the players, as
// clients require.
func (v Minecraft) Response(id [4]byte) Response {
	m := Response{ID: id, Split: true, Sections: SectionInfo | SectionPlayers}
	m.Info = slices.Insert(infoOf(&v), gameIDPlace, KeyValue{minecraftGame, gameID})
	m.Players = Table{Columns: []string{playerColumn}, Rows: make([][]string, len(v.Players))}
	for i := range v.Players {
		m.Players.Rows[i] = v.Players[i : i+1 : i+1]
	}
	return m
}

// BasicStat returns the basic stat.
func (v Minecraft) BasicStat(id [4]byte) BasicStat {
	return BasicStat{
		ID: id, MOTD: v.MOTD, GameType: v.GameType, Map: v.Map,
		NumPlayers: v.NumPlayers, MaxPlayers: v.MaxPlayers, HostPort: v.HostPort, HostIP: v.HostIP,
	}
}

// isMinecraft reports whether a response in split form is a full stat of Minecraft.
func (m *Response) isMinecraft() bool { return m.Sections == SectionInfo|SectionPlayers }

// checkMinecraft refuses a full stat that clients of Minecraft misread: they read
// the keys of [Minecraft] by their places and the names of the players up to the
// end of the packet.
func (m *Response) checkMinecraft(w *wire.Writer) {
	for i, kv := range (Minecraft{}).Response(m.ID).Info {
		if i >= len(m.Info) || m.Info[i].Key != kv.Key {
			w.In("info", i)
			w.Refuse("key", "is not the key that Minecraft has at this place")
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
