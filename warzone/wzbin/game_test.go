package wzbin_test

import (
	"net/netip"
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/laws"
	"github.com/lobbywire/lobbywire/warzone/wzbin"
)

// bananaGame is a game of the text proposal's sample.
func bananaGame() wzbin.Game {
	return wzbin.Game{
		IP:         netip.MustParseAddr("192.0.2.17"),
		Port:       2100,
		Name:       "Banana Game :-)",
		Map:        "Sk-Rush",
		MaxPlayers: 4,
		Status:     wzbin.StatusOpen,
	}
}

// with returns the banana game, changed.
func with(change func(m *wzbin.Game)) wzbin.Game {
	m := bananaGame()
	change(&m)
	return m
}

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

const bananaFrame = "\x06\x2f\x0a192.0.2.17\x042100\x0fBanana Game :-)\x07Sk-Rush\x014\x04open"

func TestGame(t *testing.T) {
	games.Table(t, []laws.Case[wzbin.Game]{
		{Name: "sample", In: bananaFrame, Want: bananaGame()},
		{Name: "started", In: game("192.0.2.17", "2100", "Banana Game :-)", "Sk-Rush", "4", "started"),
			Want: with(func(m *wzbin.Game) { m.Status = wzbin.StatusStarted })},
		{Name: "capital letters in the status", In: game("192.0.2.17", "2100", "Banana Game :-)", "Sk-Rush", "4", "OPEN"), Want: bananaGame(), Differs: true},
		{Name: "a status that is not known", In: game("192.0.2.17", "2100", "Banana Game :-)", "Sk-Rush", "4", "half-full"),
			Want: with(func(m *wzbin.Game) { m.Status = "half-full" })},
		{Name: "empty texts", In: game("::", "1", "", "", "0", "open"), Want: wzbin.Game{IP: netip.IPv6Unspecified(), Port: 1, Status: "open"}},
		{Name: "IPv6", In: game("2001:db8::17", "2100", "Banana Game :-)", "Sk-Rush", "4", "open"),
			Want: with(func(m *wzbin.Game) { m.IP = netip.MustParseAddr("2001:db8::17") })},
		{Name: "IPv6 written at length", In: game("2001:DB8:0::17", "2100", "Banana Game :-)", "Sk-Rush", "4", "open"),
			Want: with(func(m *wzbin.Game) { m.IP = netip.MustParseAddr("2001:db8::17") }), Differs: true},
		{Name: "host name", In: game("localhost", "2100", "a", "b", "4", "open"), Err: lobbywire.ErrInvalid, Field: "ip", Offset: 2},
		{Name: "address as four bytes", In: game("\xc0\x00\x02\x11", "2100", "a", "b", "4", "open"), Err: lobbywire.ErrInvalid, Field: "ip", Offset: 2},
		{Name: "five payloads", In: game("::1", "2100", "a", "b", "4"), Err: lobbywire.ErrInvalid, Field: "status", Offset: 17},
		{Name: "seven payloads", In: game("::1", "2100", "a", "b", "4", "open", "1"), Err: lobbywire.ErrTrailing, Offset: 22},
		{Name: "another command", In: "\x05\x02\x010", Err: lobbywire.ErrInvalid, Field: "command", Offset: 0},
	})
	laws.Refusals(t, []laws.Refusal{
		{Name: "no ip", Value: with(func(m *wzbin.Game) { m.IP = netip.Addr{} }), Err: lobbywire.ErrInvalid, Field: "ip"},
		{Name: "TAB in the zone", Value: with(func(m *wzbin.Game) { m.IP = netip.IPv6Unspecified().WithZone("a\tb") }), Err: lobbywire.ErrInvalid, Field: "ip"},
		{Name: "zone too long for a payload", Value: with(func(m *wzbin.Game) { m.IP = netip.IPv6Unspecified().WithZone(strings.Repeat("a", 253)) }), Err: lobbywire.ErrTooLarge, Field: "ip"},
		{Name: "port 0", Value: with(func(m *wzbin.Game) { m.Port = 0 }), Err: lobbywire.ErrInvalid, Field: "port"},
		{Name: "LF in the name", Value: with(func(m *wzbin.Game) { m.Name = "\n" }), Err: lobbywire.ErrInvalid, Field: "name"},
		{Name: "TAB in the map", Value: with(func(m *wzbin.Game) { m.Map = "\t" }), Err: lobbywire.ErrInvalid, Field: "map"},
		{Name: "no status", Value: with(func(m *wzbin.Game) { m.Status = "" }), Err: lobbywire.ErrInvalid, Field: "status"},
		{Name: "status of two words", Value: with(func(m *wzbin.Game) { m.Status = "half full" }), Err: lobbywire.ErrInvalid, Field: "status"},
		{Name: "status with a capital", Value: with(func(m *wzbin.Game) { m.Status = "Open" }), Err: lobbywire.ErrInvalid, Field: "status"},
		{Name: "name too long for a payload", Value: with(func(m *wzbin.Game) { m.Name = strings.Repeat("a", 255) }), Err: lobbywire.ErrTooLarge, Field: "name"},
		{Name: "name too long for the message", Value: with(func(m *wzbin.Game) { m.Name = strings.Repeat("a", 254) }), Err: lobbywire.ErrTooLarge, Field: "size"},
	})
}

func TestGameStrict(t *testing.T) {
	strictGames := laws.Codec[wzbin.Game]{Parse: strict.ParseGame, Compare: compare}
	strictGames.Table(t, []laws.Case[wzbin.Game]{
		{Name: "sample", In: bananaFrame, Want: bananaGame()},
		{Name: "capital letters in the status", In: game("::1", "1", "a", "b", "4", "Open"), Err: lobbywire.ErrInvalid, Field: "status", Offset: 14},
		{Name: "IPv6 written at length", In: game("0::1", "1", "a", "b", "4", "open"), Err: lobbywire.ErrInvalid, Field: "ip", Offset: 2},
		{Name: "empty status", In: game("::1", "1", "a", "b", "4", ""), Err: lobbywire.ErrInvalid, Field: "status", Offset: 14},
	})
}
