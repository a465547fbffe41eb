package wzhttp_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire/internal/test/codectest"
	"github.com/lobbywire/lobbywire/warzone/wzhttp"
)

// manyGames is the number of games in the lists of benchmarks.
const manyGames = 1000

// busyList returns a list as a busy lobby sends.
func busyList(t testing.TB) []byte {
	t.Helper()
	b, err := wzhttp.AppendLine(nil, wzhttp.ListHeader{MOTD: "Hello"})
	for i := range manyGames {
		if err == nil {
			b, err = wzhttp.AppendLine(b, game(func(g *wzhttp.Game) { g.ID = "G" + strconv.Itoa(i) }))
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return b
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
	sinkGame   wzhttp.Game
	sinkPatch  wzhttp.Patch
	sinkStatus wzhttp.Status
	sinkProbe  wzhttp.Probe
	sinkLine   wzhttp.Line
	sinkBytes  []byte
	sinkErr    error
)

func BenchmarkParseGame(b *testing.B) {
	codectest.BenchParse(b, []byte(line), wzhttp.ParseGame)
}

// BenchmarkParseGameFloor reads the same line by hand, in the one form in which we
// send it: members in order, no escapes, no white space.
func BenchmarkParseGameFloor(b *testing.B) {
	codectest.BenchParse(b, []byte(line), parseGameByHand)
}

func parseGameByHand(b []byte) (g wzhttp.Game, ok bool) {
	s := string(b)
	ok = true
	skip := func(text string) {
		rest, found := strings.CutPrefix(s, text)
		s = rest
		ok = ok && found
	}
	text := func(before string) string {
		skip(before)
		t, rest, found := strings.Cut(s, `"`)
		s = rest
		ok = ok && found
		return t
	}
	number := func(before string) uint64 {
		skip(before)
		n := strings.IndexAny(s, ",]}")
		if n < 0 {
			ok = false
			return 0
		}
		v, err := strconv.ParseUint(s[:n], 10, 32)
		ok = ok && err == nil
		s = s[n:]
		return v
	}
	g.ID = text(`{"id":"`)
	g.Room.Version = text(`,"v":"`)
	g.Room.Netcode = wzhttp.Netcode{Major: uint32(number(`,"netv":[`)), Minor: uint32(number(`,`))}
	g.Room.Name = text(`],"name":"`)
	g.Room.Host = wzhttp.Player{Name: text(`,"host":{"name":"`), PublicKey: text(`,"pk":"`)}
	g.Room.Map = wzhttp.Map{Name: text(`},"map":["`), Hash: text(`,"`)}
	g.Room.Players = wzhttp.Seats{Current: uint32(number(`],"players":{"cur":`)), Max: uint32(number(`,"max":`))}
	g.Room.Spectators = wzhttp.Seats{Current: uint32(number(`},"specs":{"cur":`)), Max: uint32(number(`,"max":`))}
	g.Room.Alliances = wzhttp.Alliances(number(`},"ally":`))
	g.Room.Limits = wzhttp.Limits(number(`,"lim":`))
	skip(`,"conn":[`)
	for ok && !strings.HasPrefix(s, "]") {
		if len(g.Connections) > 0 {
			skip(`,`)
		}
		g.Connections = append(g.Connections, wzhttp.ConnectionType(text(`"`)))
	}
	skip(`]}`)
	return g, ok && s == ""
}

func BenchmarkAppendGame(b *testing.B) {
	m := game()
	codectest.BenchAppend(b, func(buf []byte) ([]byte, error) { return m.AppendBinary(buf) })
}

// BenchmarkAppendGameFloor writes the same line by hand, without escapes and checks.
func BenchmarkAppendGameFloor(b *testing.B) {
	m := game()
	codectest.BenchAppend(b, func(buf []byte) ([]byte, bool) { return appendGameByHand(buf, &m), true })
}

func appendGameByHand(b []byte, g *wzhttp.Game) []byte {
	text := func(before, s string) {
		b = append(b, before...)
		b = append(b, s...)
	}
	number := func(before string, v uint64) {
		b = append(b, before...)
		b = strconv.AppendUint(b, v, 10)
	}
	text(`{"id":"`, g.ID)
	text(`","v":"`, g.Room.Version)
	number(`","netv":[`, uint64(g.Room.Netcode.Major))
	number(`,`, uint64(g.Room.Netcode.Minor))
	text(`],"name":"`, g.Room.Name)
	text(`","host":{"name":"`, g.Room.Host.Name)
	text(`","pk":"`, g.Room.Host.PublicKey)
	text(`"},"map":["`, g.Room.Map.Name)
	text(`","`, g.Room.Map.Hash)
	number(`"],"players":{"cur":`, uint64(g.Room.Players.Current))
	number(`,"max":`, uint64(g.Room.Players.Max))
	number(`},"specs":{"cur":`, uint64(g.Room.Spectators.Current))
	number(`,"max":`, uint64(g.Room.Spectators.Max))
	number(`},"ally":`, uint64(g.Room.Alliances))
	number(`,"lim":`, uint64(g.Room.Limits))
	b = append(b, `,"conn":[`...)
	for i, c := range g.Connections {
		if i > 0 {
			b = append(b, ',')
		}
		text(`"`, string(c))
		b = append(b, '"')
	}
	return append(b, `]}`...)
}

// BenchmarkListReader reads a list of 1000 games in parts of 16 KiB, as from a
// connection.
func BenchmarkListReader(b *testing.B) {
	list := busyList(b)
	b.SetBytes(int64(len(list)))
	b.ReportAllocs()
	for b.Loop() {
		var l wzhttp.ListReader
		n := 0
		for rest := list; len(rest) > 0; {
			part := rest[:min(len(rest), 16<<10)]
			rest = rest[len(part):]
			for g, err := range l.Add(part) {
				if err != nil {
					b.Fatal(err)
				}
				sinkGame = g
				n++
			}
		}
		if n != manyGames {
			b.Fatalf("%d games", n)
		}
	}
}

// TestAllocationsStayInBudget holds the promises about allocations.
func TestAllocationsStayInBudget(t *testing.T) {
	buf := make([]byte, 0, 1024)
	m := game()
	in := []byte(line)
	status := wzhttp.Status{GameID: "G7K2Q", Published: true,
		Connections: []wzhttp.ConnectionStatus{{Type: wzhttp.TCP4, Status: wzhttp.ValidationValidated}}}
	statusBytes := mustAppend(t, status)
	probe := wzhttp.Probe{LobbyToken: "secret-2", Challenge: strings.Repeat("0123456789abcdef", 2)}
	probeBytes := mustAppend(t, probe)
	keep, join := []byte("{}"), []byte(`{"players":{"cur":1,"max":4}}`)
	for _, tt := range []struct {
		name   string
		budget float64
		run    func()
	}{
		{"parse game", 2, func() { sinkGame, sinkErr = wzhttp.ParseGame(in) }},
		{"parse line", 3, func() { sinkLine, sinkErr = wzhttp.ParseLine(in) }},
		{"append game", 0, func() { sinkBytes, sinkErr = m.AppendBinary(buf) }},
		{"parse a patch of nothing", 0, func() { sinkPatch, sinkErr = wzhttp.ParsePatch(keep) }},
		{"parse a patch of players", 1, func() { sinkPatch, sinkErr = wzhttp.ParsePatch(join) }},
		{"parse status", 2, func() { sinkStatus, sinkErr = wzhttp.ParseStatus(statusBytes) }},
		{"append status", 0, func() { sinkBytes, sinkErr = status.AppendBinary(buf) }},
		{"parse probe", 1, func() { sinkProbe, sinkErr = wzhttp.ParseProbe(probeBytes) }},
		{"append probe", 0, func() { sinkBytes, sinkErr = probe.AppendBinary(buf) }},
	} {
		if got := testing.AllocsPerRun(100, tt.run); got > tt.budget {
			t.Errorf("%s: %v allocations, budget %v", tt.name, got, tt.budget)
		}
	}
}
