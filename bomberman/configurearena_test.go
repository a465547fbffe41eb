package bomberman_test

import (
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/bomberman"
	"github.com/lobbywire/lobbywire/internal/test/codectest"
)

// arena returns the example of the specification.
func arena() bomberman.ConfigureArena {
	return bomberman.ConfigureArena{
		ArenaWidth: 13, ArenaHeight: 11, PlayTimeMinutes: 6, ArmorEffectSeconds: 7,
		BombExplosionSeconds: 3, MaxPlayers: 4, GameplayMode: bomberman.GameplayModeStandardAB,
	}
}

func TestConfigureArenaAcceptsItsFormsOnly(t *testing.T) {
	const head = `{"command":"gsConfigureArena","content":{`
	configureArenaCodec.Table(t, []codectest.Case[bomberman.ConfigureArena]{
		{Name: "all fields", In: head + `"arenaWidth":13,"arenaHeight":11,"playTimeMinutes":6,` +
			`"armorEffectSeconds":7,"bombExplosionSeconds":3,"maxPlayers":4,"gameplayMode":2}}`, Want: arena()},
		{Name: "width 5", In: head + `"arenaWidth":5,`,
			Err: lobbywire.ErrInvalid, Field: "content.arenaWidth", Offset: 54},
		{Name: "width 23", In: head + `"arenaWidth":23,`,
			Err: lobbywire.ErrInvalid, Field: "content.arenaWidth", Offset: 54},
		{Name: "width even", In: head + `"arenaWidth":8,`,
			Err: lobbywire.ErrInvalid, Field: "content.arenaWidth", Offset: 54},
		{Name: "height even", In: head + `"arenaHeight":20,`,
			Err: lobbywire.ErrInvalid, Field: "content.arenaHeight", Offset: 55},
		{Name: "time 1", In: head + `"playTimeMinutes":1,`,
			Err: lobbywire.ErrInvalid, Field: "content.playTimeMinutes", Offset: 59},
		{Name: "time 11", In: head + `"playTimeMinutes":11,`,
			Err: lobbywire.ErrInvalid, Field: "content.playTimeMinutes", Offset: 59},
		{Name: "armor 4", In: head + `"armorEffectSeconds":4,`,
			Err: lobbywire.ErrInvalid, Field: "content.armorEffectSeconds", Offset: 62},
		{Name: "bomb 6", In: head + `"bombExplosionSeconds":6,`,
			Err: lobbywire.ErrInvalid, Field: "content.bombExplosionSeconds", Offset: 64},
		{Name: "players 1", In: head + `"maxPlayers":1,`,
			Err: lobbywire.ErrInvalid, Field: "content.maxPlayers", Offset: 54},
		{Name: "mode 3", In: head + `"gameplayMode":3,`,
			Err: lobbywire.ErrInvalid, Field: "content.gameplayMode", Offset: 56},
		{Name: "width missing", In: head + `"arenaHeight":11}`,
			Err: lobbywire.ErrInvalid, Field: "content.arenaWidth", Offset: 57},
	})
	change := func(change func(m *bomberman.ConfigureArena)) bomberman.ConfigureArena {
		m := arena()
		change(&m)
		return m
	}
	invalid := lobbywire.ErrInvalid
	codectest.Refusals(t, []codectest.Refusal{
		{Name: "width even", Value: change(func(m *bomberman.ConfigureArena) { m.ArenaWidth = 8 }),
			Err: invalid, Field: "content.arenaWidth"},
		{Name: "width 23", Value: change(func(m *bomberman.ConfigureArena) { m.ArenaWidth = 23 }),
			Err: invalid, Field: "content.arenaWidth"},
		{Name: "height even", Value: change(func(m *bomberman.ConfigureArena) { m.ArenaHeight = 8 }),
			Err: invalid, Field: "content.arenaHeight"},
		{Name: "height 5", Value: change(func(m *bomberman.ConfigureArena) { m.ArenaHeight = 5 }),
			Err: invalid, Field: "content.arenaHeight"},
		{Name: "time", Value: change(func(m *bomberman.ConfigureArena) { m.PlayTimeMinutes = 11 }),
			Err: invalid, Field: "content.playTimeMinutes"},
		{Name: "armor", Value: change(func(m *bomberman.ConfigureArena) { m.ArmorEffectSeconds = 4 }),
			Err: invalid, Field: "content.armorEffectSeconds"},
		{Name: "bomb", Value: change(func(m *bomberman.ConfigureArena) { m.BombExplosionSeconds = 6 }),
			Err: invalid, Field: "content.bombExplosionSeconds"},
		{Name: "players", Value: change(func(m *bomberman.ConfigureArena) { m.MaxPlayers = 5 }),
			Err: invalid, Field: "content.maxPlayers"},
		{Name: "mode", Value: change(func(m *bomberman.ConfigureArena) { m.GameplayMode = 0 }),
			Err: invalid, Field: "content.gameplayMode"},
	})
}
