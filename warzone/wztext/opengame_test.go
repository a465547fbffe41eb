package wztext_test

import (
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/laws"
	"github.com/lobbywire/lobbywire/warzone/wztext"
)

// theGame is the game of the proposal's sample.
func theGame() wztext.OpenGame {
	return wztext.OpenGame{Port: 9999, Name: "The Game!!", Map: "Sk-Rush", MaxPlayers: 4}
}

func TestOpenGame(t *testing.T) {
	openGames.Table(t, []laws.Case[wztext.OpenGame]{
		{Name: "sample", In: "OPENGAME\t9999\tThe Game!!\tSk-Rush\t4\n", Want: theGame()},
		{Name: "space after the word", In: "OPENGAME 9999\tThe Game!!\tSk-Rush\t4\r\n", Want: theGame(), Differs: true},
		{Name: "leading zeros", In: "OPENGAME\t009999\tThe Game!!\tSk-Rush\t04\n", Want: theGame(), Differs: true},
		{Name: "empty texts", In: "OPENGAME\t1\t\t\t0\n", Want: wztext.OpenGame{Port: 1}},
		{Name: "largest numbers", In: "OPENGAME\t65535\ta\tb\t4294967295\n",
			Want: wztext.OpenGame{Port: 65535, Name: "a", Map: "b", MaxPlayers: 1<<32 - 1}},
		{Name: "only spaces between columns", In: "OPENGAME  9999  The Game!!  Sk-Rush  4\n", Err: lobbywire.ErrInvalid, Field: "port", Offset: 9},
		{Name: "port 0", In: "OPENGAME\t0\ta\tb\t2\n", Err: lobbywire.ErrInvalid, Field: "port", Offset: 9},
		{Name: "port too large", In: "OPENGAME\t65536\ta\tb\t2\n", Err: lobbywire.ErrInvalid, Field: "port", Offset: 9},
		{Name: "port with a sign", In: "OPENGAME\t+1\ta\tb\t2\n", Err: lobbywire.ErrInvalid, Field: "port", Offset: 9},
		{Name: "port empty", In: "OPENGAME\t\ta\tb\t2\n", Err: lobbywire.ErrInvalid, Field: "port", Offset: 9},
		{Name: "bad port, before the line ends", In: "OPENGAME\t65536\ta", Err: lobbywire.ErrInvalid, Field: "port", Offset: 9},
		{Name: "players too many for 32 bits", In: "OPENGAME\t1\ta\tb\t4294967296\n", Err: lobbywire.ErrInvalid, Field: "maxPlayers", Offset: 15},
		{Name: "players too many for 64 bits", In: "OPENGAME\t1\ta\tb\t18446744073709551617\n", Err: lobbywire.ErrInvalid, Field: "maxPlayers", Offset: 15},
		{Name: "a byte below the digits", In: "OPENGAME\t1\ta\tb\t/\n", Err: lobbywire.ErrInvalid, Field: "maxPlayers", Offset: 15},
		{Name: "no columns", In: "OPENGAME\n", Err: lobbywire.ErrInvalid, Field: "port", Offset: 8},
		{Name: "columns missing", In: "OPENGAME\t1\ta\n", Err: lobbywire.ErrInvalid, Field: "map", Offset: 12},
		{Name: "column too many", In: "OPENGAME\t1\ta\tb\t2\t\n", Err: lobbywire.ErrTrailing, Offset: 17},
		{Name: "column too many, before the line ends", In: "OPENGAME\t1\ta\tb\t2\t", Err: lobbywire.ErrTrailing, Offset: 17},
		{Name: "cut", In: "OPENGAME\t1\ta\tb", Err: lobbywire.ErrTruncated, Field: "map", Offset: 13},
	})
	laws.Refusals(t, []laws.Refusal{
		{Name: "port 0", Value: wztext.OpenGame{Name: "a", Map: "b"}, Err: lobbywire.ErrInvalid, Field: "port"},
		{Name: "TAB in the name", Value: wztext.OpenGame{Port: 1, Name: "a\tb"}, Err: lobbywire.ErrInvalid, Field: "name"},
		{Name: "LF in the name", Value: wztext.OpenGame{Port: 1, Name: "a\nb"}, Err: lobbywire.ErrInvalid, Field: "name"},
		{Name: "CR in the map", Value: wztext.OpenGame{Port: 1, Map: "a\r"}, Err: lobbywire.ErrInvalid, Field: "map"},
		{Name: "NUL in the map", Value: wztext.OpenGame{Port: 1, Map: "\x00"}, Err: lobbywire.ErrInvalid, Field: "map"},
		{Name: "Latin-1", Value: wztext.OpenGame{Port: 1, Name: "Gr\xfc\xdfe"}, Err: lobbywire.ErrInvalid, Field: "name"},
		{Name: "line too long", Value: wztext.OpenGame{Port: 1, Name: strings.Repeat("a", wztext.MaxLine)}, Err: lobbywire.ErrTooLarge},
	})
}

func TestOpenGameStrict(t *testing.T) {
	strictOpenGames := laws.Codec[wztext.OpenGame]{Parse: strict.ParseOpenGame}
	strictOpenGames.Table(t, []laws.Case[wztext.OpenGame]{
		{Name: "sample", In: "OPENGAME\t9999\tThe Game!!\tSk-Rush\t4\n", Want: theGame()},
		{Name: "zero players", In: "OPENGAME\t1\t\t\t0\n", Want: wztext.OpenGame{Port: 1}},
		{Name: "leading zero", In: "OPENGAME\t09999\ta\tb\t4\n", Err: lobbywire.ErrInvalid, Field: "port", Offset: 9},
		{Name: "NUL", In: "OPENGAME\t1\ta\x00\tb\t4\n", Err: lobbywire.ErrInvalid, Field: "name", Offset: 11},
		{Name: "CR", In: "OPENGAME\t1\ta\tb\r\t4\n", Err: lobbywire.ErrInvalid, Field: "map", Offset: 13},
		{Name: "Latin-1", In: "OPENGAME\t1\tGr\xfc\xdfe\tb\t4\n", Err: lobbywire.ErrInvalid, Field: "name", Offset: 11},
	})
}
