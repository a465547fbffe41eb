package gameagent

import (
	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// A LegacyStatus answers a [LegacyRequest] for the status. It consists of pairs,
// the players and an end mark. A backslash precedes each key and each value:
//
//	\gamename\serioussamse\gamever\1.10\...\vipplayers\1
//	\player_0\Angelo\frags_0\14\ping_0\80...
//	\final\\queryid\333.1
//
// Nothing is escaped, so values cannot contain backslashes. Text is in the code
// page of the host.
//
//wire:message FromServer key=slash
type LegacyStatus struct {
	GameName         string `wire:"gameName,key=gamename"`         // "serioussamse" or the name of a mod
	GameVersion      string `wire:"gameVersion,key=gamever"`       // version of the engine, such as "1.10"
	Location         string `wire:"location,key"`                  // set by the host; by default "EU" or "Heartland"
	HostName         string `wire:"hostName,key=hostname"`         // the session name
	HostPort         uint16 `wire:"hostPort,key=hostport"`         // port of the game, not of queries
	MapName          string `wire:"mapName,key=mapname"`           // display name of the level
	GameType         string `wire:"gameType,key=gametype"`         // as in Status
	ActiveMod        string `wire:"activeMod,key=activemod"`       // "" from the engine
	NumPlayers       int    `wire:"numPlayers,key=numplayers"`     // players on the server now, from 0
	MaxPlayers       int    `wire:"maxPlayers,key=maxplayers"`     // capacity
	GameMode         string `wire:"gameMode,key=gamemode"`         // "openplaying"
	Difficulty       string `wire:"difficulty,key"`                // "Normal"
	FriendlyFire     bool   `wire:"friendlyFire,key=friendlyfire"` // this and the other flags are 1 or 0
	WeaponsStay      bool   `wire:"weaponsStay,key=weaponsstay"`
	AmmoStays        bool   `wire:"ammoStays,key=ammosstay"`
	HealthArmorStays bool   `wire:"healthArmorStays,key=healthandarmorstays"`
	AllowHealth      bool   `wire:"allowHealth,key=allowhealth"`
	AllowArmor       bool   `wire:"allowArmor,key=allowarmor"`
	InfiniteAmmo     bool   `wire:"infiniteAmmo,key=infinitearmor"` // the engine sends its rule for ammunition under this key
	RespawnInPlace   bool   `wire:"respawnInPlace,key=respawninplace"`
	Password         bool   `wire:"password,key"`              // false from the engine
	VIPPlayers       bool   `wire:"vipPlayers,key=vipplayers"` // true from the engine

	Players []Player // can be fewer than NumPlayers, as in Players
	Extra   []Pair   // pairs without a field: unknown keys, repeated keys, malformed numbers
	QueryID string   // from the engine that of [LegacyQuery.ID]; "" if there is none
}

func (m *LegacyStatus) answer() legacyAnswer {
	return legacyAnswer{legacyStatusKeys[:], &m.Players, &m.Extra, &m.QueryID}
}

// decode needs the whole answer in one packet; [LegacyAssembler] joins the
// packets of a longer answer. Keys may be in any order and may be missing, so it
// also accepts the other three answers.
func (m *LegacyStatus) decode(r *wire.Reader, o Options) {
	if !m.decodePart(r) && !o.Partial {
		r.Fail(lobbywire.ErrTruncated, finalKey, r.Offset())
	}
}

// decodePart reads a packet of a longer answer. It reports whether the packet
// contains the end.
func (m *LegacyStatus) decodePart(r *wire.Reader) (final bool) {
	fields := m.fields()
	a := m.answer()
	return a.decodePart(r, fields[:])
}

// append writes a single packet: the keys in the engine's order, Extra, the
// players and the end. It fails if a number is below 0 or above 2147483647, if a
// text contains a backslash or a zero byte, if a text of a player contains a
// control character, if two players have the same index, if there are more than
// [MaxPlayers] players, or if the message is longer than [MaxPacket] bytes. Use
// [LegacyStatus.Packets] for long answers.
func (m *LegacyStatus) append(w *wire.Writer) {
	fields := m.fields()
	a := m.answer()
	a.append(w, fields[:])
}

// Packets returns the answer as datagrams of up to [MaxPacket] bytes. It cuts the
// answer between players. It fails if a player does not fit in a datagram, and
// otherwise as AppendBinary does, except that it accepts long answers.
func (m LegacyStatus) Packets() ([][]byte, error) {
	fields := m.fields()
	a := m.answer()
	return a.packets(fields[:])
}
