package wzproposal_test

import (
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/test/codectest"
	"github.com/lobbywire/lobbywire/warzone/wzproposal"
)

// theGame is the game of the proposal's sample.
func theGame() wzproposal.OpenGame {
	return wzproposal.OpenGame{Port: 9999, Name: "The Game!!", Map: "Sk-Rush", MaxPlayers: 4}
}

// theGame in both encodings.
const (
	openGameLine  = "OPENGAME\t9999\tThe Game!!\tSk-Rush\t4\n"
	openGameFrame = "\x02\x1a\x049999\x0aThe Game!!\x07Sk-Rush\x014"
)

func TestOpenGameAcceptsItsFormsOnly(t *testing.T) {
	openGameCodec.table(t, []row[wzproposal.OpenGame]{
		{Name: "sample", Text: openGameLine, Binary: openGameFrame, Want: theGame()},
		{Name: "leading zeros", Text: "OPENGAME\t00001\ta\tb\t04\n", Binary: "\x02\x0d\x0500001\x01a\x01b\x0204",
			Want: wzproposal.OpenGame{Port: 1, Name: "a", Map: "b", MaxPlayers: 4}, Differs: true,
			Strict: lobbywire.ErrInvalid},
		{Name: "empty texts", Text: "OPENGAME\t1\t\t\t0\n", Binary: "\x02\x06\x011\x00\x00\x010",
			Want: wzproposal.OpenGame{Port: 1}},
		{Name: "largest numbers", Text: "OPENGAME\t65535\ta\tb\t4294967295\n",
			Binary: "\x02\x15\x0565535\x01a\x01b\x0a4294967295",
			Want:   wzproposal.OpenGame{Port: 65535, Name: "a", Map: "b", MaxPlayers: 1<<32 - 1}},
		{Name: "port 0", Text: "OPENGAME\t0\ta\tb\t2\n", Binary: "\x02\x08\x010\x01a\x01b\x012",
			Err: lobbywire.ErrInvalid, Field: "port", TextAt: 9, BinaryAt: 2},
		{Name: "port too large", Text: "OPENGAME\t65536\ta\tb\t2\n", Binary: "\x02\x06\x0565536",
			Err: lobbywire.ErrInvalid, Field: "port", TextAt: 9, BinaryAt: 2},
		{Name: "port with a sign", Text: "OPENGAME\t+1\ta\tb\t2\n", Binary: "\x02\x09\x02+1\x01a\x01b\x012",
			Err: lobbywire.ErrInvalid, Field: "port", TextAt: 9, BinaryAt: 2},
		{Name: "port empty", Text: "OPENGAME\t\ta\tb\t2\n", Binary: "\x02\x07\x00\x01a\x01b\x012",
			Err: lobbywire.ErrInvalid, Field: "port", TextAt: 9, BinaryAt: 2},
		{Name: "bad port, before the end comes", Text: "OPENGAME\t65536\ta", Binary: "\x02\x08\x010\x01",
			Err: lobbywire.ErrInvalid, Field: "port", TextAt: 9, BinaryAt: 2},
		{Name: "players too many for 32 bits", Text: "OPENGAME\t1\ta\tb\t4294967296\n",
			Binary: "\x02\x11\x011\x01a\x01b\x0a4294967296",
			Err:    lobbywire.ErrInvalid, Field: "maxPlayers", TextAt: 15, BinaryAt: 8},
		{Name: "players too many for 64 bits", Text: "OPENGAME\t1\ta\tb\t18446744073709551617\n",
			Binary: "\x02\x1b\x011\x01a\x01b\x1418446744073709551617",
			Err:    lobbywire.ErrInvalid, Field: "maxPlayers", TextAt: 15, BinaryAt: 8},
		{Name: "players are no number", Text: "OPENGAME\t1\ta\tb\tx\n", Binary: "\x02\x08\x011\x01a\x01b\x01x",
			Err: lobbywire.ErrInvalid, Field: "maxPlayers", TextAt: 15, BinaryAt: 8},
		{Name: "a byte below the digits", Text: "OPENGAME\t1\ta\tb\t/\n", Binary: "\x02\x08\x011\x01a\x01b\x01/",
			Err: lobbywire.ErrInvalid, Field: "maxPlayers", TextAt: 15, BinaryAt: 8},
		{Name: "no fields", Text: "OPENGAME\n", Binary: "\x02\x00",
			Err: lobbywire.ErrInvalid, Field: "port", TextAt: 8, BinaryAt: 2},
		{Name: "fields missing", Text: "OPENGAME\t1\ta\n", Binary: "\x02\x04\x011\x01a",
			Err: lobbywire.ErrInvalid, Field: "map", TextAt: 12, BinaryAt: 6},
		{Name: "field too many", Text: "OPENGAME\t1\ta\tb\t2\t\n", Binary: "\x02\x09\x011\x01a\x01b\x012\x00",
			Err: lobbywire.ErrTrailing, TextAt: 17, BinaryAt: 10},
		{Name: "field too many, before the end comes", Text: "OPENGAME\t1\ta\tb\t2\t",
			Binary: "\x02\x09\x011\x01a\x01b\x012", Err: lobbywire.ErrTrailing, TextAt: 17, BinaryAt: 10},
		{Name: "cut", Text: "OPENGAME\t1\ta\tb", Binary: "\x02\x08\x011\x01a\x01",
			Err: lobbywire.ErrTruncated, Field: "map", TextAt: 13, BinaryAt: 6},
	})
	openGameCodec.text.Table(t, []codectest.Case[wzproposal.OpenGame]{
		{Name: "space after the word", In: "OPENGAME 9999\tThe Game!!\tSk-Rush\t4\r\n", Want: theGame(), Differs: true},
		{Name: "only spaces between columns", In: "OPENGAME  9999  The Game!!  Sk-Rush  4\n",
			Err: lobbywire.ErrInvalid, Field: "port", Offset: 9},
	})
	openGameCodec.binary.Table(t, []codectest.Case[wzproposal.OpenGame]{
		{Name: "payload beyond the message", In: "\x02\x08\x011\x01a\x04bbbb",
			Err: lobbywire.ErrInvalid, Field: "map", Offset: 6},
	})
	refusals(t, []codectest.Refusal{
		{Name: "port 0", Value: wzproposal.OpenGame{Name: "a", Map: "b"}, Err: lobbywire.ErrInvalid, Field: "port"},
		{Name: "TAB in the name", Value: wzproposal.OpenGame{Port: 1, Name: "a\tb"},
			Err: lobbywire.ErrInvalid, Field: "name"},
		{Name: "LF in the name", Value: wzproposal.OpenGame{Port: 1, Name: "a\nb"},
			Err: lobbywire.ErrInvalid, Field: "name"},
		{Name: "CR in the map", Value: wzproposal.OpenGame{Port: 1, Map: "a\r"},
			Err: lobbywire.ErrInvalid, Field: "map"},
		{Name: "NUL in the map", Value: wzproposal.OpenGame{Port: 1, Map: "\x00"},
			Err: lobbywire.ErrInvalid, Field: "map"},
		{Name: "Latin-1", Value: wzproposal.OpenGame{Port: 1, Name: "Gr\xfc\xdfe"},
			Err: lobbywire.ErrInvalid, Field: "name"},
	})
	codectest.Refusals(t, []codectest.Refusal{
		{Name: "line too long", Value: wzproposal.OpenGame{Port: 1, Name: strings.Repeat("a", wzproposal.MaxLine)},
			Err: lobbywire.ErrTooLarge},
	})
	binaryRefusals(t, []codectest.Refusal{
		{Name: "name too long for a payload", Value: wzproposal.OpenGame{Port: 1, Name: strings.Repeat("a", 255)},
			Err: lobbywire.ErrTooLarge, Field: "name"},
		{Name: "name and map too long for a message",
			Value: wzproposal.OpenGame{Port: 1, Name: strings.Repeat("a", 249), Map: "b"},
			Err:   lobbywire.ErrTooLarge, Field: "size"},
	})
}

func TestLongestOpenGameFillsAFrame(t *testing.T) {
	m := wzproposal.OpenGame{Port: 1, Name: strings.Repeat("a", 247), Map: "bb"}
	b, err := wzproposal.Binary.Append(nil, m)
	if err != nil || len(b) != wzproposal.MaxFrame {
		t.Errorf("%d bytes, %v, want %d", len(b), err, wzproposal.MaxFrame)
	}
}

func TestStrictOpenGameHasOneForm(t *testing.T) {
	openGameCodec.strictly().table(t, []row[wzproposal.OpenGame]{
		{Name: "sample", Text: openGameLine, Binary: openGameFrame, Want: theGame()},
		{Name: "zero players", Text: "OPENGAME\t1\t\t\t0\n", Binary: "\x02\x06\x011\x00\x00\x010",
			Want: wzproposal.OpenGame{Port: 1}},
		{Name: "leading zero", Text: "OPENGAME\t01\ta\tb\t4\n", Binary: "\x02\x09\x0201\x01a\x01b\x014",
			Err: lobbywire.ErrInvalid, Field: "port", TextAt: 9, BinaryAt: 2},
		{Name: "NUL", Text: "OPENGAME\t1\t\x00\tb\t4\n", Binary: "\x02\x08\x011\x01\x00\x01b\x014",
			Err: lobbywire.ErrInvalid, Field: "name", TextAt: 11, BinaryAt: 4},
		{Name: "CR", Text: "OPENGAME\t1\ta\t\r\t4\n", Binary: "\x02\x08\x011\x01a\x01\r\x014",
			Err: lobbywire.ErrInvalid, Field: "map", TextAt: 13, BinaryAt: 6},
		{Name: "Latin-1", Text: "OPENGAME\t1\ta\t\xfc\t4\n", Binary: "\x02\x08\x011\x01a\x01\xfc\x014",
			Err: lobbywire.ErrInvalid, Field: "map", TextAt: 13, BinaryAt: 6},
	})
	openGameCodec.strictly().binary.Table(t, []codectest.Case[wzproposal.OpenGame]{
		{Name: "LF", In: "\x02\x08\x011\x01\n\x01b\x014", Err: lobbywire.ErrInvalid, Field: "name", Offset: 4},
	})
}
