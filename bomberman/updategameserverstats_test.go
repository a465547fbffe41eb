package bomberman_test

import (
	"encoding/json"
	"math"
	"strconv"
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/bomberman"
	"github.com/lobbywire/lobbywire/internal/test/codectest"
)

func stats(current, players int, mode bomberman.GameplayMode) bomberman.UpdateGameServerStats {
	return bomberman.UpdateGameServerStats{
		Players:      bomberman.PlayerCount{Current: current, Max: players},
		GameplayMode: mode,
	}
}

func TestUpdateGameServerStatsAcceptsItsFormsOnly(t *testing.T) {
	const head = `{"command":"msUpdateGameServerStats","content":{`
	const tail = `,"isLobbyOpen":false,"gameplayMode":1}}`
	updateGameServerStatsCodec.Table(t, []codectest.Case[bomberman.UpdateGameServerStats]{
		{Name: "all fields", In: head + `"players":{"current":2,"max":4},"isLobbyOpen":true,"gameplayMode":2}}`,
			Want: bomberman.UpdateGameServerStats{Players: bomberman.PlayerCount{Current: 2, Max: 4}, IsLobbyOpen: true,
				GameplayMode: bomberman.GameplayModeStandardAB}},
		{Name: "more than the most", In: head + `"players":{"current":99,"max":2}` + tail, Want: stats(99, 2, 1)},
		{Name: "current as text", In: head + `"players":{"current":"22","max":2}` + tail,
			Want: stats(22, 2, 1), Out: head + `"players":{"current":22,"max":2}` + tail},
		{Name: "current as text 0", In: head + `"players":{"current":"0","max":2}` + tail,
			Want: stats(0, 2, 1), Out: head + `"players":{"current":0,"max":2}` + tail},
		{Name: "current as text with zeros", In: head + `"players":{"current":"022","max":2}` + tail,
			Want: stats(22, 2, 1), Out: head + `"players":{"current":22,"max":2}` + tail, Strict: lobbywire.ErrInvalid},
		{Name: "integers in other forms",
			In:   head + `"players":{"current":2.0,"max":20E-1},"isLobbyOpen":false,"gameplayMode":1e0}}`,
			Want: stats(2, 2, 1), Out: head + `"players":{"current":2,"max":2}` + tail, Strict: lobbywire.ErrInvalid},
		{Name: "member of players", In: head + `"players":{"current":2,"max":2,"bots":[]}` + tail,
			Want: bomberman.UpdateGameServerStats{Players: bomberman.PlayerCount{Current: 2, Max: 2,
				Extra: map[string]json.RawMessage{"bots": []byte("[]")}}, GameplayMode: 1}},
		{Name: "current empty text", In: head + `"players":{"current":"",`,
			Err: lobbywire.ErrInvalid, Field: "content.players.current", Offset: 69},
		{Name: "current text with a space", In: head + `"players":{"current":" 1",`,
			Err: lobbywire.ErrInvalid, Field: "content.players.current", Offset: 69},
		{Name: "current text with a sign", In: head + `"players":{"current":"+1",`,
			Err: lobbywire.ErrInvalid, Field: "content.players.current", Offset: 69},
		{Name: "current huge text", In: head + `"players":{"current":"99999999999",`,
			Err: lobbywire.ErrInvalid, Field: "content.players.current", Offset: 69},
		{Name: "current negative", In: head + `"players":{"current":-1,`,
			Err: lobbywire.ErrInvalid, Field: "content.players.current", Offset: 69},
		{Name: "max as text", In: head + `"players":{"max":"2",`,
			Err: lobbywire.ErrInvalid, Field: "content.players.max", Offset: 65},
		{Name: "max 1", In: head + `"players":{"max":1,`,
			Err: lobbywire.ErrInvalid, Field: "content.players.max", Offset: 65},
		{Name: "max 5", In: head + `"players":{"max":5,`,
			Err: lobbywire.ErrInvalid, Field: "content.players.max", Offset: 65},
		{Name: "no max", In: head + `"players":{"current":1}`,
			Err: lobbywire.ErrInvalid, Field: "content.players.max", Offset: 70},
		{Name: "mode 0", In: head + `"gameplayMode":0,`,
			Err: lobbywire.ErrInvalid, Field: "content.gameplayMode", Offset: 63},
		{Name: "mode 3", In: head + `"gameplayMode":3,`,
			Err: lobbywire.ErrInvalid, Field: "content.gameplayMode", Offset: 63},
		{Name: "open as text", In: head + `"isLobbyOpen":"true",`,
			Err: lobbywire.ErrInvalid, Field: "content.isLobbyOpen", Offset: 62},
		{Name: "open as number", In: head + `"isLobbyOpen":1,`,
			Err: lobbywire.ErrInvalid, Field: "content.isLobbyOpen", Offset: 62},
	})
	codectest.Refusals(t, []codectest.Refusal{
		{Name: "current negative", Value: stats(-1, 2, 1), Err: lobbywire.ErrInvalid, Field: "content.players.current"},
		{Name: "max 1", Value: stats(0, 1, 1), Err: lobbywire.ErrInvalid, Field: "content.players.max"},
		{Name: "max 5", Value: stats(0, 5, 1), Err: lobbywire.ErrInvalid, Field: "content.players.max"},
		{Name: "mode 0", Value: stats(0, 2, 0), Err: lobbywire.ErrInvalid, Field: "content.gameplayMode"},
	})
}

func TestGameplayModesHaveNames(t *testing.T) {
	for m, want := range map[bomberman.GameplayMode]string{1: "Standard A", 2: "Standard A+B", 7: "gameplayMode(7)",
		-1: "gameplayMode(-1)"} {
		if got := m.String(); got != want {
			t.Errorf("%d: %q, want %q", int(m), got, want)
		}
	}
}

// TestNumbersOfMoreThan32BitsAreRefused tests integers that exceed their limits.
func TestNumbersOfMoreThan32BitsAreRefused(t *testing.T) {
	if strconv.IntSize == 32 {
		t.Skip("no int is too large")
	}
	codectest.Refusals(t, []codectest.Refusal{
		{Name: "current", Value: stats(math.MaxInt, 2, 1), Err: lobbywire.ErrInvalid, Field: "content.players.current"},
		{Name: "count", Value: highscore(bomberman.Highscore{WalkedSteps: math.MaxInt}),
			Err: lobbywire.ErrInvalid, Field: "content.players[0].walkedSteps"},
	})
}
