package warzone_test

import (
	"bytes"
	"encoding"
	"encoding/binary"
	"fmt"
	"net/netip"
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire/internal/test/codectest"
	"github.com/lobbywire/lobbywire/warzone"
)

// theGame returns a game as a lobby lists it for a host of 4.x.
func theGame() warzone.Game {
	return warzone.Game{
		Version:        warzone.Version4,
		Name:           "Grüße from Go",
		Size:           warzone.SizeOfGame,
		Host:           "192.0.2.17",
		MaxPlayers:     4,
		CurrentPlayers: 1,
		UserFlags:      [4]uint32{uint32(warzone.GameTypeSkirmish), 0x00010003},
		Extra:          "Extra",
		HostPort:       2100,
		MapName:        "Sk-Rush",
		HostName:       "GoTester",
		VersionString:  "4.3.3",
		NetcodeMajor:   0x4000,
		NetcodeMinor:   79,
		GameID:         0x01020304,
		OS:             warzone.OSLinux,
		NetcodeWord:    0x4000004f,
	}
}

// manyGames returns n games.
func manyGames(n int) []warzone.Game {
	all := make([]warzone.Game, n)
	for i := range all {
		all[i] = theGame()
		all[i].Name = fmt.Sprintf("Game %02d", i)
		all[i].GameID = uint32(1000 + i)
	}
	return all
}

// fullList returns a reply with n games, for clients from 2.2 to 4.6.
func fullList(n int) warzone.ListReply {
	return replyForAll(manyGames(n), warzone.Status{Code: warzone.StatusOK, Text: "Welcome"})
}

// replyForAll returns a reply in two batches, for clients from 2.2 to 4.6.
func replyForAll(games []warzone.Game, status warzone.Status) warzone.ListReply {
	return warzone.ListReply{
		Games:   games,
		Status:  &status,
		Batches: &warzone.Batches{Parameters: warzone.IgnoreFirstBatch, First: min(len(games), warzone.MaxFirstBatch)},
	}
}

// mustAppend returns the wire form of a message.
func mustAppend(t testing.TB, m encoding.BinaryAppender) []byte {
	t.Helper()
	b, err := m.AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// Benchmarks store their results here, so that the compiler keeps the work.
var (
	sinkGame     warzone.Game
	sinkList     warzone.ListReply
	sinkRequest  warzone.Request
	sinkResponse warzone.Response
	sinkBytes    []byte
	sinkInt      int
)

func BenchmarkParseGame(b *testing.B) {
	codectest.BenchParse(b, mustAppend(b, theGame()), warzone.ParseGame)
}

// BenchmarkParseGameFloor reads the same game by hand: it checks size and
// version, and copies the texts at once.
func BenchmarkParseGameFloor(b *testing.B) {
	codectest.BenchParse(b, mustAppend(b, theGame()), parseGameByHand)
}

func parseGameByHand(b []byte) (m warzone.Game, ok bool) {
	if len(b) != 814 || binary.BigEndian.Uint32(b) != 4 {
		return m, false
	}
	s := string(b)
	text := func(from, to int) string {
		if n := bytes.IndexByte(b[from:to], 0); n >= 0 {
			to = from + n
		}
		return s[from:to]
	}
	number := func(at int) uint32 { return binary.BigEndian.Uint32(b[at:]) }
	m.Version = 4
	m.Name = text(4, 68)
	m.Size = number(68)
	m.Flags = number(72)
	m.Host = text(76, 116)
	m.MaxPlayers = number(116)
	m.CurrentPlayers = number(120)
	m.UserFlags = [4]uint32{number(124), number(128), number(132), number(136)}
	m.SecondaryHosts = [2]string{text(140, 180), text(180, 220)}
	m.Extra = text(220, 377)
	m.HostPort = binary.BigEndian.Uint16(b[377:])
	m.MapName = text(379, 419)
	m.HostName = text(419, 459)
	m.VersionString = text(459, 523)
	m.ModList = text(523, 778)
	m.NetcodeMajor = number(778)
	m.NetcodeMinor = number(782)
	m.Private = number(786)
	m.Pure = number(790)
	m.Mods = number(794)
	m.GameID = number(798)
	m.Limits = warzone.Limits(number(802))
	m.OS = warzone.OS(number(806))
	m.NetcodeWord = number(810)
	return m, true
}

func BenchmarkAppendGame(b *testing.B) {
	m := theGame()
	codectest.BenchAppend(b, func(buf []byte) ([]byte, error) { return m.AppendBinary(buf) })
}

// BenchmarkAppendGameFloor writes the same game by hand: it clears the whole at
// once, and checks lengths, zero bytes and the host.
func BenchmarkAppendGameFloor(b *testing.B) {
	m := theGame()
	codectest.BenchAppend(b, func(buf []byte) ([]byte, bool) { return appendGameByHand(buf, &m), true })
}

func appendGameByHand(b []byte, m *warzone.Game) []byte {
	start := len(b)
	b = append(b, make([]byte, 814)...)
	p := b[start:]
	ok := true
	text := func(from, to int, s string) {
		ok = ok && len(s) < to-from && strings.IndexByte(s, 0) < 0
		copy(p[from:to-1], s)
	}
	number := func(at int, v uint32) { binary.BigEndian.PutUint32(p[at:], v) }
	number(0, m.Version)
	text(4, 68, m.Name)
	number(68, m.Size)
	number(72, m.Flags)
	if m.Host != "" {
		_, err := netip.ParseAddr(m.Host)
		ok = err == nil
	}
	text(76, 116, m.Host)
	number(116, m.MaxPlayers)
	number(120, m.CurrentPlayers)
	for i, v := range m.UserFlags {
		number(124+4*i, v)
	}
	text(140, 180, m.SecondaryHosts[0])
	text(180, 220, m.SecondaryHosts[1])
	text(220, 377, m.Extra)
	binary.BigEndian.PutUint16(p[377:], m.HostPort)
	text(379, 419, m.MapName)
	text(419, 459, m.HostName)
	text(459, 523, m.VersionString)
	text(523, 778, m.ModList)
	number(778, m.NetcodeMajor)
	number(782, m.NetcodeMinor)
	number(786, m.Private)
	number(790, m.Pure)
	number(794, m.Mods)
	number(798, m.GameID)
	number(802, uint32(m.Limits))
	number(806, uint32(m.OS))
	number(810, m.NetcodeWord)
	if !ok {
		return b[:start]
	}
	return b
}

func BenchmarkListReplyEnd(b *testing.B) {
	in := mustAppend(b, fullList(40))
	b.ReportAllocs()
	for b.Loop() {
		sinkInt, _, _ = warzone.ListReplyEnd(in)
	}
}

func BenchmarkHostStream(b *testing.B) {
	in := mustAppend(b, warzone.AddGame{Game: theGame()})
	b.SetBytes(int64(len(in)))
	b.ReportAllocs()
	for b.Loop() {
		var s warzone.HostStream
		sinkRequest, _, _ = s.NextRequest(in)
	}
}

func BenchmarkLobbyStream(b *testing.B) {
	in := mustAppend(b, warzone.Status{Code: warzone.StatusOK, Text: "Welcome"})
	b.SetBytes(int64(len(in)))
	b.ReportAllocs()
	for b.Loop() {
		s := warzone.LobbyStream{HasGameID: true}
		sinkResponse, _, _ = s.NextResponse(in)
	}
}

// TestAllocationsStayInBudget checks the promised limits for allocations.
func TestAllocationsStayInBudget(t *testing.T) {
	game := theGame()
	gameBytes := mustAppend(t, game)
	add := mustAppend(t, warzone.AddGame{Game: game})
	command := mustAppend(t, warzone.ListRequest{})
	status := mustAppend(t, warzone.Status{Code: 200, Text: "Welcome"})
	list := fullList(100)
	listBytes := mustAppend(t, list)
	buf := mustAppend(t, list)[:0]
	for _, tt := range []struct {
		name   string
		budget float64
		run    func()
	}{
		{"parse a command", 0, func() { sinkRequest, _ = warzone.ParseRequest(command) }},
		{"parse game", 1, func() { sinkGame, _ = warzone.ParseGame(gameBytes) }},
		{"parse list of 100 games", 5, func() { sinkList, _ = warzone.ParseListReply(listBytes) }},
		{"find the end of a list", 0, func() { sinkInt, _, _ = warzone.ListReplyEnd(listBytes) }},
		{"append game", 0, func() { sinkBytes, _ = game.AppendBinary(buf) }},
		{"append list of 100 games", 0, func() { sinkBytes, _ = list.AppendBinary(buf) }},
		{"cut a command", 0, func() {
			var s warzone.HostStream
			sinkRequest, _, _ = s.NextRequest(command)
		}},
		{"cut a game", 2, func() {
			var s warzone.HostStream
			sinkRequest, _, _ = s.NextRequest(add)
		}},
		{"wait for a game", 0, func() {
			var s warzone.HostStream
			sinkRequest, _, _ = s.NextRequest(add[:800])
		}},
		{"cut a status", 2, func() {
			s := warzone.LobbyStream{HasGameID: true}
			sinkResponse, _, _ = s.NextResponse(status)
		}},
		{"wait for a status", 0, func() {
			s := warzone.LobbyStream{HasGameID: true}
			sinkResponse, _, _ = s.NextResponse(status[:12])
		}},
	} {
		if got := testing.AllocsPerRun(100, tt.run); got > tt.budget {
			t.Errorf("%s: %v allocations, budget %v", tt.name, got, tt.budget)
		}
	}
}
