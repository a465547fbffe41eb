package wzhttpnet

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/warzone/internal/gamestest"
	"github.com/lobbywire/lobbywire/warzone/wzhttp"
)

// What SetView changes is named, and what a View does not have stays.
func TestSetViewNamesItsChanges(t *testing.T) {
	room := wzhttp.Room{
		Version: "4.7.1", Netcode: wzhttp.Netcode{Major: 1, Minor: 2}, Name: "Old", Host: wzhttp.Player{Name: "Anna",
			PublicKey: keyAnna}, Map: wzhttp.Map{Name: "Sk-Rush", Hash: strings.Repeat("0", 64)},
		Mods:       []wzhttp.Mod{{Name: "m", Hash: strings.Repeat("1", 64)}},
		Spectators: wzhttp.Seats{Current: 1, Max: 2}, Alliances: 2, Private: true,
	}
	for _, tt := range []struct {
		name    string
		view    lobbywire.View
		want    func(m *wzhttp.Room)
		changed []string
	}{
		{"all fields", lobbywire.View{Name: "Duel", Map: "Manhattan", Version: "4.8", Players: new(3), Max: new(4)},
			func(m *wzhttp.Room) {
				m.Name, m.Version, m.Map = "Duel", "4.8", wzhttp.Map{Name: "Manhattan"}
				m.Players, m.Private = wzhttp.Seats{Current: 3, Max: 4}, false
			}, nil},
		{"the same map, no version", lobbywire.View{Name: "Duel", Map: "Sk-Rush", Password: new(true)},
			func(m *wzhttp.Room) { m.Name, m.Version = "Duel", defaultVersion }, nil},
		{"mods and spectators", lobbywire.View{Mods: []string{"other", "m"}, Spectators: new(3)},
			func(m *wzhttp.Room) {
				m.Name, m.Version, m.Map, m.Players, m.Private = "", defaultVersion, wzhttp.Map{}, wzhttp.Seats{}, false
				m.Mods = []wzhttp.Mod{{Name: "other"}, room.Mods[0]}
				m.Spectators = wzhttp.Seats{Current: 3, Max: 3}
			}, nil},
		{"slots of spectators", lobbywire.View{MaxSpectators: new(8)},
			func(m *wzhttp.Room) {
				m.Name, m.Version, m.Map, m.Players, m.Private = "", defaultVersion, wzhttp.Map{}, wzhttp.Seats{}, false
				m.Spectators = wzhttp.Seats{Current: 1, Max: 8}
			}, nil},
		{"fewer slots than spectators", lobbywire.View{Spectators: new(3), MaxSpectators: new(2)},
			func(m *wzhttp.Room) {
				m.Name, m.Version, m.Map, m.Players, m.Private = "", defaultVersion, wzhttp.Map{}, wzhttp.Seats{}, false
				m.Spectators = wzhttp.Seats{Current: 3, Max: 3}
			}, nil},
		{"no mods, and more spectators than any lobby counts",
			lobbywire.View{Map: "Sk-Rush", Mods: []string{}, Spectators: new(1 << 20)},
			func(m *wzhttp.Room) {
				m.Name, m.Version, m.Players, m.Private = "", defaultVersion, wzhttp.Seats{}, false
				m.Mods, m.Spectators = nil, wzhttp.Seats{Current: 65535, Max: 65535}
			}, []string{"spectators"}},
		{"what does not fit",
			lobbywire.View{Name: "a\nb", Map: strings.Repeat("m", 65), Version: "\xff", Players: new(-1)},
			func(m *wzhttp.Room) {
				m.Name, m.Version, m.Map, m.Private = "a?b", "ÿ", wzhttp.Map{Name: strings.Repeat("m", 64)}, false
			}, []string{"players", "name", "map", "version"}},
	} {
		var h Host
		fatalIf(t, h.Set(room))
		changed := h.SetView(tt.view)
		want := room
		tt.want(&want)
		if got, _ := h.announcer.Current(); !slices.Equal(changed, tt.changed) || !cmp.Equal(got, want) {
			t.Errorf("%s: changed %q\n%s", tt.name, changed, cmp.Diff(want, got))
		}
	}
}

// A lobby lists a game as its View describes it.
func TestSetViewIsListed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := startLobby(t, &Lobby{NoVerify: true})
		h := &Host{Addr: "http://lobby.example/lobby", Dial: n.DialBoth}
		v := lobbywire.View{
			Name: strings.Repeat("é", 63), Game: "warzone2100", Map: strings.Repeat("m", maxMap),
			Version: strings.Repeat("v", maxVersion), Players: new(3), Max: new(4), Password: new(true),
			Mods: []string{"camBalance", "old"}, Spectators: new(2), MaxSpectators: new(5),
		}
		if changed := h.SetView(v); changed != nil {
			t.Errorf("changed %q", changed)
		}
		go h.Run(t.Context())
		defer h.Close()
		time.Sleep(3 * time.Second) // until the second check-in
		l, err := (&Client{Dial: n.DialFrom(gamestest.Player4)}).List(t.Context(), h.Addr)
		v.Rules = []lobbywire.Rule{
			{Key: "modList", Value: "camBalance, old"}, {Key: "spectators", Value: "2"}, {Key: "spectatorSlots", Value: "5"},
		}
		if diff := cmp.Diff([]lobbywire.View{v}, l.Views()); diff != "" || err != nil {
			t.Error(err, diff)
		}
	})
}
