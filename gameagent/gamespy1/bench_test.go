package gamespy1_test

import (
	"encoding"
	"fmt"
	"net/netip"
	"testing"

	"github.com/lobbywire/lobbywire/gameagent/gamespy1"
)

// typical is the status of a typical server of Serious Sam.
func typical(players int) gamespy1.Status {
	m := gamespy1.Status{
		GameName: "serioussamse", GameVersion: "1.10", Location: "EU", HostName: "Awesome Server",
		HostPort: 25600, MapName: "Yodeller", GameType: "Fragmatch",
		NumPlayers: new(players), MaxPlayers: new(16), GameMode: "openplaying", Difficulty: "Normal",
		FriendlyFire: new(false), WeaponsStay: new(true), AmmoStays: new(false), HealthArmorStays: new(false),
		AllowHealth: new(true), AllowArmor: new(true), InfiniteAmmo: new(false), RespawnInPlace: new(false),
		Password: new(false), VIPPlayers: new(true),
		QueryID: gamespy1.QueryStatus.ID(),
	}
	for i := range players {
		m.Players = append(m.Players, gamespy1.Player{
			Index: i, Name: fmt.Sprintf("^oPlayer %02d^r", i), Frags: new(int32(10*i - 5)), Ping: new(20 + i),
		})
	}
	return m
}

// mustAppend returns the wire form of a message. The test fails if it has none.
func mustAppend(t testing.TB, m encoding.BinaryAppender) []byte {
	t.Helper()
	b, err := m.AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// Benchmarks store their results here, so that the compiler cannot remove the
// work.
var (
	sinkToServer gamespy1.ToServer
	sinkToMaster gamespy1.ToMaster
	sinkStatus   gamespy1.Status
	sinkListPort gamespy1.ToListPort
	sinkSync     gamespy1.SyncList
	sinkBytes    []byte
	sinkErr      error
)

// TestAllocationsStayInBudget checks the documented numbers of allocations.
func TestAllocationsStayInBudget(t *testing.T) {
	buf := make([]byte, 0, gamespy1.MaxPacket)
	status := typical(8)
	statusBytes, request := mustAppend(t, status), []byte(`\players\`)
	askSecure, validation := []byte(`\status\\secure\ABCDEF`), []byte(`\validate\zbGgINC8\final\`)
	askList := mustAppend(t, gamespy1.ListRequest{GameName: "serioussamse", Validate: "zbGgINC8", QueryID: "1.1",
		List: "cmp", ListName: "serioussamse"})
	game := gamespy1.SyncGame{GameName: "serioussamse"}
	for i := range 170 {
		addr := netip.AddrFrom4([4]byte{192, 0, 2, byte(i)})
		game.Servers = append(game.Servers, netip.AddrPortFrom(addr, 25601))
	}
	sync := gamespy1.SyncList{Games: []gamespy1.SyncGame{game}}
	syncBytes := mustAppend(t, sync)
	var syncBuf [1 << 14]byte
	beat := mustAppend(t, gamespy1.Heartbeat{QueryPort: 25601, GameName: "serioussamse"})
	for _, tt := range []struct {
		name   string
		budget float64
		run    func()
	}{
		{"parse heartbeat", 2, func() { sinkToMaster, sinkErr = gamespy1.ParseToMaster(beat) }},
		{"parse request", 0, func() { sinkToServer, sinkErr = gamespy1.ParseToServer(request) }},
		{"parse request with a challenge", 2,
			func() { sinkToServer, sinkErr = gamespy1.ParseToServer(askSecure) }},
		{"parse validation", 2, func() { sinkToMaster, sinkErr = gamespy1.ParseToMaster(validation) }},
		{"parse list request", 8, func() { sinkListPort, sinkErr = gamespy1.ParseToListPort(askList) }},
		{"parse list of 170 servers for a master", 20,
			func() { sinkSync, sinkErr = gamespy1.ParseSyncList(syncBytes) }},
		{"append list of 170 servers for a master", 0,
			func() { sinkBytes, sinkErr = sync.AppendBinary(syncBuf[:0]) }},
		{"peek at heartbeat", 0, func() { sinkToMaster = gamespy1.PeekToMaster(beat) }},
		{"parse status", 5, func() { sinkStatus, sinkErr = gamespy1.ParseStatus(statusBytes) }},
		{"append status", 0, func() { sinkBytes, sinkErr = status.AppendBinary(buf) }},
	} {
		if got := testing.AllocsPerRun(100, tt.run); got > tt.budget {
			t.Errorf("%s: %v allocations, budget %v", tt.name, got, tt.budget)
		}
		if sinkErr != nil {
			t.Errorf("%s: %v", tt.name, sinkErr)
		}
	}
}
