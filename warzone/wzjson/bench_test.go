package wzjson_test

import (
	"net/netip"
	"strconv"
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

// TestAllocationsStayInBudget holds the promises about allocations.
func TestAllocationsStayInBudget(t *testing.T) {
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
