package qr2_test

import (
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gamespy2"
	"github.com/lobbywire/lobbywire/gamespy2/qr2"
	"github.com/lobbywire/lobbywire/internal/test/codectest"
)

var testKey = [4]byte{0x10, 0x20, 0x30, 0x40}

// header is the type and the key of a heartbeat, and its only key and value.
const header = "\x03\x10\x20\x30\x40gamename\x00gmtest\x00\x00"

// gmtest returns a heartbeat with that header.
func gmtest(players, teams *gamespy2.Table) qr2.Heartbeat {
	return qr2.Heartbeat{Key: testKey, Info: []gamespy2.KeyValue{{Key: "gamename", Value: "gmtest"}}, Players: players,
		Teams: teams}
}

func table(columns []string, rows ...[]string) *gamespy2.Table {
	if columns == nil {
		columns = []string{}
	}
	if rows == nil {
		rows = [][]string{}
	}
	return &gamespy2.Table{Columns: columns, Rows: rows}
}

func TestHeartbeatAcceptsItsFormsOnly(t *testing.T) {
	empty := table(nil)
	ann := table([]string{"player_"}, []string{"Ann"})
	heartbeatCodec.Table(t, []codectest.Case[qr2.Heartbeat]{
		{Name: "ends after the keys", In: header, Want: gmtest(nil, nil)},
		{Name: "ends after the players", In: header + "\x00\x01player_\x00\x00Ann\x00", Want: gmtest(ann, nil)},
		{Name: "both tables", In: header + "\x00\x01player_\x00\x00Ann\x00" + "\x00\x00\x00", Want: gmtest(ann, empty)},
		{Name: "an empty value", In: header + "\x00\x01player_\x00\x00\x00",
			Want: gmtest(table([]string{"player_"}, []string{""}), nil)},
		{Name: "no keys", In: "\x03\x10\x20\x30\x40\x00",
			Want: qr2.Heartbeat{Key: testKey, Info: []gamespy2.KeyValue{}}},
		{Name: "a byte in place of the players", In: header + "\x00", Want: gmtest(nil, nil),
			Strict: lobbywire.ErrTruncated, Differs: true},
		{Name: "a count with nothing behind it", In: header + "\x00\x05", Want: gmtest(nil, nil),
			Strict: lobbywire.ErrTruncated, Differs: true},
		{Name: "a count of teams with nothing behind it", In: header + "\x00\x00\x00\x00\x00", Want: gmtest(empty, nil),
			Strict: lobbywire.ErrTruncated, Differs: true},
		{Name: "a byte after the teams", In: header + "\x00\x00\x00\x00\x00\x00\x00", Want: gmtest(empty, empty),
			Strict: lobbywire.ErrTrailing, Differs: true},
		{Name: "rows without columns", In: header + "\x00\x05\x00", Want: gmtest(empty, nil),
			Strict: lobbywire.ErrInvalid, Differs: true},
		{Name: "another type", In: "\x04\x10\x20\x30\x40\x00", Err: lobbywire.ErrInvalid, Field: "type", Offset: 0},
		{Name: "no end of the keys", In: "\x03\x10\x20\x30\x40a\x00b\x00",
			Err: lobbywire.ErrTruncated, Field: "info.end", Offset: 9},
		{Name: "a key without a value", In: "\x03\x10\x20\x30\x40a\x00",
			Err: lobbywire.ErrTruncated, Field: "info[0].value", Offset: 7},
		{Name: "a value is missing", In: header + "\x00\x01player_\x00score_\x00\x00Ann\x00",
			Err: lobbywire.ErrTruncated, Field: "players.rows[0].value", Offset: 44},
		{Name: "more rows than bytes", In: header + "\x00\x09player_\x00\x00Ann\x00",
			Err: lobbywire.ErrTruncated, Field: "players.count", Offset: 22},
		{Name: "more values than the limit", In: header + "\xff\xffplayer_\x00\x00Ann\x00",
			Err: lobbywire.ErrTooLarge, Field: "players.count", Offset: 22},
		{Name: "more columns than the limit", In: header + "\x00\x00" + strings.Repeat("a\x00", gamespy2.MaxColumns+1),
			Err: lobbywire.ErrTooLarge, Field: "players.columns[64].name", Offset: 152},
	})
}

func TestLookupFindsTheLastValue(t *testing.T) {
	m := qr2.Heartbeat{Info: []gamespy2.KeyValue{{Key: "a", Value: "1"}, {Key: "b"}, {Key: "a", Value: "2"}}}
	for key, want := range map[string]struct {
		value string
		ok    bool
	}{"a": {"2", true}, "b": {"", true}, "A": {"", false}} {
		if value, ok := m.Lookup(key); value != want.value || ok != want.ok {
			t.Errorf("%s: got %q, %v", key, value, ok)
		}
	}
}

// A table with the largest number of columns is written and read.
func TestHeartbeatMayHave64Columns(t *testing.T) {
	columns := strings.Repeat("a\x00", gamespy2.MaxColumns)
	heartbeatCodec.Table(t, []codectest.Case[qr2.Heartbeat]{{
		Name: "64 columns", In: header + "\x00\x00" + columns + "\x00",
		Want: gmtest(table(strings.Split(strings.Repeat("a", gamespy2.MaxColumns), "")), nil),
	}})
}

// A longer heartbeat than GameSpy's code sends is accepted, but not sent.
func TestLongHeartbeatIsReadButNotSent(t *testing.T) {
	in := "\x03\x10\x20\x30\x40a\x00" + strings.Repeat("b", qr2.MaxHeartbeat) + "\x00\x00"
	heartbeatCodec.Table(t, []codectest.Case[qr2.Heartbeat]{{
		Name: "over 1400 bytes", In: in, Strict: lobbywire.ErrTooLarge, Refused: true,
		Want: qr2.Heartbeat{Key: testKey,
			Info: []gamespy2.KeyValue{{Key: "a", Value: strings.Repeat("b", qr2.MaxHeartbeat)}}},
	}})
}

func TestHeartbeatRefusesWhatTheWireCannotCarry(t *testing.T) {
	info := func(key, value string) qr2.Heartbeat {
		return qr2.Heartbeat{Info: []gamespy2.KeyValue{{Key: key, Value: value}}}
	}
	codectest.Refusals(t, []codectest.Refusal{
		{Name: "empty key", Value: info("", "a"), Err: lobbywire.ErrInvalid, Field: "info[0].key"},
		{Name: "zero byte in a key", Value: info("a\x00", "a"), Err: lobbywire.ErrInvalid, Field: "info[0].key"},
		{Name: "zero byte in a value", Value: info("a", "a\x00"), Err: lobbywire.ErrInvalid, Field: "info[0].value"},
		{Name: "teams without players", Value: gmtest(nil, table(nil)), Err: lobbywire.ErrInvalid, Field: "players"},
		{Name: "empty column name", Value: gmtest(table([]string{""}), nil),
			Err: lobbywire.ErrInvalid, Field: "players.columns[0].name"},
		{Name: "rows without columns", Value: gmtest(table(nil, []string{}), nil),
			Err: lobbywire.ErrInvalid, Field: "players.count"},
		{Name: "too few values", Value: gmtest(table([]string{"a", "b"}, []string{"1"}), nil),
			Err: lobbywire.ErrInvalid, Field: "players.rows[0]"},
		{Name: "too many values", Value: gmtest(table([]string{"a"}, []string{"1", "2"}), nil),
			Err: lobbywire.ErrInvalid, Field: "players.rows[0]"},
		{Name: "zero byte in a table", Value: gmtest(table(nil), table([]string{"a"}, []string{"\x00"})),
			Err: lobbywire.ErrInvalid, Field: "teams.rows[0].value"},
		{Name: "too many columns", Value: gmtest(table(make([]string, gamespy2.MaxColumns+1)), nil),
			Err: lobbywire.ErrTooLarge, Field: "players.columns"},
		{Name: "too many rows", Value: gmtest(table([]string{"a"}, make([][]string, 1<<16)...), nil),
			Err: lobbywire.ErrTooLarge, Field: "players.count"},
		{Name: "one value too many", Value: gmtest(table([]string{"a"}, make([][]string, gamespy2.MaxTableValues+1)...), nil),
			Err: lobbywire.ErrTooLarge, Field: "players.count"},
		{Name: "no value too many", Value: gmtest(table([]string{"a"}, make([][]string, gamespy2.MaxTableValues)...), nil),
			Err: lobbywire.ErrInvalid, Field: "players.rows[0]"},
		{Name: "too long", Value: info("a", strings.Repeat("b", qr2.MaxHeartbeat)),
			Err: lobbywire.ErrTooLarge, Field: ""},
	})
}
