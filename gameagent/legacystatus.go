package gameagent

import (
	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// LegacyStatusID is the QueryID that the engine gives a [LegacyStatus].
const LegacyStatusID = "333.1"

// A LegacyStatus answers the [LegacyRequest] for the status. It is pairs of keys
// and values, each part after a backslash, then the players, then the end:
//
//	\gamename\serioussamse\gamever\1.10\...\vipplayers\1
//	\player_0\Angelo\frags_0\14\ping_0\80...
//	\final\\queryid\333.1
//
// Nothing is escaped, so no value may hold a backslash. Text is in the code page
// of the server's host.
type LegacyStatus struct {
	GameName         string // key gamename: "serioussamse" or a mod's
	GameVersion      string // key gamever: of the engine, as "1.10"
	Location         string // set by the host; else "EU" or "Heartland"
	HostName         string // the session name
	HostPort         uint16 // of the game, not of queries
	MapName          string // as it is displayed
	GameType         string // as in Status
	ActiveMod        string // "" from the engine
	NumPlayers       int    // on the server now, from 0
	MaxPlayers       int    // it takes
	GameMode         string // "openplaying"
	Difficulty       string // "Normal"
	FriendlyFire     bool
	WeaponsStay      bool
	AmmoStays        bool // key ammosstay
	HealthArmorStays bool // key healthandarmorstays
	AllowHealth      bool
	AllowArmor       bool
	InfiniteAmmo     bool // key infinitearmor, which the engine fills from the rule about ammunition
	RespawnInPlace   bool
	Password         bool // false from the engine
	VIPPlayers       bool // true from the engine

	Players []Player // fewer than NumPlayers if there are gaps, as in Players
	Extra   []Pair   // what has no place above: unknown keys, second values, numbers that are none
	QueryID string   // [LegacyStatusID]; "" is none
}

// ParseLegacyStatus reads a [LegacyStatus] that came as one packet; see
// [LegacyAssembler]. Keys may come in any order and may be missing. So it reads
// the other three answers too.
func ParseLegacyStatus(b []byte) (LegacyStatus, error) {
	r := wire.NewReader(b)
	var m LegacyStatus
	m.decode(&r, false)
	if err := r.Err(proto); err != nil {
		return LegacyStatus{}, err
	}
	return m, nil
}

// ExplainLegacyStatus accounts for every byte of a [LegacyStatus].
func ExplainLegacyStatus(b []byte) lobbywire.Explanation {
	return wire.Explain(proto, "LegacyStatus", b, func(r *wire.Reader) { new(LegacyStatus).decode(r, false) })
}

func (m *LegacyStatus) decode(r *wire.Reader, part bool) (final bool) {
	a, fields := m.answer(), m.fields()
	final = a.decode(r, legacyStatusKeys[:], fields[:], part)
	m.Players, m.Extra, m.QueryID = a.players, a.extra, a.queryID
	return final
}

func (m *LegacyStatus) answer() legacyAnswer {
	return legacyAnswer{true, m.Players, m.Extra, m.QueryID}
}

// legacyStatusKeys are in the order in which the engine sends them.
var legacyStatusKeys = [...]key{
	{"gamename", "gameName"},
	{"gamever", "gameVersion"},
	{"location", "location"},
	{"hostname", "hostName"},
	{"hostport", "hostPort"},
	{"mapname", "mapName"},
	{"gametype", "gameType"},
	{"activemod", "activeMod"},
	{"numplayers", "numPlayers"},
	{"maxplayers", "maxPlayers"},
	{"gamemode", "gameMode"},
	{"difficulty", "difficulty"},
	{"friendlyfire", "friendlyFire"},
	{"weaponsstay", "weaponsStay"},
	{"ammosstay", "ammoStays"},
	{"healthandarmorstays", "healthArmorStays"},
	{"allowhealth", "allowHealth"},
	{"allowarmor", "allowArmor"},
	{"infinitearmor", "infiniteAmmo"},
	{"respawninplace", "respawnInPlace"},
	{"password", "password"},
	{"vipplayers", "vipPlayers"},
}

// fields are in the order of legacyStatusKeys.
func (m *LegacyStatus) fields() [22]any {
	return [...]any{
		&m.GameName, &m.GameVersion, &m.Location, &m.HostName, &m.HostPort,
		&m.MapName, &m.GameType, &m.ActiveMod, &m.NumPlayers, &m.MaxPlayers,
		&m.GameMode, &m.Difficulty, &m.FriendlyFire, &m.WeaponsStay, &m.AmmoStays,
		&m.HealthArmorStays, &m.AllowHealth, &m.AllowArmor, &m.InfiniteAmmo, &m.RespawnInPlace,
		&m.Password, &m.VIPPlayers,
	}
}

// AppendBinary appends the wire form to b, one packet: the keys in the engine's
// order, Extra, players, the end. It refuses backslashes, zero bytes, control
// characters in what is told of players, two players with one index, and more
// than [MaxPacket] bytes: see [LegacyStatus.Packets].
func (m LegacyStatus) AppendBinary(b []byte) ([]byte, error) {
	a, fields := m.answer(), m.fields()
	return a.appendBinary(b, legacyStatusKeys[:], fields[:])
}

// Packets returns the datagrams of the answer, each of [MaxPacket] bytes at
// most: players that do not fit one packet are sent in the next. It refuses what
// AppendBinary refuses but for the length of the whole.
func (m LegacyStatus) Packets() ([][]byte, error) {
	a, fields := m.answer(), m.fields()
	return a.packets(legacyStatusKeys[:], fields[:])
}

// MarshalBinary returns the wire form.
func (m LegacyStatus) MarshalBinary() ([]byte, error) { return m.AppendBinary(nil) }

// UnmarshalBinary reads b as [ParseLegacyStatus] does.
func (m *LegacyStatus) UnmarshalBinary(b []byte) (err error) {
	*m, err = ParseLegacyStatus(b)
	return err
}
