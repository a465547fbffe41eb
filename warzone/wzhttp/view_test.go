package wzhttp_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/warzone/wzhttp"
)

func TestViewShowsAllOfARoom(t *testing.T) {
	g := game(func(g *wzhttp.Game) {
		g.Room.Mods = []wzhttp.Mod{{Name: "a"}, {Name: "b"}}
		g.Room.Limits, g.Room.Blind, g.Room.Private = wzhttp.LimitTanks, wzhttp.BlindGame, true
		g.Room.Spectators.Current = 1
		g.Extra = extra("tech", "3")
	})
	want := lobbywire.View{
		Name: "Anna's room", Game: "warzone2100", Map: "Sk-Rush", Version: "4.7.0",
		Players: new(1), Max: new(4), Password: new(true),
		Mods: []string{"a", "b"}, Spectators: new(1), MaxSpectators: new(2),
		Rules: []lobbywire.Rule{
			{Key: "hostName", Value: "Anna"}, {Key: "modList", Value: "a, b"}, {Key: "limits", Value: "tanks"},
			{Key: "spectators", Value: "1"}, {Key: "spectatorSlots", Value: "2"}, {Key: "blindMode", Value: "3"},
			{Key: "alliances", Value: "2"}, {Key: "tech", Value: "3"},
		},
	}
	if diff := cmp.Diff(want, g.View()); diff != "" {
		t.Errorf("game (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(want, wzhttp.Create{Room: g.Room, Extra: g.Extra}.View()); diff != "" {
		t.Errorf("request (-want +got):\n%s", diff)
	}
	bare := lobbywire.View{Game: "warzone2100", Players: new(0), Max: new(0), Password: new(false),
		Mods: []string{}}
	if diff := cmp.Diff(bare, wzhttp.Room{}.View()); diff != "" {
		t.Errorf("nothing (-want +got):\n%s", diff)
	}
}
