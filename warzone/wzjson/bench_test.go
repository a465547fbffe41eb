package wzjson_test

import (
	"net/netip"
	"strconv"
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire/internal/test/codectest"
	"github.com/lobbywire/lobbywire/warzone/wzjson"
)

// manyGames is a list as a busy lobby sends.
func manyGames() wzjson.ListAck {
	m := wzjson.ListAck{}
	for i := range 100 {
		m.Games = append(m.Games, wzjson.Game{
			Host: netip.AddrFrom4([4]byte{192, 0, 2, byte(i)}),
			Name: "Game " + strconv.Itoa(i), Map: "Sk-Rush", Tech: wzjson.TechT1, MaxPlayers: 4,
		})
	}
	return m
}

// mustAppend returns the wire form of a message that has one.
func mustAppend(t testing.TB, m codectest.Message) []byte {
	t.Helper()
	b, err := m.AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// Results of benchmarks go here, so that the work is not optimised away.
var (
	sinkMessage wzjson.Message
	sinkGames   []wzjson.Game
	sinkBytes   []byte
	sinkErr     error
)

func BenchmarkNext(b *testing.B) {
	in := mustAppend(b, manyGames())
	b.SetBytes(int64(len(in)))
	b.ReportAllocs()
	for b.Loop() {
		sinkBytes, _, _ = new(wzjson.Framer).Next(in)
	}
}

func BenchmarkParseListAck(b *testing.B) {
	codectest.BenchParse(b, mustAppend(b, manyGames()), wzjson.ParseListAck)
}

// BenchmarkParseListAckFloor reads the same list by hand, in the one form in
// which we send it: members in order, no escapes, no white space.
func BenchmarkParseListAckFloor(b *testing.B) {
	codectest.BenchParse(b, mustAppend(b, manyGames()), parseListByHand)
}

func parseListByHand(b []byte) (games []wzjson.Game, ok bool) {
	s := string(b)
	ok = true
	skip := func(text string) {
		rest, found := strings.CutPrefix(s, text)
		s = rest
		ok = ok && found
	}
	text := func() string {
		t, rest, found := strings.Cut(s, `"`)
		s = rest
		ok = ok && found
		return t
	}
	skip(`{"lobbyquery":{"version":1,"query":{"command":"list-ack","games":[`)
	games = make([]wzjson.Game, 0, strings.Count(s, `{`))
	for ok && !strings.HasPrefix(s, "]") {
		if len(games) > 0 {
			skip(`,`)
		}
		var g wzjson.Game
		skip(`{"host":"`)
		var err error
		g.Host, err = netip.ParseAddr(text())
		if err != nil {
			return nil, false
		}
		skip(`,"name":"`)
		g.Name = text()
		skip(`,"map":"`)
		g.Map = text()
		skip(`,"tech":"`)
		g.Tech = wzjson.Tech(text())
		skip(`,"players":`)
		n := strings.IndexByte(s, '}')
		if n < 0 {
			return nil, false
		}
		g.MaxPlayers, err = strconv.Atoi(s[:n])
		if err != nil {
			return nil, false
		}
		s = s[n+1:]
		games = append(games, g)
	}
	skip(`]}}}`)
	return games, ok && s == ""
}

func BenchmarkAppendListAck(b *testing.B) {
	m := manyGames()
	codectest.BenchAppend(b, func(buf []byte) ([]byte, error) { return m.AppendBinary(buf) })
}

// BenchmarkAppendListAckFloor writes the same list by hand, without escapes.
func BenchmarkAppendListAckFloor(b *testing.B) {
	m := manyGames()
	codectest.BenchAppend(b, func(buf []byte) ([]byte, bool) { return appendListByHand(buf, m.Games), true })
}

func appendListByHand(b []byte, games []wzjson.Game) []byte {
	b = append(b, `{"lobbyquery":{"version":1,"query":{"command":"list-ack","games":[`...)
	for i, g := range games {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, `{"host":"`...)
		b = g.Host.AppendTo(b)
		b = append(b, `","name":"`...)
		b = append(b, g.Name...)
		b = append(b, `","map":"`...)
		b = append(b, g.Map...)
		b = append(b, `","tech":"`...)
		b = append(b, g.Tech...)
		b = append(b, `","players":`...)
		b = strconv.AppendInt(b, int64(g.MaxPlayers), 10)
		b = append(b, '}')
	}
	return append(b, `]}}}`...)
}

// TestAllocs holds the promises about allocations.
func TestAllocs(t *testing.T) {
	buf := make([]byte, 0, wzjson.MaxFrame)
	heartbeat := mustAppend(t, wzjson.Heartbeat{ID: "5f0c"})
	list := mustAppend(t, wzjson.List{})
	games := manyGames()
	gamesBytes := mustAppend(t, games)
	for _, tt := range []struct {
		name   string
		budget float64
		run    func()
	}{
		{"next frame", 0, func() { sinkBytes, _, _ = new(wzjson.Framer).Next(gamesBytes) }},
		{"next frame, not whole", 0, func() { _, _, sinkErr = new(wzjson.Framer).Next(gamesBytes[:100]) }},
		{"peek", 0, func() { sinkMessage, _ = wzjson.PeekMessage(gamesBytes) }},
		{"parse list as a message", 1, func() { sinkMessage, _ = wzjson.ParseMessage(list) }},
		{"parse heartbeat as a message", 2, func() { sinkMessage, _ = wzjson.ParseMessage(heartbeat) }},
		{"parse games", 2, func() { m, _ := wzjson.ParseListAck(gamesBytes); sinkGames = m.Games }},
		{"append games", 0, func() { sinkBytes, _ = games.AppendBinary(buf) }},
	} {
		if got := testing.AllocsPerRun(100, tt.run); got > tt.budget {
			t.Errorf("%s: %v allocations, budget %v", tt.name, got, tt.budget)
		}
	}
}
