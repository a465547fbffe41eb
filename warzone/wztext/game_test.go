package wztext_test

import (
	"net/netip"
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/laws"
	"github.com/lobbywire/lobbywire/warzone/wztext"
)

// bananaGame is a game of the proposal's sample.
func bananaGame() wztext.Game {
	return wztext.Game{
		IP:         netip.MustParseAddr("192.0.2.17"),
		Port:       2100,
		Name:       "Banana Game :-)",
		Map:        "Sk-Rush",
		MaxPlayers: 4,
		Status:     wztext.StatusOpen,
	}
}

// with returns the banana game, changed.
func with(change func(m *wztext.Game)) wztext.Game {
	m := bananaGame()
	change(&m)
	return m
}

func TestGame(t *testing.T) {
	games.Table(t, []laws.Case[wztext.Game]{
		{Name: "sample", In: "192.0.2.17\t2100\tBanana Game :-)\tSk-Rush\t4\topen\n", Want: bananaGame()},
		{Name: "started", In: "192.0.2.17\t2100\tBanana Game :-)\tSk-Rush\t4\tstarted\r\n",
			Want: with(func(m *wztext.Game) { m.Status = wztext.StatusStarted }), Differs: true},
		{Name: "capital letters in the status", In: "192.0.2.17\t2100\tBanana Game :-)\tSk-Rush\t4\tOpen\n", Want: bananaGame(), Differs: true},
		{Name: "a status that is not known", In: "192.0.2.17\t2100\tBanana Game :-)\tSk-Rush\t4\thalf-full\n",
			Want: with(func(m *wztext.Game) { m.Status = "half-full" })},
		{Name: "IPv6", In: "2001:db8::17\t2100\tBanana Game :-)\tSk-Rush\t4\topen\n",
			Want: with(func(m *wztext.Game) { m.IP = netip.MustParseAddr("2001:db8::17") })},
		{Name: "IPv6 with a zone", In: "fe80::1%eth 0\t2100\tBanana Game :-)\tSk-Rush\t4\topen\n",
			Want: with(func(m *wztext.Game) { m.IP = netip.MustParseAddr("fe80::1%eth 0") })},
		{Name: "IPv6 written at length", In: "2001:DB8:0::17\t2100\tBanana Game :-)\tSk-Rush\t4\topen\n",
			Want: with(func(m *wztext.Game) { m.IP = netip.MustParseAddr("2001:db8::17") }), Differs: true},
		{Name: "IPv6 in brackets", In: "[::1]\t2100\ta\tb\t4\topen\n", Err: lobbywire.ErrInvalid, Field: "ip", Offset: 0},
		{Name: "host name", In: "localhost\t2100\ta\tb\t4\topen\n", Err: lobbywire.ErrInvalid, Field: "ip", Offset: 0},
		{Name: "empty line", In: "\n", Err: lobbywire.ErrInvalid, Field: "ip", Offset: 0},
		{Name: "space behind the ip", In: "::1 2100\ta\tb\t4\topen\n", Err: lobbywire.ErrInvalid, Field: "ip", Offset: 0},
		{Name: "five columns", In: "::1\t2100\ta\tb\t4\n", Err: lobbywire.ErrInvalid, Field: "status", Offset: 14},
		{Name: "seven columns", In: "::1\t2100\ta\tb\t4\topen\t1\n", Err: lobbywire.ErrTrailing, Offset: 20},
		{Name: "cut", In: "::1\t2100\ta\tb\t4\topen", Err: lobbywire.ErrTruncated, Field: "status", Offset: 15},
	})
	laws.Refusals(t, []laws.Refusal{
		{Name: "no ip", Value: with(func(m *wztext.Game) { m.IP = netip.Addr{} }), Err: lobbywire.ErrInvalid, Field: "ip"},
		{Name: "TAB in the zone", Value: with(func(m *wztext.Game) { m.IP = netip.IPv6Unspecified().WithZone("a\tb") }), Err: lobbywire.ErrInvalid, Field: "ip"},
		{Name: "port 0", Value: with(func(m *wztext.Game) { m.Port = 0 }), Err: lobbywire.ErrInvalid, Field: "port"},
		{Name: "LF in the name", Value: with(func(m *wztext.Game) { m.Name = "\n" }), Err: lobbywire.ErrInvalid, Field: "name"},
		{Name: "TAB in the map", Value: with(func(m *wztext.Game) { m.Map = "\t" }), Err: lobbywire.ErrInvalid, Field: "map"},
		{Name: "no status", Value: with(func(m *wztext.Game) { m.Status = "" }), Err: lobbywire.ErrInvalid, Field: "status"},
		{Name: "status of two words", Value: with(func(m *wztext.Game) { m.Status = "half full" }), Err: lobbywire.ErrInvalid, Field: "status"},
		{Name: "status with a capital", Value: with(func(m *wztext.Game) { m.Status = "Open" }), Err: lobbywire.ErrInvalid, Field: "status"},
		{Name: "status beyond ASCII", Value: with(func(m *wztext.Game) { m.Status = "ge\u00f6ffnet" }), Err: lobbywire.ErrInvalid, Field: "status"},
		{Name: "line too long", Value: with(func(m *wztext.Game) { m.Name = strings.Repeat("a", wztext.MaxLine) }), Err: lobbywire.ErrTooLarge},
	})
}

func TestGameStrict(t *testing.T) {
	strictGames := laws.Codec[wztext.Game]{Parse: strict.ParseGame, Compare: compare}
	strictGames.Table(t, []laws.Case[wztext.Game]{
		{Name: "sample", In: "192.0.2.17\t2100\tBanana Game :-)\tSk-Rush\t4\topen\n", Want: bananaGame()},
		{Name: "capital letters in the status", In: "::1\t1\ta\tb\t4\tOpen\n", Err: lobbywire.ErrInvalid, Field: "status", Offset: 12},
		{Name: "empty status", In: "::1\t1\ta\tb\t4\t\n", Err: lobbywire.ErrInvalid, Field: "status", Offset: 12},
		{Name: "IPv6 written at length", In: "0::1\t1\ta\tb\t4\topen\n", Err: lobbywire.ErrInvalid, Field: "ip", Offset: 0},
		{Name: "NUL in the zone", In: "::1%\x00\t1\ta\tb\t4\topen\n", Err: lobbywire.ErrInvalid, Field: "ip", Offset: 0},
	})
}
