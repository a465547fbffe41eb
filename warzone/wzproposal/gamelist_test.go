package wzproposal_test

import (
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/test/codectest"
	"github.com/lobbywire/lobbywire/warzone/wzproposal"
)

func TestGameListAcceptsItsFormsOnly(t *testing.T) {
	gameListCodec.table(t, []row[wzproposal.GameList]{
		{Name: "no games", Text: "COUNT\t0\n", Binary: "\x05\x02\x010",
			Want: wzproposal.GameList{Games: []wzproposal.Game{}}},
		{Name: "two games", Text: "COUNT\t2\n" + bananaRow + bananaRow,
			Binary: "\x05\x02\x012" + bananaFrame + bananaFrame,
			Want:   wzproposal.GameList{Games: []wzproposal.Game{bananaGame(), bananaGame()}}},
		{Name: "a game cut", Text: "COUNT\t1\n" + bananaRow[:20], Binary: "\x05\x02\x011" + bananaFrame[:20],
			Err: lobbywire.ErrTruncated, Field: "games[0].name", TextAt: 24, BinaryAt: 22},
		{Name: "a game too many", Text: "COUNT\t1\n" + bananaRow + bananaRow,
			Binary: "\x05\x02\x011" + bananaFrame + bananaFrame, Err: lobbywire.ErrTrailing, TextAt: 55, BinaryAt: 53},
		{Name: "a game with a field too many", Text: "COUNT\t2\n::1\t1\ta\tb\t4\topen\tx\n" + bananaRow,
			Binary: "\x05\x02\x012" + game("::1", "1", "a", "b", "4", "open", "") + bananaFrame,
			Want:   wzproposal.GameList{Games: []wzproposal.Game{bananaGame()}, Skipped: 1},
			Strict: lobbywire.ErrTrailing, Refused: true},
		{Name: "bad games", Text: "COUNT\t4\nlocalhost\t1\ta\tb\t4\topen\n::1\t0\ta\tb\t4\topen\n" + bananaRow + "::1\n",
			Binary: "\x05\x02\x014" + game("localhost", "1", "a", "b", "4", "open") +
				game("::1", "0", "a", "b", "4", "open") + bananaFrame + game("::1"),
			Want:   wzproposal.GameList{Games: []wzproposal.Game{bananaGame()}, Skipped: 3},
			Strict: lobbywire.ErrInvalid, Refused: true},
		{Name: "too many", Text: "COUNT\t1024\n", Binary: "\x05\x05\x041024",
			Err: lobbywire.ErrTooLarge, Field: "games", TextAt: 6, BinaryAt: 2},
	})
	gameListCodec.text.Table(t, []codectest.Case[wzproposal.GameList]{
		{Name: "a row missing", In: "COUNT\t2\n" + bananaRow,
			Err: lobbywire.ErrTruncated, Field: "games[1].ip", Offset: 55},
		{Name: "DONE in place of a row", In: "COUNT\t1\nDONE\n",
			Err: lobbywire.ErrInvalid, Field: "games[0].ip", Offset: 8},
		{Name: "an ERROR after a bad row", In: "COUNT\t2\n\nERROR\tno\n", Strict: lobbywire.ErrInvalid,
			Err: lobbywire.ErrInvalid, Field: "games[1].ip", Offset: 9},
		{Name: "a bad row before one that is missing", In: "COUNT\t9\n\n", Strict: lobbywire.ErrInvalid,
			Err: lobbywire.ErrTruncated, Field: "games[1].ip", Offset: 9},
		{Name: "a bad row cut", In: "COUNT\t9\n::g\t1", Strict: lobbywire.ErrInvalid,
			Err: lobbywire.ErrTruncated, Field: "games[0].leftOut", Offset: 8},
		{Name: "a row too long", In: "COUNT\t1\n" + strings.Repeat("a", wzproposal.MaxLine),
			Err: lobbywire.ErrTooLarge, Field: "games[0]", Offset: 8},
	})
	gameListCodec.binary.Table(t, []codectest.Case[wzproposal.GameList]{
		{Name: "a game missing", In: "\x05\x02\x012" + bananaFrame,
			Err: lobbywire.ErrTruncated, Field: "games[1].command", Offset: 53},
		{Name: "Done in place of a game", In: "\x05\x02\x011\x07\x00",
			Err: lobbywire.ErrInvalid, Field: "games[0].command", Offset: 4},
		{Name: "a payload that reaches into the next frame", In: "\x05\x02\x012\x06\x04\x04::1" + bananaFrame,
			Want:   wzproposal.GameList{Games: []wzproposal.Game{bananaGame()}, Skipped: 1},
			Strict: lobbywire.ErrInvalid, Refused: true},
	})
	refusals(t, []codectest.Refusal{
		{Name: "skipped", Value: wzproposal.GameList{Skipped: 1}, Err: lobbywire.ErrInvalid, Field: "skipped"},
		{Name: "too many", Value: wzproposal.GameList{Games: make([]wzproposal.Game, wzproposal.MaxGames+1)},
			Err: lobbywire.ErrTooLarge, Field: "games"},
		{Name: "a game without ip", Value: wzproposal.GameList{Games: []wzproposal.Game{bananaGame(), {}}},
			Err: lobbywire.ErrInvalid, Field: "games[1].ip"},
	})
}

func TestGameListsAboveTheLimitsAreRefused(t *testing.T) {
	one := gameListCodec
	one.text.Strict, one.binary.Strict = nil, nil
	one.text.Parse = wzproposal.Options{MaxLine: len(bananaRow)}.ParseGameList
	one.table(t, []row[wzproposal.GameList]{
		{Name: "one", Text: "COUNT\t1\n" + bananaRow, Binary: "\x05\x02\x011" + bananaFrame,
			Want: wzproposal.GameList{Games: []wzproposal.Game{bananaGame()}}},
		{Name: "too many", Text: "COUNT\t1024\n" + bananaRow, Binary: "\x05\x05\x041024" + bananaFrame,
			Err: lobbywire.ErrTooLarge, Field: "games", TextAt: 6, BinaryAt: 2},
	})
	one.text.Table(t, []codectest.Case[wzproposal.GameList]{
		{Name: "a longer line", In: "COUNT\t1\n1" + bananaRow,
			Err: lobbywire.ErrTooLarge, Field: "games[0]", Offset: 8},
	})
	none := gameListCodec.text
	none.Strict, none.Parse = nil, wzproposal.Options{MaxLine: -1}.ParseGameList
	none.Table(t, []codectest.Case[wzproposal.GameList]{
		{Name: "a negative limit of lines is none at all", In: "", Err: lobbywire.ErrTooLarge},
	})
}

func TestPartReadsTheWholeGamesOfACutList(t *testing.T) {
	text := gameListCodec.text
	text.Strict, text.Parse = nil, wzproposal.Options{Part: true}.ParseGameList
	one := wzproposal.GameList{Games: []wzproposal.Game{bananaGame()}}
	text.Table(t, []codectest.Case[wzproposal.GameList]{
		{Name: "between games", In: "COUNT\t2\n" + bananaRow, Want: one, Differs: true},
		{Name: "within a game", In: "COUNT\t2\n" + bananaRow + bananaRow[:20], Want: one, Differs: true},
		{Name: "within the count", In: "COUN", Err: lobbywire.ErrTruncated, Field: "command"},
	})
	binary := gameListCodec.binary
	binary.Strict = nil
	binary.Parse = wzproposal.Options{Encoding: wzproposal.Binary, Part: true}.ParseGameList
	binary.Table(t, []codectest.Case[wzproposal.GameList]{
		{Name: "between games", In: "\x05\x02\x012" + bananaFrame, Want: one, Differs: true},
		{Name: "within a game", In: "\x05\x02\x012" + bananaFrame + bananaFrame[:20], Want: one, Differs: true},
	})
}
