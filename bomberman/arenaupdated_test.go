package bomberman_test

import (
	"encoding/json"
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/bomberman"
	"github.com/lobbywire/lobbywire/internal/test/codectest"
)

func update(players []bomberman.ArenaPlayer, fields ...bomberman.Field) bomberman.ArenaUpdated {
	return bomberman.ArenaUpdated{Players: append([]bomberman.ArenaPlayer{}, players...),
		UpdatedFields: append([]bomberman.Field{}, fields...)}
}

func TestArenaUpdatedAcceptsItsFormsOnly(t *testing.T) {
	const head = `{"command":"cArenaUpdated","content":{`
	ariana := bomberman.ArenaPlayer{Number: 1, Name: "Ariana", X: 7, Y: 5, IsArmored: true}
	players := []bomberman.ArenaPlayer{ariana}
	odd := bomberman.ArenaPlayer{Number: 9, X: -1, Y: 99}
	arenaUpdatedCodec.Table(t, []codectest.Case[bomberman.ArenaUpdated]{
		{Name: "nothing changed", In: head + `"players":[],"updatedFields":[]}}`, Want: update(nil)},
		{Name: "players and fields", In: head +
			`"players":[{"number":1,"name":"Ariana","x":7,"y":5,"isArmored":true}],"updatedFields":[{"x":0,"y":22,` +
			`"id":72},{"x":1,"y":1,"id":0}]}}`,
			Want: update(players, bomberman.Field{Y: 22, ID: 72}, bomberman.Field{X: 1, Y: 1})},
		{Name: "members that are not known",
			In: head + `"players":[],"updatedFields":[{"x":0,"y":0,"id":1,"z":1}],"tick":7}}`,
			Want: bomberman.ArenaUpdated{Players: []bomberman.ArenaPlayer{},
				UpdatedFields: []bomberman.Field{{ID: 1, Extra: map[string]json.RawMessage{"z": []byte("1")}}},
				Envelope:      bomberman.Envelope{Extra: map[string]json.RawMessage{"tick": []byte("7")}}}},
		{Name: "odd player",
			In:   head + `"players":[{"number":9,"name":"","x":-1,"y":99,"isArmored":false}],"updatedFields":[]}}`,
			Want: update([]bomberman.ArenaPlayer{odd}), Strict: lobbywire.ErrInvalid, Refused: true},
		{Name: "odd field", In: head + `"players":[],"updatedFields":[{"x":0,"y":0,"id":64}]}}`,
			Want: update(nil, bomberman.Field{ID: 64}), Strict: lobbywire.ErrInvalid, Refused: true},
		{Name: "comma at the end", In: head + `"players":[],"updatedFields":[{"x":0,"y":0,"id":1},]}}`,
			Err: lobbywire.ErrInvalid, Field: "content.updatedFields[1]", Offset: 89},
		{Name: "fields missing", In: head + `"players":[]}}`,
			Err: lobbywire.ErrInvalid, Field: "content.updatedFields", Offset: 50},
	})
	invalid := lobbywire.ErrInvalid
	codectest.Refusals(t, []codectest.Refusal{
		{Name: "five players", Value: update([]bomberman.ArenaPlayer{ariana, ariana, ariana, ariana, ariana}),
			Err: lobbywire.ErrTooLarge, Field: "content.players"},
		{Name: "number", Value: update([]bomberman.ArenaPlayer{ariana, odd}),
			Err: invalid, Field: "content.players[1].number"},
		{Name: "name", Value: update([]bomberman.ArenaPlayer{{Number: 1}}),
			Err: invalid, Field: "content.players[0].name"},
		{Name: "x", Value: update([]bomberman.ArenaPlayer{{Number: 1, Name: "a", X: 23}}),
			Err: invalid, Field: "content.players[0].x"},
		{Name: "y", Value: update(nil, bomberman.Field{}, bomberman.Field{Y: -1}),
			Err: invalid, Field: "content.updatedFields[1].y"},
		{Name: "id", Value: update(nil, bomberman.Field{ID: 4}), Err: invalid, Field: "content.updatedFields[0].id"},
	})
}

func TestFieldIDIsOneKindOfField(t *testing.T) {
	legal := 0
	for id := bomberman.FieldID(-200); id < 400; id++ {
		if !id.Valid() {
			continue
		}
		legal++
		kinds := 0
		if player, state, ok := id.Bomb(); ok {
			kinds++
			if bomberman.BombField(player, state) != id {
				t.Errorf("%v is of player %d, state %d", id, player, state)
			}
		}
		if player, armored, ok := id.Player(); ok {
			kinds++
			if bomberman.PlayerField(player, armored) != id {
				t.Errorf("%v is player %d, armored %v", id, player, armored)
			}
		}
		if id.Powerup() {
			kinds++
		}
		if id <= bomberman.FieldExplosion {
			kinds++
		}
		if kinds != 1 {
			t.Errorf("%v is of %d kinds", id, kinds)
		}
	}
	if legal != 32 {
		t.Errorf("%d ids are legal, want 32", legal)
	}
	for _, id := range []bomberman.FieldID{
		bomberman.BombField(0, 1), bomberman.BombField(5, 1), bomberman.BombField(1, 0), bomberman.BombField(1, 4),
		bomberman.PlayerField(0, false), bomberman.PlayerField(5, true),
	} {
		if id != -1 || id.Valid() {
			t.Errorf("%v is made of what is not valid", id)
		}
	}
	for id, want := range map[bomberman.FieldID]string{
		0: "free", 3: "explosion", 21: "power-up radius", 28: "power-up bomb walker",
		52: "player 2", 58: "armored player 4", 93: "bomb of player 4, state 3", 64: "field(64)", -49: "field(-49)",
	} {
		if got := id.String(); got != want {
			t.Errorf("%d: %q, want %q", int(id), got, want)
		}
	}
}
