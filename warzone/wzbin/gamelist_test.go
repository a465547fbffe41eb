package wzbin_test

import (
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/laws"
	"github.com/lobbywire/lobbywire/warzone/wzbin"
)

func TestGameList(t *testing.T) {
	gameLists.Table(t, []laws.Case[wzbin.GameList]{
		{Name: "no games", In: "\x05\x02\x010", Want: wzbin.GameList{Games: []wzbin.Game{}}},
		{Name: "two games", In: "\x05\x02\x012" + bananaFrame + bananaFrame, Want: wzbin.GameList{Games: []wzbin.Game{bananaGame(), bananaGame()}}},
		{Name: "a game missing", In: "\x05\x02\x012" + bananaFrame, Err: lobbywire.ErrTruncated, Field: "games[1].command", Offset: 53},
		{Name: "a game cut", In: "\x05\x02\x011" + bananaFrame[:20], Err: lobbywire.ErrTruncated, Field: "games[0].name", Offset: 22},
		{Name: "a game too many", In: "\x05\x02\x011" + bananaFrame + bananaFrame, Err: lobbywire.ErrTrailing, Offset: 53},
		{Name: "Done in place of a game", In: "\x05\x02\x011\x07\x00", Err: lobbywire.ErrInvalid, Field: "games[0].command", Offset: 4},
		{Name: "a payload that reaches into the next frame", In: "\x05\x02\x012\x06\x04\x04::1" + bananaFrame, Err: lobbywire.ErrInvalid, Field: "games[0].ip", Offset: 6},
		{Name: "a game with a payload too many", In: "\x05\x02\x011" + game("::1", "1", "a", "b", "4", "open", ""), Err: lobbywire.ErrTrailing, Field: "games[0]", Offset: 23},
		{Name: "too many", In: "\x05\x05\x041024", Err: lobbywire.ErrTooLarge, Field: "games", Offset: 2},
	})
	laws.Refusals(t, []laws.Refusal{
		{Name: "too many", Value: wzbin.GameList{Games: make([]wzbin.Game, wzbin.MaxGames+1)}, Err: lobbywire.ErrTooLarge, Field: "games"},
		{Name: "a game without ip", Value: wzbin.GameList{Games: []wzbin.Game{bananaGame(), {}}}, Err: lobbywire.ErrInvalid, Field: "games[1].ip"},
	})
}

func TestGameListLimits(t *testing.T) {
	one := laws.Codec[wzbin.GameList]{Parse: wzbin.Options{MaxGames: 1}.ParseGameList, Compare: compare}
	one.Table(t, []laws.Case[wzbin.GameList]{
		{Name: "one", In: "\x05\x02\x011" + bananaFrame, Want: wzbin.GameList{Games: []wzbin.Game{bananaGame()}}},
		{Name: "two", In: "\x05\x02\x012" + bananaFrame + bananaFrame, Err: lobbywire.ErrTooLarge, Field: "games", Offset: 2},
	})
	none := laws.Codec[wzbin.GameList]{Parse: wzbin.Options{MaxGames: -1}.ParseGameList, Compare: compare}
	none.Table(t, []laws.Case[wzbin.GameList]{
		{Name: "none", In: "\x05\x02\x010", Want: wzbin.GameList{Games: []wzbin.Game{}}},
		{Name: "a negative limit is none at all", In: "\x05\x02\x011", Err: lobbywire.ErrTooLarge, Field: "games", Offset: 2},
	})
}
