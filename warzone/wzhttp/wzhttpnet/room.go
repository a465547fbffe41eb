package wzhttpnet

import (
	"math"
	"strings"

	"github.com/lobbywire/lobbywire/warzone"
	"github.com/lobbywire/lobbywire/warzone/internal/refusal"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
	"github.com/lobbywire/lobbywire/warzone/wzhttp"
)

// The longest texts of a game in a Lobby, in bytes, in addition to the limits of package
// wzhttp.
const (
	maxVersion = 63 // as in the binary protocol
	maxMap     = 64 // twice that of existing maps
	maxMod     = 127
	maxKey     = 44 // base64 of 32 bytes
	maxHash    = 64 // hexadecimal SHA-256
	maxModName = 128
	maxMods    = 8 << 10 // of all mods of a game together
)

// roomOfGame converts a game of the binary protocol to a room of the HTTP lobby. The
// result has no PublicKey and no hashes.
func roomOfGame(g warzone.Game) wzhttp.Room {
	cur, slots := g.Spectators()
	r := wzhttp.Room{
		Version:    refusal.Shown(g.VersionString, maxVersion),
		Netcode:    wzhttp.Netcode{Major: g.NetcodeMajor, Minor: g.NetcodeMinor},
		Name:       refusal.Shown(g.Name, wzhttp.MaxRoomName),
		Host:       wzhttp.Player{Name: refusal.Shown(g.HostName, wzhttp.MaxPlayerName)},
		Map:        wzhttp.Map{Name: refusal.Shown(g.MapName, maxMap)},
		Players:    wzhttp.Seats{Current: g.CurrentPlayers, Max: g.MaxPlayers},
		Spectators: wzhttp.Seats{Current: uint32(cur), Max: uint32(slots)},
		Alliances:  wzhttp.Alliances(g.Settings().Alliances),
		Blind:      wzhttp.Blind(g.BlindMode()),
		Private:    g.Private != 0,
	}
	for _, p := range limitPairs {
		if g.Limits.Has(p.game) {
			r.Limits |= p.http
		}
	}
	for name := range strings.SplitSeq(g.ModList, ", ") {
		if name != "" {
			r.Mods = append(r.Mods, wzhttp.Mod{Name: refusal.Shown(name, maxModName)})
		}
	}
	return r
}

// GameOf converts a room of the HTTP lobby to a game of the binary protocol. Texts may
// be longer than that protocol allows; see [warzone.Game.Fit].
func GameOf(r wzhttp.Room) warzone.Game {
	g := warzone.Game{
		Version:        warzone.Version4,
		Size:           warzone.SizeOfGame,
		Name:           r.Name,
		Flags:          warzone.Settings{Alliances: uint8(r.Alliances)}.Flags(),
		MaxPlayers:     r.Players.Max,
		CurrentPlayers: r.Players.Current,
		MapName:        r.Map.Name,
		HostName:       r.Host.Name,
		VersionString:  r.Version,
		NetcodeMajor:   r.Netcode.Major,
		NetcodeMinor:   r.Netcode.Minor,
	}
	g.UserFlags[0] = uint32(warzone.GameTypeSkirmish)
	g.UserFlags[1] = min(r.Spectators.Current, math.MaxUint16)<<16 | min(r.Spectators.Max, math.MaxUint16)
	g.UserFlags[2] = uint32(r.Blind)
	if max(g.NetcodeMajor, g.NetcodeMinor) <= math.MaxUint16 {
		g.NetcodeWord = g.NetcodeMajor<<16 | g.NetcodeMinor
	}
	if r.Private {
		g.Private = 1
	}
	for _, p := range limitPairs {
		if r.Limits.Has(p.http) {
			g.Limits |= p.game
		}
	}
	var names []string
	for _, m := range r.Mods {
		names = append(names, m.Name)
	}
	g.ModList = strings.Join(names, ", ")
	return g
}

// limitPairs pairs the limits of the binary protocol and of the HTTP lobby.
var limitPairs = [...]struct {
	game warzone.Limits
	http wzhttp.Limits
}{
	{warzone.LimitTanks, wzhttp.LimitTanks},
	{warzone.LimitCyborgs, wzhttp.LimitCyborgs},
	{warzone.LimitVTOLs, wzhttp.LimitVTOLs},
}

// roomOf returns a game in the form of the HTTP lobby.
func roomOf(e *warzonegames.Entry) wzhttp.Room {
	r := roomOfGame(e.Game)
	if e.Source != warzonegames.SourceHTTP {
		return r
	}
	r.Host.PublicKey = e.PublicKey
	r.Map.Hash = e.MapHash
	r.Mods = e.Mods
	return r
}

// sizeOf returns the memory of mods, in bytes.
func sizeOf(mods []wzhttp.Mod) (size int) {
	const fixed = 40 // without the texts
	for _, m := range mods {
		size += fixed + len(m.Name) + len(m.Hash)
	}
	return size
}

// setRoom sets the fields of an entry from a room. It cuts texts that are too long. On
// error, the entry is unchanged.
func setRoom(e *warzonegames.Entry, r wzhttp.Room) error {
	if strings.TrimSpace(r.Name) == "" {
		return badRequest(refusal.Text(refusal.ErrNoName))
	}
	r.Name, r.Version = refusal.Shown(r.Name, wzhttp.MaxRoomName), refusal.Shown(r.Version, maxVersion)
	r.Host.Name, r.Map.Name = refusal.Shown(r.Host.Name, wzhttp.MaxPlayerName), refusal.Shown(r.Map.Name, maxMap)
	// The texts are parts of a request, which may be much longer.
	shown := func(text string, limit int) string { return strings.Clone(refusal.Shown(text, limit)) }
	var mods []wzhttp.Mod
	for _, m := range r.Mods {
		mods = append(mods, wzhttp.Mod{Name: shown(m.Name, maxModName), Hash: shown(m.Hash, maxHash)})
	}
	if sizeOf(mods) > maxMods {
		return errLongMods
	}
	r.Mods = mods
	changed := warzonegames.Entry{
		Source: warzonegames.SourceHTTP, Game: GameOf(r).Clone(),
		PublicKey: shown(r.Host.PublicKey, maxKey), MapHash: shown(r.Map.Hash, maxHash), Mods: mods,
	}
	if _, err := (wzhttp.Create{Room: roomOf(&changed)}).AppendBinary(nil); err != nil {
		return err
	}
	e.Source, e.Game = changed.Source, changed.Game
	e.PublicKey, e.MapHash, e.Mods = changed.PublicKey, changed.MapHash, changed.Mods
	return nil
}
