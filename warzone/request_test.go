package warzone_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/test/codectest"
	"github.com/lobbywire/lobbywire/warzone"
)

func TestRequestAcceptsItsFormsOnly(t *testing.T) {
	game := wantVersioned(2, func(m *warzone.Game) { m.Misc, m.Extra = "misc", "extra" })
	requestCodec.Table(t, []codectest.Case[warzone.Request]{
		{Name: "gaId", In: "gaId\x00", Want: warzone.GameIDRequest{}},
		{Name: "keep", In: "keep\x00", Want: warzone.Keep{}},
		{Name: "list", In: "list\x00", Want: warzone.ListRequest{}},
		{Name: "join", In: "join\x00", Want: warzone.JoinRequest{}},
		{Name: "motd", In: "motd\x00", Want: warzone.MOTDRequest{}},
		{Name: "addg", In: "addg\x00" + versioned(2, place2()), Want: warzone.AddGame{Game: game}},
		{Name: "addg with a record", In: "addg\x00" + record("name"),
			Want: warzone.AddGame{Game: wantRecord(warzone.Layout21)}},
		{Name: "update", In: versioned(2, place2()), Want: warzone.Update{Game: game}},
		{Name: "no command", In: "vers", Want: warzone.Unknown{Command: "vers"}},
		{Name: "bytes that are no letters", In: "\x16\x03\x01\x02", Want: warzone.Unknown{Command: "\x16\x03\x01\x02"}},

		{Name: "capital letters", In: "LIST\n\r", Differs: true, Want: warzone.ListRequest{},
			Strict: lobbywire.ErrInvalid},
		{Name: "gaId in small letters", In: "gaid\x00", Differs: true, Want: warzone.GameIDRequest{},
			Strict: lobbywire.ErrInvalid},
		{Name: "LF as last byte", In: "list\n", Differs: true, Want: warzone.ListRequest{},
			Strict: lobbywire.ErrInvalid},
		{Name: "any last byte", In: "keep!", Differs: true, Want: warzone.Keep{}, Strict: lobbywire.ErrInvalid},
		{Name: "any last byte of addg", In: "ADDG\n" + record("name"), Differs: true,
			Want: warzone.AddGame{Game: wantRecord(warzone.Layout21)}, Strict: lobbywire.ErrInvalid},
		{Name: "no last byte", In: "list", Differs: true, Want: warzone.ListRequest{}, Strict: lobbywire.ErrTruncated},
		{Name: "bytes around it", In: "\r\n\x00\x00\x00\x00\x00list\x00\x00\n\x00", Differs: true,
			Want: warzone.ListRequest{}, Strict: lobbywire.ErrInvalid},
		{Name: "zero bytes before an update", In: "\x00\x00" + versioned(2, place2()), Differs: true,
			Want: warzone.Update{Game: game}, Strict: lobbywire.ErrInvalid},

		{Name: "nothing", In: "", Err: lobbywire.ErrTruncated, Field: "command", Offset: 0},
		{Name: "command cut", In: "lis", Err: lobbywire.ErrTruncated, Field: "command", Offset: 0},
		{Name: "bytes that can be a version", In: "\n\x00\x00\x00",
			Err: lobbywire.ErrTruncated, Field: "command", Offset: 1, Strict: lobbywire.ErrInvalid},
		{Name: "addg alone", In: "addg", Err: lobbywire.ErrTruncated, Field: "commandEnd", Offset: 4},
		{Name: "addg without a game", In: "addg\x00", Err: lobbywire.ErrTruncated, Field: "game.version", Offset: 5},
		{Name: "game cut", In: "addg\x00" + versioned(2, "")[:100],
			Err: lobbywire.ErrTruncated, Field: "game.host", Offset: 81},
		{Name: "update cut", In: versioned(2, "")[:100], Err: lobbywire.ErrTruncated, Field: "game.host", Offset: 76},
		{Name: "another version", In: "addg\x00" + words(9),
			Err: lobbywire.ErrUnsupported, Field: "game.version", Offset: 5},
		{Name: "update of another version", In: "\x00" + words(9),
			Err: lobbywire.ErrUnsupported, Field: "game.version", Offset: 1, Strict: lobbywire.ErrInvalid},
		{Name: "two requests", In: "keep\x00keep\x00", Err: lobbywire.ErrTrailing, Offset: 5},
		{Name: "more than no command", In: "version\x00", Err: lobbywire.ErrTrailing, Offset: 4},
	})
	codectest.Refusals(t, []codectest.Refusal{
		{Name: "game refused", Value: warzone.AddGame{Game: warzone.Game{Version: 4, Name: "\x00"}},
			Err: lobbywire.ErrInvalid, Field: "game.name"},
		{Name: "update refused", Value: warzone.Update{}, Err: lobbywire.ErrUnsupported, Field: "game.version"},
		{Name: "command in another case", Value: warzone.Unknown{Command: "LIST"},
			Err: lobbywire.ErrInvalid, Field: "command"},
		{Name: "zero byte first", Value: warzone.Unknown{Command: "\x00abc"},
			Err: lobbywire.ErrInvalid, Field: "command"},
		{Name: "five letters", Value: warzone.Unknown{Command: "hello"}, Err: lobbywire.ErrInvalid, Field: "command"},
	})
}

func TestStrictRequestNeedsALastByte(t *testing.T) {
	for _, tt := range []struct {
		name, in string
		want     warzone.Request
		err      error
		field    string
		offset   int
	}{
		{"list", "list\x00", warzone.ListRequest{}, nil, "", 0},
		{"gaId", "gaId\x00", warzone.GameIDRequest{}, nil, "", 0},
		{"capital letters", "LIST", nil, lobbywire.ErrInvalid, "command", 0},
		{"LF as last byte", "list\n", nil, lobbywire.ErrInvalid, "commandEnd", 4},
		{"no last byte", "list", nil, lobbywire.ErrTruncated, "commandEnd", 4},
		{"bytes after it", "list\x00\n", nil, lobbywire.ErrTrailing, "", 5},
		{"bytes before it", "\nlist\x00", nil, lobbywire.ErrInvalid, "command", 0},
		{"zero bytes", "\x00\x00\x00\x00", nil, lobbywire.ErrInvalid, "command", 0},
		{"game that is not filled", "addg\x00" + "name\x00x" + record("name")[6:], nil,
			lobbywire.ErrInvalid, "game.name", 5},
	} {
		got, err := strict.ParseRequest([]byte(tt.in))
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
		if tt.err != nil {
			wantError(t, tt.name, err, tt.err, tt.field, tt.offset)
		} else if err != nil {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
}
