package wzhttp

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/lobbywire/lobbywire/internal/wire"
	"github.com/lobbywire/lobbywire/internal/wire/wirejson"
)

// A Room describes a game, as reported by its host. Warzone 2100 calls a game
// that has not started a room.
//
//wire:object
type Room struct {
	Version    string    `wire:"v"`                    // of the game, such as "4.7.0"
	Netcode    Netcode   `wire:"netv,netcode"`         // clients with a different one cannot join
	Name       string    `wire:"name,max=MaxRoomName"` // at most MaxRoomName bytes
	Host       Player    `wire:"host"`                 // the player who hosts
	Map        Map       `wire:"map,map"`
	Mods       []Mod     `wire:"mods,max=MaxMods,omitzero"` // nil if there are none
	Players    Seats     `wire:"players"`                   // without closed seats and spectators
	Spectators Seats     `wire:"specs,lenient"`             // including a host who only watches
	Alliances  Alliances `wire:"ally,lenient"`
	Blind      Blind     `wire:"blind,omitzero"`
	Limits     Limits    `wire:"lim,lenient"`
	Private    bool      `wire:"private,omitzero"` // players need a password
}

// A Player is the player who hosts a game.
//
//wire:object
type Player struct {
	Name string `wire:"name,max=MaxPlayerName"` // at most MaxPlayerName bytes
	// Ed25519 key in base64, or ""; clients refuse a host with a different key
	PublicKey string                     `wire:"pk,should=publicKeyOrNone,plain"`
	Extra     map[string]json.RawMessage // unknown members
}

// equal reports whether all members are the same.
func (m Player) equal(n Player) bool {
	return m.Name == n.Name && m.PublicKey == n.PublicKey && equalMembers(m.Extra, n.Extra)
}

// A Mod is a modification of the game that the host uses.
//
//wire:object
type Mod struct {
	Name string `wire:"name"`
	// SHA-256 of its file in 64 lower-case digits, or ""
	Hash  string                     `wire:"hash,should=hashOrNone"`
	Extra map[string]json.RawMessage // unknown members
}

// equal reports whether all members are the same.
func (m Mod) equal(n Mod) bool {
	return m.Name == n.Name && m.Hash == n.Hash && equalMembers(m.Extra, n.Extra)
}

// Seats counts the seats for players or for spectators.
//
//wire:object
type Seats struct {
	Current uint32                     `wire:"cur,lenient"` // taken seats
	Max     uint32                     `wire:"max"`
	Extra   map[string]json.RawMessage // unknown members
}

// equal reports whether all members are the same.
func (m Seats) equal(n Seats) bool {
	return m.Current == n.Current && m.Max == n.Max && equalMembers(m.Extra, n.Extra)
}

// equalMembers reports whether two sets of unknown members are the same, byte by
// byte.
func equalMembers(a, b map[string]json.RawMessage) bool {
	return maps.EqualFunc(a, b, slices.Equal[json.RawMessage])
}

// A Map is the map of a game.
type Map struct {
	Name string
	Hash string // SHA-256 of its file in 64 lower-case digits; "" for a map that the game contains
}

// decodeMap reads an array of two texts.
func decodeMap(j *wirejson.Reader, o Options) (m Map) {
	decodePair(j, func(i int) {
		if i == 0 {
			m.Name = j.Text()
			return
		}
		m.Hash = j.Text()
		if o.Strict && !hashOrNone(m.Hash) {
			j.Fail(hashOrNoneFault)
		}
	})
	return m
}

// appendMap appends an array of two texts.
func appendMap(w *wire.Writer, _ string, m Map) {
	w.Text("[")
	wirejson.AppendText(w, "map[0]", m.Name)
	if !hashOrNone(m.Hash) {
		w.Fail(hashOrNoneFault, "map[1]")
	}
	w.Text(",")
	wirejson.AppendText(w, "map[1]", m.Hash)
	w.Text("]")
}

// A Netcode is the version of the protocol between host and players. Clients can
// join a game only if both numbers are the same as their own.
type Netcode struct {
	Major, Minor uint32
}

// Netcode47 returns the version of 4.7.0.
func Netcode47() Netcode { return Netcode{0x4000, 104} }

// decodeNetcode reads an array of two numbers.
func decodeNetcode(j *wirejson.Reader, o Options) Netcode {
	var pair [2]uint32
	decodePair(j, func(i int) { pair[i] = decodeUint32(j, o) })
	return Netcode{pair[0], pair[1]}
}

// decodePair reads an array. It calls read for each element, and fails unless there are
// two.
func decodePair(j *wirejson.Reader, read func(i int)) {
	a := j.Array()
	n := 0
	for ; a.Next(); n++ {
		if n < 2 {
			read(n)
		} else {
			j.Skip()
		}
	}
	if n != 2 {
		a.Fail(wire.Invalid("must have two elements"))
	}
}

// appendNetcode appends an array of two numbers.
func appendNetcode(w *wire.Writer, _ string, v Netcode) {
	w.Text("[")
	w.Int(int64(v.Major))
	w.Text(",")
	w.Int(int64(v.Minor))
	w.Text("]")
}
