package wzproposal_test

import (
	"net/netip"
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/test/codectest"
	"github.com/lobbywire/lobbywire/warzone/wzproposal"
)

// bananaGame is a game of the proposal's sample.
func bananaGame() wzproposal.Game {
	return wzproposal.Game{
		IP:         netip.MustParseAddr("192.0.2.17"),
		Port:       2100,
		Name:       "Banana Game :-)",
		Map:        "Sk-Rush",
		MaxPlayers: 4,
		Status:     wzproposal.StatusOpen,
	}
}

// with returns the banana game, changed.
func with(change func(m *wzproposal.Game)) wzproposal.Game {
	m := bananaGame()
	change(&m)
	return m
}

// line returns the line of a game with any columns.
func line(columns ...string) string { return strings.Join(columns, "\t") + "\n" }

// game returns the frame of a game with any payloads.
func game(payloads ...string) string {
	size := 0
	body := ""
	for _, p := range payloads {
		size += 1 + len(p)
		body += string([]byte{byte(len(p))}) + p
	}
	return "\x06" + string([]byte{byte(size)}) + body
}

// bananaGame in both encodings.
const (
	bananaRow   = "192.0.2.17\t2100\tBanana Game :-)\tSk-Rush\t4\topen\n"
	bananaFrame = "\x06\x2f\x0a192.0.2.17\x042100\x0fBanana Game :-)\x07Sk-Rush\x014\x04open"
)

func TestGameAcceptsItsFormsOnly(t *testing.T) {
	gameCodec.table(t, gameRows([]gameRow{
		{Name: "started", Fields: []string{"192.0.2.17", "2100", "Banana Game :-)", "Sk-Rush", "4", "started"},
			Want: with(func(m *wzproposal.Game) { m.Status = wzproposal.StatusStarted })},
		{Name: "capital letters in the status",
			Fields: []string{"192.0.2.17", "2100", "Banana Game :-)", "Sk-Rush", "4", "Open"}, Want: bananaGame(),
			Differs: true, Strict: lobbywire.ErrInvalid},
		{Name: "a status that is not known",
			Fields: []string{"192.0.2.17", "2100", "Banana Game :-)", "Sk-Rush", "4", "half-full"},
			Want:   with(func(m *wzproposal.Game) { m.Status = "half-full" })},
		{Name: "empty texts", Fields: []string{"::", "1", "", "", "0", "open"},
			Want: wzproposal.Game{IP: netip.IPv6Unspecified(), Port: 1, Status: "open"}},
		{Name: "IPv6", Fields: []string{"2001:db8::17", "2100", "Banana Game :-)", "Sk-Rush", "4", "open"},
			Want: with(func(m *wzproposal.Game) { m.IP = netip.MustParseAddr("2001:db8::17") })},
		{Name: "IPv6 with a zone", Fields: []string{"fe80::1%eth 0", "2100", "Banana Game :-)", "Sk-Rush", "4", "open"},
			Want: with(func(m *wzproposal.Game) { m.IP = netip.MustParseAddr("fe80::1%eth 0") })},
		{Name: "IPv6 written at length",
			Fields: []string{"2001:DB8:0::17", "2100", "Banana Game :-)", "Sk-Rush", "4", "open"},
			Want:   with(func(m *wzproposal.Game) { m.IP = netip.MustParseAddr("2001:db8::17") }), Differs: true,
			Strict: lobbywire.ErrInvalid},
		{Name: "IPv6 in brackets", Fields: []string{"[::1]", "2100", "a", "b", "4", "open"},
			Err: lobbywire.ErrInvalid, Field: "ip", BinaryAt: 2},
		{Name: "host name", Fields: []string{"localhost", "2100", "a", "b", "4", "open"},
			Err: lobbywire.ErrInvalid, Field: "ip", BinaryAt: 2},
		{Name: "address as four bytes", Fields: []string{"\xc0\x00\x02\x11", "2100", "a", "b", "4", "open"},
			Err: lobbywire.ErrInvalid, Field: "ip", BinaryAt: 2},
		{Name: "five fields", Fields: []string{"::1", "2100", "a", "b", "4"},
			Err: lobbywire.ErrInvalid, Field: "status", TextAt: 14, BinaryAt: 17},
		{Name: "seven fields", Fields: []string{"::1", "2100", "a", "b", "4", "open", "1"},
			Err: lobbywire.ErrTrailing, TextAt: 20, BinaryAt: 22},
	}))
	gameCodec.table(t, []row[wzproposal.Game]{
		{Name: "sample", Text: bananaRow, Binary: bananaFrame, Want: bananaGame()},
	})
	gameCodec.text.Table(t, []codectest.Case[wzproposal.Game]{
		{Name: "CRLF", In: "192.0.2.17\t2100\tBanana Game :-)\tSk-Rush\t4\topen\r\n", Want: bananaGame(),
			Differs: true},
		{Name: "empty line", In: "\n", Err: lobbywire.ErrInvalid, Field: "ip", Offset: 0},
		{Name: "space behind the ip", In: "::1 2100\ta\tb\t4\topen\n",
			Err: lobbywire.ErrInvalid, Field: "ip", Offset: 0},
		{Name: "cut", In: "::1\t2100\ta\tb\t4\topen", Err: lobbywire.ErrTruncated, Field: "status", Offset: 15},
	})
	gameCodec.binary.Table(t, []codectest.Case[wzproposal.Game]{
		{Name: "another command", In: "\x05\x02\x010", Err: lobbywire.ErrInvalid, Field: "command", Offset: 0},
	})
}

// A gameRow is a case whose fields are the same in both encodings.
type gameRow struct {
	Name             string
	Fields           []string
	Want             wzproposal.Game
	Err              error
	Field            string
	TextAt, BinaryAt int
	Strict           error
	Differs          bool
}

func gameRows(all []gameRow) (rows []row[wzproposal.Game]) {
	for _, r := range all {
		rows = append(rows, row[wzproposal.Game]{
			Name: r.Name, Text: line(r.Fields...), Binary: game(r.Fields...), Want: r.Want,
			Err: r.Err, Field: r.Field, TextAt: r.TextAt, BinaryAt: r.BinaryAt, Strict: r.Strict, Differs: r.Differs,
		})
	}
	return rows
}

func TestGameRefusesWhatTheWireCannotCarry(t *testing.T) {
	refusals(t, []codectest.Refusal{
		{Name: "no ip", Value: with(func(m *wzproposal.Game) { m.IP = netip.Addr{} }),
			Err: lobbywire.ErrInvalid, Field: "ip"},
		{Name: "TAB in the zone", Value: with(func(m *wzproposal.Game) {
			m.IP = netip.IPv6Unspecified().WithZone("a\tb")
		}), Err: lobbywire.ErrInvalid, Field: "ip"},
		{Name: "port 0", Value: with(func(m *wzproposal.Game) { m.Port = 0 }),
			Err: lobbywire.ErrInvalid, Field: "port"},
		{Name: "LF in the name", Value: with(func(m *wzproposal.Game) { m.Name = "\n" }),
			Err: lobbywire.ErrInvalid, Field: "name"},
		{Name: "TAB in the map", Value: with(func(m *wzproposal.Game) { m.Map = "\t" }),
			Err: lobbywire.ErrInvalid, Field: "map"},
		{Name: "no status", Value: with(func(m *wzproposal.Game) { m.Status = "" }),
			Err: lobbywire.ErrInvalid, Field: "status"},
		{Name: "status of two words", Value: with(func(m *wzproposal.Game) { m.Status = "half full" }),
			Err: lobbywire.ErrInvalid, Field: "status"},
		{Name: "status with a capital", Value: with(func(m *wzproposal.Game) { m.Status = "Open" }),
			Err: lobbywire.ErrInvalid, Field: "status"},
		{Name: "status beyond ASCII", Value: with(func(m *wzproposal.Game) { m.Status = "ge\u00f6ffnet" }),
			Err: lobbywire.ErrInvalid, Field: "status"},
	})
	codectest.Refusals(t, []codectest.Refusal{
		{Name: "line too long", Value: with(func(m *wzproposal.Game) {
			m.Name = strings.Repeat("a", wzproposal.MaxLine)
		}), Err: lobbywire.ErrTooLarge},
	})
	binaryRefusals(t, []codectest.Refusal{
		{Name: "zone too long for a payload", Value: with(func(m *wzproposal.Game) {
			m.IP = netip.IPv6Unspecified().WithZone(strings.Repeat("a", 253))
		}), Err: lobbywire.ErrTooLarge, Field: "ip"},
		{Name: "name too long for a payload", Value: with(func(m *wzproposal.Game) {
			m.Name = strings.Repeat("a", 255)
		}), Err: lobbywire.ErrTooLarge, Field: "name"},
		{Name: "name too long for the message", Value: with(func(m *wzproposal.Game) {
			m.Name = strings.Repeat("a", 254)
		}), Err: lobbywire.ErrTooLarge, Field: "size"},
	})
}

func TestStrictGameHasOneForm(t *testing.T) {
	gameCodec.strictly().table(t, gameRows([]gameRow{
		{Name: "sample", Fields: []string{"192.0.2.17", "2100", "Banana Game :-)", "Sk-Rush", "4", "open"},
			Want: bananaGame()},
		{Name: "capital letters in the status", Fields: []string{"::1", "1", "a", "b", "4", "Open"},
			Err: lobbywire.ErrInvalid, Field: "status", TextAt: 12, BinaryAt: 14},
		{Name: "empty status", Fields: []string{"::1", "1", "a", "b", "4", ""},
			Err: lobbywire.ErrInvalid, Field: "status", TextAt: 12, BinaryAt: 14},
		{Name: "IPv6 written at length", Fields: []string{"0::1", "1", "a", "b", "4", "open"},
			Err: lobbywire.ErrInvalid, Field: "ip", BinaryAt: 2},
		{Name: "NUL in the zone", Fields: []string{"::1%\x00", "1", "a", "b", "4", "open"},
			Err: lobbywire.ErrInvalid, Field: "ip", BinaryAt: 2},
	}))
}
