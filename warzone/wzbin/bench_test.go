package wzbin_test

import (
	"fmt"
	"net/netip"
	"strconv"
	"testing"
	"unicode/utf8"

	"github.com/lobbywire/lobbywire/warzone/wzbin"
)

// manyGames returns a list of n games.
func manyGames(n int) wzbin.GameList {
	m := wzbin.GameList{Games: make([]wzbin.Game, n)}
	for i := range m.Games {
		m.Games[i] = bananaGame()
		m.Games[i].IP = netip.AddrFrom4([4]byte{192, 0, 2, byte(i)})
		m.Games[i].Name = fmt.Sprintf("Game %02d of many", i)
	}
	return m
}

// mustAppend returns the wire form of a message that has one.
func mustAppend(t testing.TB, m wzbin.Response) []byte {
	t.Helper()
	b, err := m.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// Results of benchmarks go here, so that the work is not optimised away.
var (
	sinkRequest  wzbin.Request
	sinkOpenGame wzbin.OpenGame
	sinkStart    wzbin.StartGame
	sinkFrame    wzbin.Frame
	sinkList     wzbin.GameList
	sinkGames    []wzbin.Game
	sinkBytes    []byte
)

func BenchmarkParseRequest(b *testing.B) {
	in := []byte(openGameFrame)
	b.SetBytes(int64(len(in)))
	b.ReportAllocs()
	for b.Loop() {
		sinkRequest, _ = wzbin.ParseRequest(in)
	}
}

func BenchmarkParseFrame(b *testing.B) {
	in := []byte(openGameFrame)
	b.SetBytes(int64(len(in)))
	b.ReportAllocs()
	for b.Loop() {
		sinkFrame, _ = wzbin.ParseFrame(in)
	}
}

func BenchmarkParseOpenGame(b *testing.B) {
	in := []byte(openGameFrame)
	b.SetBytes(int64(len(in)))
	b.ReportAllocs()
	for b.Loop() {
		sinkOpenGame, _ = wzbin.ParseOpenGame(in)
	}
}

// BenchmarkParseOpenGameFloor reads the same request by hand: bounds checked,
// one copy for the texts, nothing else.
func BenchmarkParseOpenGameFloor(b *testing.B) {
	in := []byte(openGameFrame)
	b.SetBytes(int64(len(in)))
	b.ReportAllocs()
	for b.Loop() {
		var ok bool
		if sinkOpenGame, ok = parseOpenGameByHand(in); !ok {
			b.Fatal("not parsed")
		}
	}
}

func parseOpenGameByHand(b []byte) (m wzbin.OpenGame, ok bool) {
	if len(b) < 2 || b[0] != 2 || int(b[1]) != len(b)-2 {
		return m, false
	}
	var payloads [4]string
	if !splitByHand(string(b[2:]), payloads[:]) {
		return m, false
	}
	port, err := strconv.ParseUint(payloads[0], 10, 16)
	if err != nil || port == 0 {
		return m, false
	}
	players, err := strconv.ParseUint(payloads[3], 10, 32)
	if err != nil {
		return m, false
	}
	return wzbin.OpenGame{Port: uint16(port), Name: payloads[1], Map: payloads[2], MaxPlayers: uint32(players)}, true
}

// splitByHand cuts a message into exactly as many payloads as there are.
func splitByHand(s string, payloads []string) bool {
	for i := range payloads {
		if len(s) == 0 || 1+int(s[0]) > len(s) {
			return false
		}
		payloads[i] = s[1 : 1+int(s[0])]
		s = s[1+int(s[0]):]
	}
	return s == ""
}

func BenchmarkAppendOpenGame(b *testing.B) {
	m := theGame()
	buf := make([]byte, 0, wzbin.MaxFrame)
	b.SetBytes(int64(len(openGameFrame)))
	b.ReportAllocs()
	for b.Loop() {
		sinkBytes, _ = m.AppendBinary(buf)
	}
}

// BenchmarkAppendOpenGameFloor writes the same request by hand: texts checked,
// nothing else.
func BenchmarkAppendOpenGameFloor(b *testing.B) {
	m := theGame()
	buf := make([]byte, 0, wzbin.MaxFrame)
	b.SetBytes(int64(len(openGameFrame)))
	b.ReportAllocs()
	for b.Loop() {
		sinkBytes = appendOpenGameByHand(buf, m)
	}
}

func appendOpenGameByHand(b []byte, m wzbin.OpenGame) []byte {
	if !cleanByHand(m.Name) || !cleanByHand(m.Map) {
		return nil
	}
	start := len(b)
	b = append(b, 2, 0)
	b = appendNumberByHand(b, uint64(m.Port))
	b = append(b, byte(len(m.Name)))
	b = append(b, m.Name...)
	b = append(b, byte(len(m.Map)))
	b = append(b, m.Map...)
	b = appendNumberByHand(b, uint64(m.MaxPlayers))
	b[start+1] = byte(len(b) - start - 2)
	return b
}

// cleanByHand tells whether s is text.
func cleanByHand(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' {
			return false
		}
	}
	return utf8.ValidString(s)
}

func appendNumberByHand(b []byte, v uint64) []byte {
	at := len(b)
	b = append(b, 0)
	b = strconv.AppendUint(b, v, 10)
	b[at] = byte(len(b) - at - 1)
	return b
}

func BenchmarkParseGameList(b *testing.B) {
	in := mustAppend(b, manyGames(100))
	b.SetBytes(int64(len(in)))
	b.ReportAllocs()
	for b.Loop() {
		sinkList, _ = wzbin.ParseGameList(in)
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

func parseGamesByHand(b []byte) (games []wzbin.Game, ok bool) {
	if len(b) < 2 || b[0] != 5 || 2+int(b[1]) > len(b) {
		return nil, false
	}
	s := string(b)
	var count [1]string
	if !splitByHand(s[2:2+int(s[1])], count[:]) {
		return nil, false
	}
	n, err := strconv.Atoi(count[0])
	if err != nil || n > wzbin.MaxGames || n > len(s) {
		return nil, false
	}
	s = s[2+int(s[1]):]
	games = make([]wzbin.Game, n)
	for i := range games {
		var payloads [6]string
		if len(s) < 2 || s[0] != 6 || 2+int(s[1]) > len(s) || !splitByHand(s[2:2+int(s[1])], payloads[:]) {
			return nil, false
		}
		s = s[2+int(s[1]):]
		m := &games[i]
		if m.IP, err = netip.ParseAddr(payloads[0]); err != nil {
			return nil, false
		}
		port, err := strconv.ParseUint(payloads[1], 10, 16)
		if err != nil || port == 0 {
			return nil, false
		}
		players, err := strconv.ParseUint(payloads[4], 10, 32)
		if err != nil {
			return nil, false
		}
		m.Port, m.Name, m.Map, m.MaxPlayers, m.Status = uint16(port), payloads[2], payloads[3], uint32(players), wzbin.Status(payloads[5])
	}
	return games, s == ""
}

func BenchmarkNextResponse(b *testing.B) {
	in := mustAppend(b, manyGames(100))
	b.SetBytes(int64(len(in)))
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := wzbin.NextResponse(in); err != nil {
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

func appendGamesByHand(b []byte, games []wzbin.Game) []byte {
	start := len(b)
	b = append(b, 5, 0)
	b = appendNumberByHand(b, uint64(len(games)))
	b[start+1] = byte(len(b) - start - 2)
	for i := range games {
		m := &games[i]
		if !cleanByHand(m.Name) || !cleanByHand(m.Map) || !cleanByHand(string(m.Status)) {
			return nil
		}
		start := len(b)
		b = append(b, 6, 0, 0)
		b = m.IP.AppendTo(b)
		b[start+2] = byte(len(b) - start - 3)
		b = appendNumberByHand(b, uint64(m.Port))
		b = append(b, byte(len(m.Name)))
		b = append(b, m.Name...)
		b = append(b, byte(len(m.Map)))
		b = append(b, m.Map...)
		b = appendNumberByHand(b, uint64(m.MaxPlayers))
		b = append(b, byte(len(m.Status)))
		b = append(b, m.Status...)
		b[start+1] = byte(len(b) - start - 2)
	}
	return b
}

// TestAllocs holds the promises about allocations.
func TestAllocs(t *testing.T) {
	list := manyGames(100)
	answer := mustAppend(t, list)
	buf := make([]byte, 0, len(answer))
	open, start := []byte(openGameFrame), []byte("\x03\x05\x049999")
	for _, tt := range []struct {
		name   string
		budget float64
		run    func()
	}{
		{"parse request with texts", 2, func() { sinkRequest, _ = wzbin.ParseRequest(open) }},
		{"parse OpenGame", 1, func() { sinkOpenGame, _ = wzbin.ParseOpenGame(open) }},
		{"parse StartGame", 0, func() { sinkStart, _ = wzbin.ParseStartGame(start) }},
		{"parse list", 2, func() { sinkList, _ = wzbin.ParseGameList(answer) }},
		{"parse frame", 2, func() { sinkFrame, _ = wzbin.ParseFrame(open) }},
		{"cut a frame", 0, func() { sinkBytes, _, _ = wzbin.NextFrame(open) }},
		{"ask for more", 0, func() { sinkRequest, _, _ = wzbin.NextRequest(open[:5]) }},
		{"append OpenGame", 0, func() { sinkBytes, _ = theGame().AppendBinary(buf) }},
		{"append list", 0, func() { sinkBytes, _ = list.AppendBinary(buf) }},
	} {
		if got := testing.AllocsPerRun(100, tt.run); got > tt.budget {
			t.Errorf("%s: %v allocations, budget %v", tt.name, got, tt.budget)
		}
	}
}
