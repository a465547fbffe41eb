package bomberman_test

import (
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/bomberman"
)

func highscore(players ...bomberman.Highscore) bomberman.RoundEndHighscore {
	return bomberman.RoundEndHighscore{Players: append([]bomberman.Highscore{}, players...)}
}

func TestRoundEndHighscore(t *testing.T) {
	const head = `{"command":"cRoundEndHighscore","content":{"players":[`
	testParse(t, bomberman.Options.ParseRoundEndHighscore, []parseCase[bomberman.RoundEndHighscore]{
		{name: "nobody", in: head + `]}}`, want: highscore()},
		{name: "all fields", in: head + `{"name":"Tōjō","walkedSteps":1,"plantedBombs":2,"destroyedWalls":3,"killedPlayers":4,"collectedPowerups":5,"isSuicided":true,"isLastPlayer":false,"score":-9223372036854775808}]}}`,
			want: highscore(bomberman.Highscore{Name: "Tōjō", WalkedSteps: 1, PlantedBombs: 2, DestroyedWalls: 3, KilledPlayers: 4, CollectedPowerups: 5, IsSuicided: true, Score: -1 << 63})},
		{name: "negative count", in: head + `{"name":"","walkedSteps":-1,"plantedBombs":0,"destroyedWalls":0,"killedPlayers":0,"collectedPowerups":0,"isSuicided":false,"isLastPlayer":true,"score":0}]}}`,
			want: highscore(bomberman.Highscore{WalkedSteps: -1, IsLastPlayer: true}), strict: lobbywire.ErrInvalid, out: "refused"},
		{name: "score with a fraction", in: head + `{"score":1.5,`, kind: lobbywire.ErrInvalid, field: "content.players[0].score", offset: 63},
	})
	testRefusals(t, []refusal{
		{"negative count", highscore(bomberman.Highscore{KilledPlayers: -1}), lobbywire.ErrInvalid, "content.players[0].killedPlayers"},
		{"name that is not UTF-8", highscore(bomberman.Highscore{Name: "\xff"}), lobbywire.ErrInvalid, "content.players[0].name"},
		{"five players", highscore(make([]bomberman.Highscore, 5)...), lobbywire.ErrTooLarge, "content.players"},
	})
}
