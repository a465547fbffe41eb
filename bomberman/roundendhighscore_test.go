package bomberman_test

import (
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/bomberman"
	"github.com/lobbywire/lobbywire/internal/test/codectest"
)

func highscore(players ...bomberman.Highscore) bomberman.RoundEndHighscore {
	return bomberman.RoundEndHighscore{Players: append([]bomberman.Highscore{}, players...)}
}

func TestRoundEndHighscoreAcceptsItsFormsOnly(t *testing.T) {
	const head = `{"command":"cRoundEndHighscore","content":{"players":[`
	roundEndHighscoreCodec.Table(t, []codectest.Case[bomberman.RoundEndHighscore]{
		{Name: "nobody", In: head + `]}}`, Want: highscore()},
		{Name: "all fields", In: head + `{"name":"Tōjō","walkedSteps":1,"plantedBombs":2,"destroyedWalls":3,` +
			`"killedPlayers":4,"collectedPowerups":5,"isSuicided":true,"isLastPlayer":false,` +
			`"score":-9223372036854775808}]}}`,
			Want: highscore(bomberman.Highscore{Name: "Tōjō", WalkedSteps: 1, PlantedBombs: 2, DestroyedWalls: 3,
				KilledPlayers: 4, CollectedPowerups: 5, IsSuicided: true, Score: -1 << 63})},
		{Name: "negative count", In: head +
			`{"name":"","walkedSteps":-1,"plantedBombs":0,"destroyedWalls":0,"killedPlayers":0,` +
			`"collectedPowerups":0,"isSuicided":false,"isLastPlayer":true,"score":0}]}}`,
			Want: highscore(bomberman.Highscore{WalkedSteps: -1, IsLastPlayer: true}), Strict: lobbywire.ErrInvalid,
			Refused: true},
		{Name: "score with a fraction", In: head + `{"score":1.5,`,
			Err: lobbywire.ErrInvalid, Field: "content.players[0].score", Offset: 63},
	})
	codectest.Refusals(t, []codectest.Refusal{
		{Name: "negative count", Value: highscore(bomberman.Highscore{KilledPlayers: -1}),
			Err: lobbywire.ErrInvalid, Field: "content.players[0].killedPlayers"},
		{Name: "name that is not UTF-8", Value: highscore(bomberman.Highscore{Name: "\xff"}),
			Err: lobbywire.ErrInvalid, Field: "content.players[0].name"},
		{Name: "five players", Value: highscore(make([]bomberman.Highscore, 5)...),
			Err: lobbywire.ErrTooLarge, Field: "content.players"},
	})
}
