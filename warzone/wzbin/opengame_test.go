package wzbin_test

import (
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/laws"
	"github.com/lobbywire/lobbywire/warzone/wzbin"
)

// theGame is a game of the text proposal's sample.
func theGame() wzbin.OpenGame {
	return wzbin.OpenGame{Port: 9999, Name: "The Game!!", Map: "Sk-Rush", MaxPlayers: 4}
}

const openGameFrame = "\x02\x1a\x049999\x0aThe Game!!\x07Sk-Rush\x014"

func TestOpenGame(t *testing.T) {
	openGames.Table(t, []laws.Case[wzbin.OpenGame]{
		{Name: "sample", In: openGameFrame, Want: theGame()},
		{Name: "leading zeros", In: "\x02\x0d\x0500001\x01a\x01b\x0204", Want: wzbin.OpenGame{Port: 1, Name: "a", Map: "b", MaxPlayers: 4}, Differs: true},
		{Name: "empty texts", In: "\x02\x06\x011\x00\x00\x010", Want: wzbin.OpenGame{Port: 1}},
		{Name: "largest numbers", In: "\x02\x15\x0565535\x01a\x01b\x0a4294967295",
			Want: wzbin.OpenGame{Port: 65535, Name: "a", Map: "b", MaxPlayers: 1<<32 - 1}},
		{Name: "port 0", In: "\x02\x08\x010\x01a\x01b\x012", Err: lobbywire.ErrInvalid, Field: "port", Offset: 2},
		{Name: "port too large", In: "\x02\x06\x0565536", Err: lobbywire.ErrInvalid, Field: "port", Offset: 2},
		{Name: "port empty", In: "\x02\x07\x00\x01a\x01b\x012", Err: lobbywire.ErrInvalid, Field: "port", Offset: 2},
		{Name: "bad port, before the frame is whole", In: "\x02\x08\x010\x01", Err: lobbywire.ErrInvalid, Field: "port", Offset: 2},
		{Name: "players too many for 32 bits", In: "\x02\x11\x011\x01a\x01b\x0a4294967296", Err: lobbywire.ErrInvalid, Field: "maxPlayers", Offset: 8},
		{Name: "players are no number", In: "\x02\x08\x011\x01a\x01b\x01x", Err: lobbywire.ErrInvalid, Field: "maxPlayers", Offset: 8},
		{Name: "no payloads", In: "\x02\x00", Err: lobbywire.ErrInvalid, Field: "port", Offset: 2},
		{Name: "payloads missing", In: "\x02\x04\x011\x01a", Err: lobbywire.ErrInvalid, Field: "map", Offset: 6},
		{Name: "payload too many", In: "\x02\x09\x011\x01a\x01b\x012\x00", Err: lobbywire.ErrTrailing, Offset: 10},
		{Name: "payload beyond the message", In: "\x02\x08\x011\x01a\x04bbbb", Err: lobbywire.ErrInvalid, Field: "map", Offset: 6},
		{Name: "cut", In: "\x02\x08\x011\x01a\x01", Err: lobbywire.ErrTruncated, Field: "map", Offset: 6},
	})
	laws.Refusals(t, []laws.Refusal{
		{Name: "port 0", Value: wzbin.OpenGame{Name: "a", Map: "b"}, Err: lobbywire.ErrInvalid, Field: "port"},
		{Name: "TAB in the name", Value: wzbin.OpenGame{Port: 1, Name: "a\tb"}, Err: lobbywire.ErrInvalid, Field: "name"},
		{Name: "NUL in the map", Value: wzbin.OpenGame{Port: 1, Map: "\x00"}, Err: lobbywire.ErrInvalid, Field: "map"},
		{Name: "Latin-1", Value: wzbin.OpenGame{Port: 1, Name: "Gr\xfc\xdfe"}, Err: lobbywire.ErrInvalid, Field: "name"},
		{Name: "name too long for a payload", Value: wzbin.OpenGame{Port: 1, Name: strings.Repeat("a", 255)}, Err: lobbywire.ErrTooLarge, Field: "name"},
		{Name: "name and map too long for a message", Value: wzbin.OpenGame{Port: 1, Name: strings.Repeat("a", 249), Map: "b"}, Err: lobbywire.ErrTooLarge, Field: "size"},
	})
}

func TestOpenGameLongest(t *testing.T) {
	m := wzbin.OpenGame{Port: 1, Name: strings.Repeat("a", 247), Map: "bb"}
	b, err := m.AppendBinary(nil)
	if err != nil || len(b) != wzbin.MaxFrame {
		t.Errorf("%d bytes, %v, want %d", len(b), err, wzbin.MaxFrame)
	}
}

func TestOpenGameStrict(t *testing.T) {
	strictOpenGames := laws.Codec[wzbin.OpenGame]{Parse: strict.ParseOpenGame}
	strictOpenGames.Table(t, []laws.Case[wzbin.OpenGame]{
		{Name: "sample", In: openGameFrame, Want: theGame()},
		{Name: "leading zero", In: "\x02\x09\x0201\x01a\x01b\x014", Err: lobbywire.ErrInvalid, Field: "port", Offset: 2},
		{Name: "LF", In: "\x02\x08\x011\x01\n\x01b\x014", Err: lobbywire.ErrInvalid, Field: "name", Offset: 4},
		{Name: "Latin-1", In: "\x02\x08\x011\x01a\x01\xfc\x014", Err: lobbywire.ErrInvalid, Field: "map", Offset: 6},
	})
}
