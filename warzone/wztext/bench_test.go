package wztext_test

import (
	"bytes"
	"fmt"
	"net/netip"
	"strconv"
	"testing"
	"unicode/utf8"

	"github.com/lobbywire/lobbywire/warzone/wztext"
)

// manyGames returns a list of n games.
func manyGames(n int) wztext.GameList {
	m := wztext.GameList{Games: make([]wztext.Game, n)}
	for i := range m.Games {
		m.Games[i] = bananaGame()
		m.Games[i].IP = netip.AddrFrom4([4]byte{192, 0, 2, byte(i)})
		m.Games[i].Name = fmt.Sprintf("Game %02d of many", i)
	}
	return m
}

// mustAppend returns the wire form of a message that has one.
func mustAppend(t testing.TB, m wztext.Response) []byte {
	t.Helper()
	b, err := m.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// Results of benchmarks go here, so that the work is not optimised away.
var (
	sinkRequest  wztext.Request
	sinkOpenGame wztext.OpenGame
	sinkStart    wztext.StartGame
	sinkList     wztext.GameList
	sinkGames    []wztext.Game
	sinkBytes    []byte
)

const openGameLine = "OPENGAME\t9999\tThe Game!!\tSk-Rush\t4\n"

func BenchmarkParseRequest(b *testing.B) {
	in := []byte(openGameLine)
	b.SetBytes(int64(len(in)))
	b.ReportAllocs()
	for b.Loop() {
		sinkRequest, _ = wztext.ParseRequest(in)
	}
}

func BenchmarkParseOpenGame(b *testing.B) {
	in := []byte(openGameLine)
	b.SetBytes(int64(len(in)))
	b.ReportAllocs()
	for b.Loop() {
		sinkOpenGame, _ = wztext.ParseOpenGame(in)
	}
}

// BenchmarkParseOpenGameFloor reads the same request by hand: bounds checked,
// one copy for the texts, nothing else.
func BenchmarkParseOpenGameFloor(b *testing.B) {
	in := []byte(openGameLine)
	b.SetBytes(int64(len(in)))
	b.ReportAllocs()
	for b.Loop() {
		var ok bool
		if sinkOpenGame, ok = parseOpenGameByHand(in); !ok {
			b.Fatal("not parsed")
		}
	}
}

func parseOpenGameByHand(b []byte) (m wztext.OpenGame, ok bool) {
	n := bytes.IndexByte(b, '\n')
	if n < 0 || n > wztext.MaxLine {
		return m, false
	}
	s := string(b[:n])
	var columns [5]string
	if !splitByHand(s, columns[:]) || columns[0] != "OPENGAME" {
		return m, false
	}
	port, err := strconv.ParseUint(columns[1], 10, 16)
	if err != nil || port == 0 {
		return m, false
	}
	players, err := strconv.ParseUint(columns[4], 10, 32)
	if err != nil {
		return m, false
	}
	return wztext.OpenGame{Port: uint16(port), Name: columns[2], Map: columns[3], MaxPlayers: uint32(players)}, true
}

// splitByHand cuts s at its TABs into exactly as many columns as there are.
func splitByHand(s string, columns []string) bool {
	for i := range len(columns) - 1 {
		n := 0
		for n < len(s) && s[n] != '\t' {
			n++
		}
		if n == len(s) {
			return false
		}
		columns[i] = s[:n]
		s = s[n+1:]
	}
	columns[len(columns)-1] = s
	return true
}

func BenchmarkAppendOpenGame(b *testing.B) {
	m := theGame()
	buf := make([]byte, 0, wztext.MaxLine)
	b.SetBytes(int64(len(openGameLine)))
	b.ReportAllocs()
	for b.Loop() {
		sinkBytes, _ = m.AppendBinary(buf)
	}
}

// BenchmarkAppendOpenGameFloor writes the same request by hand: texts checked,
// nothing else.
func BenchmarkAppendOpenGameFloor(b *testing.B) {
	m := theGame()
	buf := make([]byte, 0, wztext.MaxLine)
	b.SetBytes(int64(len(openGameLine)))
	b.ReportAllocs()
	for b.Loop() {
		sinkBytes = appendOpenGameByHand(buf, m)
	}
}

// cleanByHand tells whether s breaks no line.
func cleanByHand(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' {
			return false
		}
	}
	return utf8.ValidString(s)
}

func appendOpenGameByHand(b []byte, m wztext.OpenGame) []byte {
	if !cleanByHand(m.Name) || !cleanByHand(m.Map) {
		return nil
	}
	b = append(b, "OPENGAME\t"...)
	b = strconv.AppendUint(b, uint64(m.Port), 10)
	b = append(b, '\t')
	b = append(b, m.Name...)
	b = append(b, '\t')
	b = append(b, m.Map...)
	b = append(b, '\t')
	b = strconv.AppendUint(b, uint64(m.MaxPlayers), 10)
	return append(b, '\n')
}

func BenchmarkParseGameList(b *testing.B) {
	in := mustAppend(b, manyGames(100))
	b.SetBytes(int64(len(in)))
	b.ReportAllocs()
	for b.Loop() {
		sinkList, _ = wztext.ParseGameList(in)
	}
}

// BenchmarkParseGameListFloor reads the same list by hand.
func BenchmarkParseGameListFloor(b *testing.B) {
	in := mustAppend(b, manyGames(100))
	b.SetBytes(int64(len(in)))
	b.ReportAllocs()
	for b.Loop() {
		var ok bool
		if sinkGames, ok = parseGamesByHand(in); !ok {
			b.Fatal("not parsed")
		}
	}
}

func parseGamesByHand(b []byte) (games []wztext.Game, ok bool) {
	head, rest, ok := bytes.Cut(b, []byte{'\n'})
	if !ok || !bytes.HasPrefix(head, []byte("COUNT\t")) {
		return nil, false
	}
	n, err := strconv.Atoi(string(head[6:]))
	if err != nil || n > wztext.MaxGames || n > len(rest) {
		return nil, false
	}
	s := string(rest)
	games = make([]wztext.Game, n)
	for i := range games {
		end := bytes.IndexByte(rest, '\n')
		var columns [6]string
		if end < 0 || !splitByHand(s[:end], columns[:]) {
			return nil, false
		}
		m := &games[i]
		if m.IP, err = netip.ParseAddr(columns[0]); err != nil {
			return nil, false
		}
		port, err := strconv.ParseUint(columns[1], 10, 16)
		if err != nil || port == 0 {
			return nil, false
		}
		players, err := strconv.ParseUint(columns[4], 10, 32)
		if err != nil {
			return nil, false
		}
		m.Port, m.Name, m.Map, m.MaxPlayers, m.Status = uint16(port), columns[2], columns[3], uint32(players), wztext.Status(columns[5])
		s, rest = s[end+1:], rest[end+1:]
	}
	return games, len(rest) == 0
}

func BenchmarkNextResponse(b *testing.B) {
	in := mustAppend(b, manyGames(100))
	b.SetBytes(int64(len(in)))
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := wztext.NextResponse(in); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkAppendGameList(b *testing.B) {
	m := manyGames(100)
	n := len(mustAppend(b, m))
	buf := make([]byte, 0, n)
	b.SetBytes(int64(n))
	b.ReportAllocs()
	for b.Loop() {
		sinkBytes, _ = m.AppendBinary(buf)
	}
}

// BenchmarkAppendGameListFloor writes the same list by hand.
func BenchmarkAppendGameListFloor(b *testing.B) {
	m := manyGames(100)
	n := len(mustAppend(b, m))
	buf := make([]byte, 0, n)
	b.SetBytes(int64(n))
	b.ReportAllocs()
	for b.Loop() {
		sinkBytes = appendGamesByHand(buf, m.Games)
	}
}

func appendGamesByHand(b []byte, games []wztext.Game) []byte {
	b = append(b, "COUNT\t"...)
	b = strconv.AppendInt(b, int64(len(games)), 10)
	b = append(b, '\n')
	for i := range games {
		m := &games[i]
		if !cleanByHand(m.Name) || !cleanByHand(m.Map) || !cleanByHand(string(m.Status)) {
			return nil
		}
		b = m.IP.AppendTo(b)
		b = append(b, '\t')
		b = strconv.AppendUint(b, uint64(m.Port), 10)
		b = append(b, '\t')
		b = append(b, m.Name...)
		b = append(b, '\t')
		b = append(b, m.Map...)
		b = append(b, '\t')
		b = strconv.AppendUint(b, uint64(m.MaxPlayers), 10)
		b = append(b, '\t')
		b = append(b, m.Status...)
		b = append(b, '\n')
	}
	return b
}

// TestAllocs holds the promises about allocations.
func TestAllocs(t *testing.T) {
	list := manyGames(100)
	answer := mustAppend(t, list)
	buf := make([]byte, 0, len(answer))
	open, start := []byte(openGameLine), []byte("STARTGAME\t9999\n")
	for _, tt := range []struct {
		name   string
		budget float64
		run    func()
	}{
		{"parse request with texts", 2, func() { sinkRequest, _ = wztext.ParseRequest(open) }},
		{"parse OpenGame", 1, func() { sinkOpenGame, _ = wztext.ParseOpenGame(open) }},
		{"parse StartGame", 0, func() { sinkStart, _ = wztext.ParseStartGame(start) }},
		{"parse list", 2, func() { sinkList, _ = wztext.ParseGameList(answer) }},
		{"cut a line", 0, func() { sinkBytes, _, _ = wztext.NextFrame(open, wztext.MaxLine) }},
		{"ask for more", 0, func() { sinkRequest, _, _ = wztext.NextRequest(open[:5]) }},
		{"append OpenGame", 0, func() { sinkBytes, _ = theGame().AppendBinary(buf) }},
		{"append list", 0, func() { sinkBytes, _ = list.AppendBinary(buf) }},
	} {
		if got := testing.AllocsPerRun(100, tt.run); got > tt.budget {
			t.Errorf("%s: %v allocations, budget %v", tt.name, got, tt.budget)
		}
	}
}
