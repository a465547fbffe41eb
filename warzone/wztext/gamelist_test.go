package wztext_test

import (
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/laws"
	"github.com/lobbywire/lobbywire/warzone/wztext"
)

const bananaRow = "192.0.2.17\t2100\tBanana Game :-)\tSk-Rush\t4\topen\n"

func TestGameList(t *testing.T) {
	gameLists.Table(t, []laws.Case[wztext.GameList]{
		{Name: "no games", In: "COUNT\t0\n", Want: wztext.GameList{Games: []wztext.Game{}}},
		{Name: "two games", In: "COUNT\t2\n" + bananaRow + bananaRow, Want: wztext.GameList{Games: []wztext.Game{bananaGame(), bananaGame()}}},
		{Name: "a row missing", In: "COUNT\t2\n" + bananaRow, Err: lobbywire.ErrTruncated, Field: "games[1].ip", Offset: 55},
		{Name: "a row cut", In: "COUNT\t1\n" + bananaRow[:20], Err: lobbywire.ErrTruncated, Field: "games[0].name", Offset: 24},
		{Name: "a row too many", In: "COUNT\t1\n" + bananaRow + bananaRow, Err: lobbywire.ErrTrailing, Offset: 55},
		{Name: "DONE in place of a row", In: "COUNT\t1\nDONE\n", Err: lobbywire.ErrInvalid, Field: "games[0].ip", Offset: 8},
		{Name: "a bad row before one that is missing", In: "COUNT\t9\n\n", Err: lobbywire.ErrInvalid, Field: "games[0].ip", Offset: 8},
		{Name: "a row with a column too many", In: "COUNT\t1\n::1\t1\ta\tb\t4\topen\tx\n", Err: lobbywire.ErrTrailing, Field: "games[0]", Offset: 25},
		{Name: "a row too long", In: "COUNT\t1\n" + strings.Repeat("a", wztext.MaxLine), Err: lobbywire.ErrTooLarge, Field: "games[0]", Offset: 8},
		{Name: "too many", In: "COUNT\t1024\n", Err: lobbywire.ErrTooLarge, Field: "games", Offset: 6},
	})
	laws.Refusals(t, []laws.Refusal{
		{Name: "too many", Value: wztext.GameList{Games: make([]wztext.Game, wztext.MaxGames+1)}, Err: lobbywire.ErrTooLarge, Field: "games"},
		{Name: "a game without ip", Value: wztext.GameList{Games: []wztext.Game{bananaGame(), {}}}, Err: lobbywire.ErrInvalid, Field: "games[1].ip"},
	})
}

func TestGameListLimits(t *testing.T) {
	two := laws.Codec[wztext.GameList]{Parse: wztext.Options{MaxGames: 1, MaxLine: len(bananaRow)}.ParseGameList, Compare: compare}
	two.Table(t, []laws.Case[wztext.GameList]{
		{Name: "one", In: "COUNT\t1\n" + bananaRow, Want: wztext.GameList{Games: []wztext.Game{bananaGame()}}},
		{Name: "two", In: "COUNT\t2\n" + bananaRow + bananaRow, Err: lobbywire.ErrTooLarge, Field: "games", Offset: 6},
		{Name: "a longer line", In: "COUNT\t1\n1" + bananaRow, Err: lobbywire.ErrTooLarge, Field: "games[0]", Offset: 8},
	})
	none := laws.Codec[wztext.GameList]{Parse: wztext.Options{MaxGames: -1, MaxLine: -1}.ParseGameList}
	none.Table(t, []laws.Case[wztext.GameList]{
		{Name: "a negative limit is none at all", In: "", Err: lobbywire.ErrTooLarge},
	})
}
