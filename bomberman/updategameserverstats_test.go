package bomberman_test

import (
	"encoding/json"
	"math"
	"strconv"
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/bomberman"
)

func stats(current, players int, mode bomberman.GameplayMode) bomberman.UpdateGameServerStats {
	return bomberman.UpdateGameServerStats{
		Players:      bomberman.PlayerCount{Current: current, Max: players},
		GameplayMode: mode,
	}
}

func TestUpdateGameServerStats(t *testing.T) {
	const head = `{"command":"msUpdateGameServerStats","content":{`
	const tail = `,"isLobbyOpen":false,"gameplayMode":1}}`
	testParse(t, bomberman.Options.ParseUpdateGameServerStats, []parseCase[bomberman.UpdateGameServerStats]{
		{name: "all fields", in: head + `"players":{"current":2,"max":4},"isLobbyOpen":true,"gameplayMode":2}}`,
			want: bomberman.UpdateGameServerStats{Players: bomberman.PlayerCount{Current: 2, Max: 4}, IsLobbyOpen: true, GameplayMode: bomberman.GameplayModeStandardAB}},
		{name: "more than the most", in: head + `"players":{"current":99,"max":2}` + tail, want: stats(99, 2, 1)},
		{name: "current as text", in: head + `"players":{"current":"22","max":2}` + tail, want: stats(22, 2, 1), out: head + `"players":{"current":22,"max":2}` + tail},
		{name: "current as text 0", in: head + `"players":{"current":"0","max":2}` + tail, want: stats(0, 2, 1), out: head + `"players":{"current":0,"max":2}` + tail},
		{name: "current as text with zeros", in: head + `"players":{"current":"022","max":2}` + tail, want: stats(22, 2, 1), out: head + `"players":{"current":22,"max":2}` + tail, strict: lobbywire.ErrInvalid},
		{name: "integers in other forms", in: head + `"players":{"current":2.0,"max":20E-1},"isLobbyOpen":false,"gameplayMode":1e0}}`, want: stats(2, 2, 1), out: head + `"players":{"current":2,"max":2}` + tail, strict: lobbywire.ErrInvalid},
		{name: "member of players", in: head + `"players":{"current":2,"max":2,"bots":[]}` + tail,
			want: bomberman.UpdateGameServerStats{Players: bomberman.PlayerCount{Current: 2, Max: 2, Extra: map[string]json.RawMessage{"bots": []byte("[]")}}, GameplayMode: 1}},
		{name: "current empty text", in: head + `"players":{"current":"",`, kind: lobbywire.ErrInvalid, field: "content.players.current", offset: 69},
		{name: "current text with a space", in: head + `"players":{"current":" 1",`, kind: lobbywire.ErrInvalid, field: "content.players.current", offset: 69},
		{name: "current text with a sign", in: head + `"players":{"current":"+1",`, kind: lobbywire.ErrInvalid, field: "content.players.current", offset: 69},
		{name: "current huge text", in: head + `"players":{"current":"99999999999",`, kind: lobbywire.ErrInvalid, field: "content.players.current", offset: 69},
		{name: "current negative", in: head + `"players":{"current":-1,`, kind: lobbywire.ErrInvalid, field: "content.players.current", offset: 69},
		{name: "max as text", in: head + `"players":{"max":"2",`, kind: lobbywire.ErrInvalid, field: "content.players.max", offset: 65},
		{name: "max 1", in: head + `"players":{"max":1,`, kind: lobbywire.ErrInvalid, field: "content.players.max", offset: 65},
		{name: "max 5", in: head + `"players":{"max":5,`, kind: lobbywire.ErrInvalid, field: "content.players.max", offset: 65},
		{name: "no max", in: head + `"players":{"current":1}`, kind: lobbywire.ErrInvalid, field: "content.players.max", offset: 70},
		{name: "mode 0", in: head + `"gameplayMode":0,`, kind: lobbywire.ErrInvalid, field: "content.gameplayMode", offset: 63},
		{name: "mode 3", in: head + `"gameplayMode":3,`, kind: lobbywire.ErrInvalid, field: "content.gameplayMode", offset: 63},
		{name: "open as text", in: head + `"isLobbyOpen":"true",`, kind: lobbywire.ErrInvalid, field: "content.isLobbyOpen", offset: 62},
		{name: "open as number", in: head + `"isLobbyOpen":1,`, kind: lobbywire.ErrInvalid, field: "content.isLobbyOpen", offset: 62},
	})
	testRefusals(t, []refusal{
		{"current negative", stats(-1, 2, 1), lobbywire.ErrInvalid, "content.players.current"},
		{"max 1", stats(0, 1, 1), lobbywire.ErrInvalid, "content.players.max"},
		{"max 5", stats(0, 5, 1), lobbywire.ErrInvalid, "content.players.max"},
		{"mode 0", stats(0, 2, 0), lobbywire.ErrInvalid, "content.gameplayMode"},
	})
}

func TestGameplayModeString(t *testing.T) {
	for m, want := range map[bomberman.GameplayMode]string{1: "Standard A", 2: "Standard A+B", 7: "gameplayMode(7)", -1: "gameplayMode(-1)"} {
		if got := m.String(); got != want {
			t.Errorf("%d: %q, want %q", int(m), got, want)
		}
	}
}

// TestLargeNumbers sends what has more bits than anybody reads.
func TestLargeNumbers(t *testing.T) {
	if strconv.IntSize == 32 {
		t.Skip("no int is too large")
	}
	testRefusals(t, []refusal{
		{"current", stats(math.MaxInt, 2, 1), lobbywire.ErrInvalid, "content.players.current"},
		{"count", highscore(bomberman.Highscore{WalkedSteps: math.MaxInt}), lobbywire.ErrInvalid, "content.players[0].walkedSteps"},
	})
}
