package wzjson_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire/warzone/wzjson"
)

func TestApplyChangesNamedFieldsOnly(t *testing.T) {
	add := wzjson.Add{Name: "a", Map: "b", Tech: "T1", MaxPlayers: 4,
		Extra: map[string]json.RawMessage{"x": []byte("1"), "host": []byte(`"evil"`)}}
	game := add.Game()
	want := wzjson.Game{Name: "a", Map: "b", Tech: "T1", MaxPlayers: 4,
		Extra: map[string]json.RawMessage{"x": []byte("1")}}
	if diff := cmp.Diff(want, game, compare); diff != "" {
		t.Errorf("Game (-want +got):\n%s", diff)
	}
	change := wzjson.Fields{Map: new("c"), MaxPlayers: new(8),
		Extra: map[string]json.RawMessage{"y": []byte("2"), "port": []byte("1")}}
	got := change.Apply(game)
	if diff := cmp.Diff(want, game, compare); diff != "" {
		t.Errorf("Apply changed what it was given:\n%s", diff)
	}
	want = wzjson.Game{Name: "a", Map: "c", Tech: "T1", MaxPlayers: 8,
		Extra: map[string]json.RawMessage{"x": []byte("1"), "y": []byte("2")}}
	if diff := cmp.Diff(want, got, compare); diff != "" {
		t.Errorf("Apply (-want +got):\n%s", diff)
	}
	want = wzjson.Game{Name: "n", Map: "c", Tech: "T3", MaxPlayers: 8}
	got = wzjson.Fields{Name: new("n"), Tech: new(wzjson.TechT3),
		Extra: map[string]json.RawMessage{"host": nil}}.Apply(wzjson.Game{Map: "c", MaxPlayers: 8})
	if diff := cmp.Diff(want, got, compare); diff != "" {
		t.Errorf("Apply (-want +got):\n%s", diff)
	}
	if _, err := (wzjson.ListAck{Games: []wzjson.Game{got, game}}).AppendBinary(nil); err != nil {
		t.Error(err)
	}
}

func TestMatchComparesEachField(t *testing.T) {
	game := wzjson.Game{Name: "a", Map: "b", Tech: "T1", MaxPlayers: 4,
		Extra: map[string]json.RawMessage{"x": []byte("1")}}
	x := func(v string) map[string]json.RawMessage { return map[string]json.RawMessage{"x": []byte(v)} }
	for _, tt := range []struct {
		name   string
		filter []wzjson.Fields
		want   bool
	}{
		{"no filter", nil, true},
		{"empty filter", []wzjson.Fields{}, true},
		{"empty object", []wzjson.Fields{{}}, true},
		{"all fields", []wzjson.Fields{{Name: new("a"), Map: new("b"), Tech: new(wzjson.TechT1), MaxPlayers: new(4),
			Extra: x("1")}}, true},
		{"one or the other", []wzjson.Fields{{Name: new("z")}, {Map: new("b")}}, true},
		{"one and the other", []wzjson.Fields{{Name: new("z"), Map: new("b")}}, false},
		{"case of letters", []wzjson.Fields{{Name: new("A")}}, false},
		{"map", []wzjson.Fields{{Map: new("")}}, false},
		{"tech", []wzjson.Fields{{Tech: new(wzjson.TechT2)}}, false},
		{"players", []wzjson.Fields{{MaxPlayers: new(5)}}, false},
		{"another value", []wzjson.Fields{{Extra: x("2")}}, false},
		{"not there", []wzjson.Fields{{Extra: map[string]json.RawMessage{"y": []byte("1")}}}, false},
	} {
		if got := (wzjson.List{Filter: tt.filter}).Match(game); got != tt.want {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
}
