package bomberman_test

import (
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/bomberman"
)

// arena returns the example of the specification.
func arena() bomberman.ConfigureArena {
	return bomberman.ConfigureArena{
		ArenaWidth: 13, ArenaHeight: 11, PlayTimeMinutes: 6, ArmorEffectSeconds: 7,
		BombExplosionSeconds: 3, MaxPlayers: 4, GameplayMode: bomberman.GameplayModeStandardAB,
	}
}

func TestConfigureArena(t *testing.T) {
	const head = `{"command":"gsConfigureArena","content":{`
	testParse(t, bomberman.Options.ParseConfigureArena, []parseCase[bomberman.ConfigureArena]{
		{name: "all fields", in: head + `"arenaWidth":13,"arenaHeight":11,"playTimeMinutes":6,"armorEffectSeconds":7,"bombExplosionSeconds":3,"maxPlayers":4,"gameplayMode":2}}`, want: arena()},
		{name: "width 5", in: head + `"arenaWidth":5,`, kind: lobbywire.ErrInvalid, field: "content.arenaWidth", offset: 54},
		{name: "width 23", in: head + `"arenaWidth":23,`, kind: lobbywire.ErrInvalid, field: "content.arenaWidth", offset: 54},
		{name: "width even", in: head + `"arenaWidth":8,`, kind: lobbywire.ErrInvalid, field: "content.arenaWidth", offset: 54},
		{name: "height even", in: head + `"arenaHeight":20,`, kind: lobbywire.ErrInvalid, field: "content.arenaHeight", offset: 55},
		{name: "time 1", in: head + `"playTimeMinutes":1,`, kind: lobbywire.ErrInvalid, field: "content.playTimeMinutes", offset: 59},
		{name: "time 11", in: head + `"playTimeMinutes":11,`, kind: lobbywire.ErrInvalid, field: "content.playTimeMinutes", offset: 59},
		{name: "armor 4", in: head + `"armorEffectSeconds":4,`, kind: lobbywire.ErrInvalid, field: "content.armorEffectSeconds", offset: 62},
		{name: "bomb 6", in: head + `"bombExplosionSeconds":6,`, kind: lobbywire.ErrInvalid, field: "content.bombExplosionSeconds", offset: 64},
		{name: "players 1", in: head + `"maxPlayers":1,`, kind: lobbywire.ErrInvalid, field: "content.maxPlayers", offset: 54},
		{name: "mode 3", in: head + `"gameplayMode":3,`, kind: lobbywire.ErrInvalid, field: "content.gameplayMode", offset: 56},
		{name: "width missing", in: head + `"arenaHeight":11}`, kind: lobbywire.ErrInvalid, field: "content.arenaWidth", offset: 57},
	})
	change := func(change func(m *bomberman.ConfigureArena)) bomberman.ConfigureArena {
		m := arena()
		change(&m)
		return m
	}
	invalid := lobbywire.ErrInvalid
	testRefusals(t, []refusal{
		{"width even", change(func(m *bomberman.ConfigureArena) { m.ArenaWidth = 8 }), invalid, "content.arenaWidth"},
		{"width 23", change(func(m *bomberman.ConfigureArena) { m.ArenaWidth = 23 }), invalid, "content.arenaWidth"},
		{"height even", change(func(m *bomberman.ConfigureArena) { m.ArenaHeight = 8 }), invalid, "content.arenaHeight"},
		{"height 5", change(func(m *bomberman.ConfigureArena) { m.ArenaHeight = 5 }), invalid, "content.arenaHeight"},
		{"time", change(func(m *bomberman.ConfigureArena) { m.PlayTimeMinutes = 11 }), invalid, "content.playTimeMinutes"},
		{"armor", change(func(m *bomberman.ConfigureArena) { m.ArmorEffectSeconds = 4 }), invalid, "content.armorEffectSeconds"},
		{"bomb", change(func(m *bomberman.ConfigureArena) { m.BombExplosionSeconds = 6 }), invalid, "content.bombExplosionSeconds"},
		{"players", change(func(m *bomberman.ConfigureArena) { m.MaxPlayers = 5 }), invalid, "content.maxPlayers"},
		{"mode", change(func(m *bomberman.ConfigureArena) { m.GameplayMode = 0 }), invalid, "content.gameplayMode"},
	})
}
