package gameagent_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/internal/test/codectest"
)

// record returns a record as the engine sends it.
func record(index int, name, frags, ping string) string {
	return fmt.Sprintf("player_%d\x02%s\x03frags_%d\x02%s\x03ping_%d\x02%s\x03", index, name, index, frags, index, ping)
}

const header2 = "\x01players\x022\x03"

func TestPlayersAcceptTheirFormsOnly(t *testing.T) {
	sam := gameagent.Player{Index: 0, Name: "^oSam^r", Frags: new(int32(14)), Ping: new(80)}
	none := []gameagent.Player{}
	playersCodec.Table(t, []codectest.Case[gameagent.Players]{
		{Name: "no players", In: "\x01players\x020\x03\x04", Want: gameagent.Players{Players: none}},
		{Name: "more than are listed", In: header2 + record(0, "^oSam^r", "14", "80") + "\x04",
			Want: gameagent.Players{Count: 2, Players: []gameagent.Player{sam}}},
		{Name: "gap and negative frags",
			In: header2 + record(2, "", "-2147483648", "0") + record(5, "b", "0", "1") + "\x04",
			Want: gameagent.Players{Count: 2,
				Players: []gameagent.Player{{Index: 2, Frags: new(int32(math.MinInt32)), Ping: new(0)},
					{Index: 5, Name: "b", Frags: new(int32(0)), Ping: new(1)}}}},
		{Name: "replaced names", In: header2 + record(0, "\x11", "0", "0") + record(1, "\x12", "0", "0") + "\x04",
			Want: gameagent.Players{Count: 2,
				Players: []gameagent.Player{{Name: gameagent.InvalidNewline, Frags: new(int32(0)), Ping: new(0)},
					{Index: 1, Name: gameagent.InvalidChar, Frags: new(int32(0)), Ping: new(0)}}}},
		{Name: "bytes from 0x80 on in a name", In: header2 + record(0, "J\xfcrgen", "0", "0") + "\x04",
			Want: gameagent.Players{Count: 2,
				Players: []gameagent.Player{{Name: "J\xfcrgen", Frags: new(int32(0)), Ping: new(0)}}}},
		{Name: "pairs in another order", In: header2 + "ping_1\x022\x03frags_0\x021\x03player_1\x02b\x03\x04",
			Differs: true,
			Want: gameagent.Players{Count: 2,
				Players: []gameagent.Player{{Index: 1, Name: "b", Ping: new(2)}, {Frags: new(int32(1))}}}},
		{Name: "values that are not numbers", In: header2 + record(0, "a", "x", "-5") + "\x04",
			Want: gameagent.Players{Count: 2, Players: []gameagent.Player{{Name: "a",
				Extra: []gameagent.Pair{{Key: "frags", Value: "x"},
					{Key: "ping", Value: "-5"}}}}}, Strict: lobbywire.ErrInvalid},
		{Name: "second name", In: header2 + "player_0\x02a\x03player_0\x02b\x03\x04",
			Want: gameagent.Players{Count: 2,
				Players: []gameagent.Player{{Name: "a",
					Extra: []gameagent.Pair{{Key: "player", Value: "b"}}}}}, Strict: lobbywire.ErrInvalid},
		{Name: "unknown keys", In: header2 + record(0, "a", "1", "2") + "team_0\x02red\x03" + "mode\x02ctf\x03" +
			"x_01\x02y\x03\x04",
			Want: gameagent.Players{Count: 2,
				Players: []gameagent.Player{{Name: "a", Frags: new(int32(1)), Ping: new(2),
					Extra: []gameagent.Pair{{Key: "team", Value: "red"}}}},
				Extra: []gameagent.Pair{{Key: "mode", Value: "ctf"},
					{Key: "x_01", Value: "y"}}}, Strict: lobbywire.ErrInvalid},
		{Name: "records of ClassicsPatch", In: header2 + `\player_0\Sam\frags_0\3\ping_0\20` + "\x04", Differs: true,
			Want:   gameagent.Players{Count: 2, Players: []gameagent.Player{{Name: "Sam", Frags: new(int32(3)), Ping: new(20)}}},
			Strict: lobbywire.ErrTruncated},
		{Name: "count with leading zeros", In: "\x01players\x0200\x03\x04", Want: gameagent.Players{Players: none},
			Differs: true},
		{Name: "empty datagram", In: "", Err: lobbywire.ErrTruncated, Field: "type", Offset: 0},
		{Name: "cut in the header", In: "\x01play", Err: lobbywire.ErrTruncated, Field: "key", Offset: 1},
		{Name: "another header", In: "\x01plays\x02", Err: lobbywire.ErrInvalid, Field: "key", Offset: 1},
		{Name: "challenge", In: "\x01\x03\xd3\xe5\x33", Err: lobbywire.ErrInvalid, Field: "key", Offset: 1},
		{Name: "empty count", In: "\x01players\x02\x03\x04", Err: lobbywire.ErrInvalid, Field: "count", Offset: 9},
		{Name: "count cut", In: "\x01players\x021", Err: lobbywire.ErrTruncated, Field: "count", Offset: 9},
		{Name: "count too large", In: "\x01players\x022147483648\x03\x04",
			Err: lobbywire.ErrTooLarge, Field: "count", Offset: 9},
		{Name: "no end mark", In: header2, Err: lobbywire.ErrTruncated, Field: "end", Offset: 11},
		{Name: "cut in a key", In: header2 + "player_0", Err: lobbywire.ErrTruncated, Field: "key", Offset: 11},
		{Name: "cut in a value", In: header2 + "player_0\x02ab",
			Err: lobbywire.ErrTruncated, Field: "players[0].name", Offset: 20},
		{Name: "byte after the end mark", In: header2 + "\x04\x00", Err: lobbywire.ErrTrailing, Offset: 12},
		{Name: "packet that is not the first", In: record(0, "a", "1", "2") + "\x04",
			Err: lobbywire.ErrInvalid, Field: "type", Offset: 0},
	})
	strictly(playersCodec, gameagent.Options.ParsePlayers).Table(t, []codectest.Case[gameagent.Players]{
		{Name: "strictly a gap", In: header2 + record(5, "b", "0", "1") + "\x04",
			Want: gameagent.Players{Count: 2, Players: []gameagent.Player{{Index: 5, Name: "b", Frags: new(int32(0)),
				Ping: new(1)}}}},
		{Name: "strictly an unknown key", In: header2 + "mode\x02ctf\x03\x04",
			Err: lobbywire.ErrInvalid, Field: "key", Offset: 11},
		{Name: "strictly an unknown key of a player", In: header2 + "team_0\x02red\x03\x04",
			Err: lobbywire.ErrInvalid, Field: "players[0].extra", Offset: 18},
		{Name: "strictly no number", In: header2 + "frags_0\x02x\x03\x04",
			Err: lobbywire.ErrInvalid, Field: "players[0].frags", Offset: 19},
		{Name: "strictly a control character", In: header2 + "player_0\x02a\tb\x03\x04",
			Err: lobbywire.ErrInvalid, Field: "players[0].name", Offset: 20},
		{Name: "strictly a replaced name", In: header2 + record(0, "\x12", "0", "0") + "\x04",
			Want: gameagent.Players{Count: 2, Players: []gameagent.Player{{Name: gameagent.InvalidChar,
				Frags: new(int32(0)), Ping: new(0)}}}},
		{Name: "strictly a backslash, which may begin a key that is never complete",
			In: header2 + `\player_0\Sam` + "\x04", Err: lobbywire.ErrTruncated, Field: "key", Offset: 11},
	})
}

func TestPlayersRefuseWhatTheWireCannotCarry(t *testing.T) {
	one := func(p gameagent.Player) gameagent.Players { return gameagent.Players{Players: []gameagent.Player{p}} }
	many := gameagent.Players{}
	for i := range gameagent.MaxPlayers + 1 {
		many.Players = append(many.Players, gameagent.Player{Index: i})
	}
	codectest.Refusals(t, []codectest.Refusal{
		{Name: "line break in a name", Value: one(gameagent.Player{Name: "a\nb"}),
			Err: lobbywire.ErrInvalid, Field: "players[0].name"},
		{Name: "end of a value in a name", Value: one(gameagent.Player{Name: "a\x03"}),
			Err: lobbywire.ErrInvalid, Field: "players[0].name"},
		{Name: "zero byte in a name", Value: one(gameagent.Player{Name: "\x00"}),
			Err: lobbywire.ErrInvalid, Field: "players[0].name"},
		{Name: "replacement within a name", Value: one(gameagent.Player{Name: "\x11a"}),
			Err: lobbywire.ErrInvalid, Field: "players[0].name"},
		{Name: "negative index", Value: one(gameagent.Player{Index: -1}),
			Err: lobbywire.ErrInvalid, Field: "players[0].index"},
		{Name: "negative ping", Value: one(gameagent.Player{Ping: new(-1)}),
			Err: lobbywire.ErrInvalid, Field: "players[0].ping"},
		{Name: "one index twice", Value: gameagent.Players{Players: make([]gameagent.Player, 2)},
			Err: lobbywire.ErrInvalid, Field: "players[1].index"},
		{Name: "negative count", Value: gameagent.Players{Count: -1}, Err: lobbywire.ErrInvalid, Field: "count"},
		{Name: "control character in an unknown key",
			Value: one(gameagent.Player{Extra: []gameagent.Pair{{Key: "\x02"}}}),
			Err:   lobbywire.ErrInvalid, Field: "players[0].extra"},
		{Name: "control character in its value", Value: one(gameagent.Player{Extra: []gameagent.Pair{{Value: "\x03"}}}),
			Err: lobbywire.ErrInvalid, Field: "players[0].extra"},
		{Name: "unknown key that begins with a backslash",
			Value: one(gameagent.Player{Extra: []gameagent.Pair{{Key: `\a`}}}),
			Err:   lobbywire.ErrInvalid, Field: "players[0].extra"},
		{Name: "key of a player among those of none",
			Value: gameagent.Players{Extra: []gameagent.Pair{{Key: "team_0"}}},
			Err:   lobbywire.ErrInvalid, Field: "extra[0].key"},
		{Name: "control character among those of none",
			Value: gameagent.Players{Extra: []gameagent.Pair{{}, {Value: "\x04"}}},
			Err:   lobbywire.ErrInvalid, Field: "extra[1].value"},
		{Name: "too many players", Value: many, Err: lobbywire.ErrTooLarge, Field: "players"},
		{Name: "2049 bytes, as the engine may send",
			Value: gameagent.Players{Players: []gameagent.Player{{Name: strings.Repeat("x", 2027)}}},
			Err:   lobbywire.ErrTooLarge},
		{Name: "packet of nothing", Value: gameagent.Players{NotFirst: true, NotLast: true},
			Err: lobbywire.ErrInvalid, Field: "players"},
		{Name: "count in a packet that is not the first", Value: gameagent.Players{NotFirst: true, Count: 1},
			Err: lobbywire.ErrInvalid, Field: "count"},
	})
	if _, err := (gameagent.Players{Players: []gameagent.Player{{Name: strings.Repeat("x",
		2007)}}}).AppendBinary(nil); err != nil {
		t.Errorf("2048 bytes: %v", err)
	}
}

// A datagram of too many players fails.
func TestTooManyPlayersAreRefused(t *testing.T) {
	var s strings.Builder
	s.WriteString(header2)
	for i := range gameagent.MaxPlayers + 1 {
		fmt.Fprintf(&s, "a_%d\x02\x03", i)
	}
	_, err := gameagent.ParsePlayers([]byte(s.String()))
	if !errors.Is(err, lobbywire.ErrTooLarge) {
		t.Errorf("error %v", err)
	}
}

func TestPlayersPartAcceptsItsFormsOnly(t *testing.T) {
	a := []gameagent.Player{{Index: 3, Name: "a", Frags: new(int32(1)), Ping: new(2)}}
	rec := record(3, "a", "1", "2")
	playersPartCodec.Table(t, []codectest.Case[gameagent.Players]{
		{Name: "whole answer", In: header2 + rec + "\x04", Want: gameagent.Players{Count: 2, Players: a}},
		{Name: "first", In: header2 + rec, Want: gameagent.Players{Count: 2, Players: a, NotLast: true}},
		{Name: "middle", In: rec, Want: gameagent.Players{Players: a, NotFirst: true, NotLast: true}},
		{Name: "last", In: rec + "\x04", Want: gameagent.Players{Players: a, NotFirst: true}},
		{Name: "end mark alone, which the engine does not send", In: "\x04",
			Want: gameagent.Players{Players: []gameagent.Player{}, NotFirst: true}, Refused: true},
		{Name: "empty datagram", In: "", Err: lobbywire.ErrTruncated, Field: "type", Offset: 0},
		{Name: "record cut", In: rec[:len(rec)-1], Err: lobbywire.ErrTruncated, Field: "players[0].ping", Offset: 28},
	})
}

// Packets splits an answer of any length between records.
func TestPlayersAreCutBetweenRecords(t *testing.T) {
	m := gameagent.Players{Count: 40}
	for i := range 40 {
		m.Players = append(m.Players,
			gameagent.Player{Index: i, Name: strings.Repeat("x", 100), Extra: []gameagent.Pair{{Key: "k", Value: "v"}}})
	}
	m.Extra = []gameagent.Pair{{Key: "mode", Value: "ctf"}}
	packets, err := m.Packets()
	if err != nil {
		t.Fatal(err)
	}
	var players []gameagent.Player
	for i, b := range packets {
		p, err := partial.ParsePlayers(b)
		if err != nil {
			t.Fatal(err)
		}
		if len(b) > gameagent.MaxPacket || p.NotFirst != (i > 0) || p.NotLast != (i < len(packets)-1) ||
			len(p.Players) == 0 {
			t.Errorf("packet %d of %d: %d bytes, not first %v, not last %v, %d players", i, len(packets), len(b),
				p.NotFirst, p.NotLast, len(p.Players))
		}
		players = append(players, p.Players...)
	}
	if diff := cmp.Diff(m.Players, players); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	m.Players[7].Name = strings.Repeat("x", gameagent.MaxPacket)
	_, err = m.Packets()
	if err == nil || err.Error() != "gameagent: players[7]: limit exceeded: 2064, at most 2048" {
		t.Errorf("record that fits no packet: %v", err)
	}
	m.Players[7].Name = "\n"
	_, err = m.Packets()
	const invalid = "gameagent: players[7].name: invalid value: contains a control character or a delimiter"
	if err == nil || err.Error() != invalid {
		t.Errorf("name that cannot be sent: %v", err)
	}
}

func TestNamesAreDecoratedOnTheWire(t *testing.T) {
	for _, tt := range []struct{ name, wire, plain string }{
		{"Sam", "^oSam^r", "Sam"},
		{"", "^o^r", ""},
		{"^cff0000Sam", "^o^cff0000Sam^r", "^cff0000Sam"},
		{"a\nb", gameagent.InvalidNewline, ""},
		{"a\rb\t", gameagent.InvalidNewline, ""},
		{"a\tb\n", gameagent.InvalidChar, ""},
		{"J\xfcrgen", gameagent.InvalidChar, ""},
		{"\x11", gameagent.InvalidChar, ""},
		{"\x7f", "^o\x7f^r", "\x7f"},
	} {
		wire := gameagent.WireName(tt.name)
		if wire != tt.wire {
			t.Errorf("WireName(%q) is %q, want %q", tt.name, wire, tt.wire)
		}
		if got := gameagent.PlainName(wire); got != tt.plain {
			t.Errorf("plain %q is %q, want %q", wire, got, tt.plain)
		}
	}
	for in, want := range map[string]string{"Sam": "Sam", "^oSam": "^oSam", "Sam^r": "Sam^r", "^o": "^o",
		"^o^oSam^r^r": "^oSam^r"} {
		if got := gameagent.PlainName(in); got != want {
			t.Errorf("plain %q is %q, want %q", in, got, want)
		}
	}
	if got := gameagent.DecorateName("J\xfcrgen"); got != "^oJ\xfcrgen^r" {
		t.Errorf("decorated: %q", got)
	}
}
