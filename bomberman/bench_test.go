package bomberman_test

import (
	"bytes"
	"strconv"
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire/bomberman"
	"github.com/lobbywire/lobbywire/internal/test/codectest"
)

// manyServers is the list of a busy management server.
func manyServers() bomberman.QueryGameServersResponse {
	var servers []bomberman.Server
	for i := range 100 {
		s := server()
		s.Name = "Server " + strconv.Itoa(i)
		s.Port = 20000 + i
		servers = append(servers, s)
	}
	return list(servers...)
}

// tick is a change of the arena, which a game server sends ten times a second.
func tick() bomberman.ArenaUpdated {
	return update([]bomberman.ArenaPlayer{
		{Number: 1, Name: "Ariana", X: 7, Y: 5},
		{Number: 2, Name: "Bernd", X: 11, Y: 9, IsArmored: true},
		{Number: 3, Name: "Conrad", X: 3, Y: 3},
	},
		bomberman.Field{X: 5, Y: 9, ID: 72}, bomberman.Field{X: 1, Y: 1, ID: 82},
		bomberman.Field{X: 7, Y: 10}, bomberman.Field{X: 6, Y: 10}, bomberman.Field{X: 8, Y: 10},
		bomberman.Field{X: 7, Y: 9, ID: 23})
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
	sinkMessage bomberman.Message
	sinkServers []bomberman.Server
	sinkArena   bomberman.ArenaUpdated
	sinkAction  bomberman.PlayerAction
	sinkBytes   []byte
	sinkErr     error
)

func BenchmarkPeekMessage(b *testing.B) {
	in := mustAppend(b, manyServers())
	b.ReportAllocs()
	for b.Loop() {
		sinkMessage, _ = bomberman.PeekMessage(in)
	}
}

func BenchmarkNextFrame(b *testing.B) {
	frame, err := bomberman.AppendMessage(nil, manyServers())
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		sinkBytes, _, _ = bomberman.NextFrame(frame, bomberman.MaxPayload)
	}
}

func BenchmarkParseList(b *testing.B) {
	codectest.BenchParse(b, mustAppend(b, manyServers()), bomberman.ParseQueryGameServersResponse)
}

// BenchmarkParseListFloor reads the same list by hand, in the one form in which
// we send it: members in order, no escapes, no white space.
func BenchmarkParseListFloor(b *testing.B) {
	codectest.BenchParse(b, mustAppend(b, manyServers()), parseListByHand)
}

// A scanner reads expected text. After the first mismatch, ok is false.
type scanner struct {
	s  string
	ok bool
}

func (s *scanner) skip(text string) {
	rest, ok := strings.CutPrefix(s.s, text)
	s.s = rest
	s.ok = s.ok && ok
}

func (s *scanner) text() string {
	t, rest, ok := strings.Cut(s.s, `"`)
	s.s = rest
	s.ok = s.ok && ok
	return t
}

func (s *scanner) number() int {
	v, n := 0, 0
	for ; n < len(s.s) && s.s[n] >= '0' && s.s[n] <= '9'; n++ {
		v = v*10 + int(s.s[n]-'0')
	}
	s.s = s.s[n:]
	s.ok = s.ok && n > 0
	return v
}

func (s *scanner) bool() bool {
	v := strings.HasPrefix(s.s, "true")
	if v {
		s.skip("true")
	} else {
		s.skip("false")
	}
	return v
}

func parseListByHand(b []byte) (servers []bomberman.Server, ok bool) {
	s := scanner{string(b), true}
	s.skip(`{"command":"msRQueryGameServers","content":{"servers":[`)
	servers = make([]bomberman.Server, 0, bytes.Count(b, []byte(`{"name"`)))
	for s.ok && !strings.HasPrefix(s.s, "]") {
		if len(servers) > 0 {
			s.skip(`,`)
		}
		var m bomberman.Server
		s.skip(`{"name":"`)
		m.Name = s.text()
		s.skip(`,"address":"`)
		m.Address = s.text()
		s.skip(`,"port":`)
		m.Port = s.number()
		s.skip(`,"players":{"current":`)
		m.Players.Current = s.number()
		s.skip(`,"max":`)
		m.Players.Max = s.number()
		s.skip(`},"isLobbyOpen":`)
		m.IsLobbyOpen = s.bool()
		s.skip(`,"gameplayMode":`)
		m.GameplayMode = bomberman.GameplayMode(s.number())
		s.skip(`}`)
		servers = append(servers, m)
	}
	s.skip(`]}}`)
	return servers, s.ok && s.s == ""
}

func BenchmarkAppendList(b *testing.B) {
	m := manyServers()
	codectest.BenchAppend(b, func(buf []byte) ([]byte, error) { return m.AppendBinary(buf) })
}

// BenchmarkAppendListFloor writes the same list by hand, without escapes.
func BenchmarkAppendListFloor(b *testing.B) {
	m := manyServers()
	codectest.BenchAppend(b, func(buf []byte) ([]byte, bool) { return appendListByHand(buf, m.Servers), true })
}

func appendListByHand(b []byte, servers []bomberman.Server) []byte {
	b = append(b, `{"command":"msRQueryGameServers","content":{"servers":[`...)
	for i, s := range servers {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, `{"name":"`...)
		b = append(b, s.Name...)
		b = append(b, `","address":"`...)
		b = append(b, s.Address...)
		b = append(b, `","port":`...)
		b = strconv.AppendInt(b, int64(s.Port), 10)
		b = append(b, `,"players":{"current":`...)
		b = strconv.AppendInt(b, int64(s.Players.Current), 10)
		b = append(b, `,"max":`...)
		b = strconv.AppendInt(b, int64(s.Players.Max), 10)
		b = append(b, `},"isLobbyOpen":`...)
		b = strconv.AppendBool(b, s.IsLobbyOpen)
		b = append(b, `,"gameplayMode":`...)
		b = strconv.AppendInt(b, int64(s.GameplayMode), 10)
		b = append(b, '}')
	}
	return append(b, `]}}`...)
}

func BenchmarkAppendTick(b *testing.B) {
	m := tick()
	codectest.BenchAppend(b, func(buf []byte) ([]byte, error) { return m.AppendBinary(buf) })
}

// BenchmarkAppendTickFloor writes the same change by hand, without escapes.
func BenchmarkAppendTickFloor(b *testing.B) {
	m := tick()
	codectest.BenchAppend(b, func(buf []byte) ([]byte, bool) { return appendTickByHand(buf, m), true })
}

func appendTickByHand(b []byte, m bomberman.ArenaUpdated) []byte {
	b = append(b, `{"command":"cArenaUpdated","content":{"players":[`...)
	for i, p := range m.Players {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, `{"number":`...)
		b = strconv.AppendInt(b, int64(p.Number), 10)
		b = append(b, `,"name":"`...)
		b = append(b, p.Name...)
		b = append(b, `","x":`...)
		b = strconv.AppendInt(b, int64(p.X), 10)
		b = append(b, `,"y":`...)
		b = strconv.AppendInt(b, int64(p.Y), 10)
		b = append(b, `,"isArmored":`...)
		b = strconv.AppendBool(b, p.IsArmored)
		b = append(b, '}')
	}
	b = append(b, `],"updatedFields":[`...)
	for i, f := range m.UpdatedFields {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, `{"x":`...)
		b = strconv.AppendInt(b, int64(f.X), 10)
		b = append(b, `,"y":`...)
		b = strconv.AppendInt(b, int64(f.Y), 10)
		b = append(b, `,"id":`...)
		b = strconv.AppendInt(b, int64(f.ID), 10)
		b = append(b, '}')
	}
	return append(b, `]}}`...)
}

// TestAllocationsStayInBudget checks the documented numbers of allocations.
func TestAllocationsStayInBudget(t *testing.T) {
	buf := make([]byte, 0, bomberman.MaxFrame)
	action := mustAppend(t, bomberman.PlayerAction{Action: 3})
	stats := mustAppend(t, stats(1, 2, 1))
	registration := mustAppend(t, register("192.168.0.10"))
	servers := manyServers()
	serversBytes := mustAppend(t, servers)
	change := tick()
	changeBytes := mustAppend(t, change)
	frame, err := bomberman.AppendMessage(nil, servers)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name   string
		budget float64
		run    func()
	}{
		{"next frame", 0, func() { sinkBytes, _, _ = bomberman.NextFrame(frame, bomberman.MaxPayload) }},
		{"next frame, not whole", 0, func() { _, _, sinkErr = bomberman.NextFrame(frame[:100], bomberman.MaxPayload) }},
		{"peek", 0, func() { sinkMessage, _ = bomberman.PeekMessage(serversBytes) }},
		{"parse action", 0, func() { sinkAction, _ = bomberman.ParsePlayerAction(action) }},
		{"parse action as a message", 1, func() { sinkMessage, _ = bomberman.ParseMessage(action) }},
		{"parse stats as a message", 1, func() { sinkMessage, _ = bomberman.ParseMessage(stats) }},
		{"parse registration as a message", 2, func() { sinkMessage, _ = bomberman.ParseMessage(registration) }},
		{"parse list", 2,
			func() { m, _ := bomberman.ParseQueryGameServersResponse(serversBytes); sinkServers = m.Servers }},
		{"parse change", 3, func() { sinkArena, _ = bomberman.ParseArenaUpdated(changeBytes) }},
		{"append list", 0, func() { sinkBytes, _ = servers.AppendBinary(buf) }},
		{"append change", 0, func() { sinkBytes, _ = change.AppendBinary(buf) }},
		{"append a frame", 1, func() { sinkBytes, _ = bomberman.AppendMessage(buf, change) }},
	} {
		if got := testing.AllocsPerRun(100, tt.run); got > tt.budget {
			t.Errorf("%s: %v allocations, budget %v", tt.name, got, tt.budget)
		}
	}
}
