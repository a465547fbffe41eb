package wzhttp_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/test/codectest"
	"github.com/lobbywire/lobbywire/warzone/wzhttp"
)

func TestPatchAcceptsItsFormsOnly(t *testing.T) {
	patchCodec.Table(t, []codectest.Case[wzhttp.Patch]{
		{Name: "nothing", In: `{}`, Want: wzhttp.Patch{}},
		{Name: "zeros", In: `{"name":"","ally":0,"private":false}`,
			Want: wzhttp.Patch{Name: new(""), Alliances: new(wzhttp.AlliancesNone), Private: new(false)}},
		{Name: "no mods", In: `{"mods":[]}`, Want: wzhttp.Patch{Mods: []wzhttp.Mod{}}},
		{Name: "an unknown member", In: `{"tech":3}`, Want: wzhttp.Patch{Extra: extra("tech", "3")}},
		{Name: "null", In: `{"name":null}`, Err: lobbywire.ErrInvalid, Field: "name", Offset: 8},
		{Name: "half a pair", In: `{"players":{"cur":1}}`, Err: lobbywire.ErrInvalid, Field: "players.max", Offset: 19},
		{Name: "a mod", In: `{"mods":[{"name":"a","hash":""},{}]}`,
			Err: lobbywire.ErrInvalid, Field: "mods[1].name", Offset: 33},
	})
	codectest.Refusals(t, []codectest.Refusal{
		{Name: "a key", Value: wzhttp.Patch{Host: &wzhttp.Player{PublicKey: "x"}},
			Err: lobbywire.ErrInvalid, Field: "host.pk"},
	})
	for _, tt := range []struct {
		m    wzhttp.Patch
		want bool
	}{
		{wzhttp.Patch{}, true},
		{wzhttp.Patch{Mods: []wzhttp.Mod{}}, false},
		{wzhttp.Patch{JoinOptions: &wzhttp.JoinOptions{}}, false},
		{wzhttp.Patch{Attestation: &wzhttp.Attestation{}}, false},
		{wzhttp.Patch{Extra: extra("x", "1")}, false},
	} {
		if got := tt.m.IsEmpty(); got != tt.want {
			t.Errorf("%+v: empty %v", tt.m, got)
		}
	}
}

// changes are changes of a room, and whether the Patch of the game can contain them.
var changes = []struct {
	name     string
	change   func(*wzhttp.Room)
	wire     string
	isHidden bool
}{
	{"nothing", func(*wzhttp.Room) {}, `{}`, false},
	{"version", func(r *wzhttp.Room) { r.Version = "4.7.1" }, `{"v":"4.7.1"}`, false},
	{"netcode", func(r *wzhttp.Room) { r.Netcode.Minor++ }, `{"netv":[16384,105]}`, false},
	{"name", func(r *wzhttp.Room) { r.Name = "" }, `{"name":""}`, false},
	{"host", func(r *wzhttp.Room) { r.Host.Name = "Berta" }, `{"host":{"name":"Berta","pk":"` + key + `"}}`, false},
	{"unknown member of the host", func(r *wzhttp.Room) { r.Host.Extra = extra("rank", "2") },
		`{"host":{"name":"Anna","pk":"` + key + `","rank":2}}`, false},
	{"map", func(r *wzhttp.Room) { r.Map.Name = "Rush" }, `{"map":["Rush",""]}`, false},
	{"mods", func(r *wzhttp.Room) { r.Mods = []wzhttp.Mod{{Name: "b"}} }, `{"mods":[{"name":"b","hash":""}]}`, false},
	{"players", func(r *wzhttp.Room) { r.Players.Current = 0 }, `{"players":{"cur":0,"max":4}}`, false},
	{"spectators", func(r *wzhttp.Room) { r.Spectators = wzhttp.Seats{} }, `{"specs":{"cur":0,"max":0}}`, false},
	{"alliances", func(r *wzhttp.Room) { r.Alliances = 0 }, `{"ally":0}`, false},
	{"limits", func(r *wzhttp.Room) { r.Limits = 0 }, `{"lim":0}`, false},
	{"blind", func(r *wzhttp.Room) { r.Blind = wzhttp.BlindGame }, `{"blind":3}`, false},
	{"no longer blind", func(r *wzhttp.Room) { r.Blind = wzhttp.BlindNone }, `{}`, true},
	{"no mods", func(r *wzhttp.Room) { r.Mods = nil }, `{}`, true},
	{"no password", func(r *wzhttp.Room) { r.Private = false }, `{}`, true},
	{"all", func(r *wzhttp.Room) { *r = game().Room; r.Blind = wzhttp.BlindGame },
		`{"name":"Anna's room","specs":{"cur":0,"max":2},"ally":2,"blind":3,"lim":0}`, true},
}

func TestApplyUndoesDiff(t *testing.T) {
	old := game().Room
	old.Name, old.Mods, old.Alliances = "x", []wzhttp.Mod{{Name: "a"}}, 1
	old.Blind, old.Limits, old.Private = wzhttp.BlindLobby, 7, true
	old.Spectators.Current = 1
	for _, tt := range changes {
		room := old
		tt.change(&room)
		patch := wzhttp.Diff(old, room)
		text, err := patch.AppendBinary(nil)
		if err != nil || string(text) != tt.wire {
			t.Errorf("%s: %s, %v; want %s", tt.name, text, err, tt.wire)
		}
		if patch.IsEmpty() != (tt.wire == `{}`) {
			t.Errorf("%s: empty is %v", tt.name, patch.IsEmpty())
		}
		diff := cmp.Diff(room, patch.Apply(old))
		if (diff == "") == tt.isHidden {
			t.Errorf("%s: applied (-want +got):\n%s", tt.name, diff)
		}
	}
	// What Diff leaves out can be sent all the same.
	got := wzhttp.Patch{Mods: []wzhttp.Mod{}, Blind: new(wzhttp.BlindNone), Private: new(false)}.Apply(old)
	if len(got.Mods) > 0 || got.Blind != wzhttp.BlindNone || got.Private {
		t.Errorf("applied: %+v", got)
	}
	open := old
	open.Private = false
	if p := wzhttp.Diff(open, old); p.Private == nil || !*p.Private {
		t.Errorf("a new password is left out: %+v", p)
	}
}
