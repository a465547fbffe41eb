// Package gamestest provides games for the tests of lobbies, and nodes that share them.
package gamestest

import (
	"fmt"
	"net/netip"
	"slices"
	"testing"

	"github.com/lobbywire/lobbywire/warzone"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
)

// Named returns a game of a 4.x host.
func Named(name string) warzone.Game {
	return warzone.Game{
		Version:        warzone.Version4,
		Name:           name,
		Size:           warzone.SizeOfGame,
		MaxPlayers:     4,
		CurrentPlayers: 1,
		MapName:        "Sk-Rush",
		HostName:       "Zoë",
		VersionString:  "4.3.3",
		NetcodeMajor:   0x4000,
		NetcodeMinor:   79,
	}
}

// OfVersion returns a game as a client sends it.
func OfVersion(version uint32, name string) warzone.Game {
	g := warzone.Game{
		Version:        version,
		Name:           name,
		Size:           warzone.SizeOfGame,
		MaxPlayers:     4,
		CurrentPlayers: 1,
		UserFlags:      [4]uint32{uint32(warzone.GameTypeSkirmish)},
		Extra:          "Extra",
		VersionString:  "4.3.3",
	}
	switch version {
	case warzone.Version4:
		g.HostPort = 2101
		g.MapName = "Sk-Rush"
	case warzone.Version3:
		g.MapName = "Sk-Rush"
	case warzone.Version2:
		g.GameID = warzone.Filler + 1
	}
	return g
}

// Record returns a game as clients 2.0 and 2.1 send it.
func Record(l warzone.Layout, name string) warzone.Game {
	return warzone.Game{Layout: l, Name: name, Size: warzone.SizeOfRecord, MaxPlayers: 4, CurrentPlayers: 1}
}

// At returns a game with a different address for each i.
func At(i int) warzonegames.Entry {
	return warzonegames.Entry{
		Key:  Key(i),
		Game: OfVersion(warzone.Version4, fmt.Sprintf("Game %d", i)),
	}
}

// Key returns an address with port 2100, a different one for each i.
func Key(i int) netip.AddrPort {
	return netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, byte(i >> 16), byte(i >> 8), byte(i)}), 2100)
}

// Add adds a game.
func Add(t testing.TB, g *warzonegames.Games, e warzonegames.Entry) warzonegames.Entry {
	t.Helper()
	e, err := g.Add(e)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// Names returns the names of all games, sorted.
func Names(g *warzonegames.Games) []string {
	var names []string
	for e := range g.All() {
		names = append(names, e.Game.Name)
	}
	slices.Sort(names)
	return names
}
