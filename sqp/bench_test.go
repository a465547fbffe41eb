package sqp_test

import (
	"encoding"
	"encoding/binary"
	"fmt"
	"testing"

	"github.com/lobbywire/lobbywire/internal/test/codectest"
	"github.com/lobbywire/lobbywire/sqp"
)

// infoAnswer is what a common server answers to a query for ServerInfo.
func infoAnswer() sqp.QueryResponse {
	return sqp.QueryResponse{
		Token:   0xc07a6c3d,
		Version: sqp.Version,
		ServerInfo: &sqp.ServerInfo{
			CurrentPlayers: 12,
			MaxPlayers:     16,
			ServerName:     "UE4 Dedicated Server",
			GameType:       "/Script/ShooterGame.ShooterGame_TeamDeathMatch",
			BuildID:        "001",
			Map:            "Highrise",
			Port:           7777,
		},
	}
}

// fullAnswer holds all chunks, with a number of players.
func fullAnswer(players int) sqp.QueryResponse {
	m := infoAnswer()
	m.ServerRules = []sqp.Rule{
		{Key: "friendlyFire", Value: sqp.Byte(1)},
		{Key: "rounds", Value: sqp.Uint16(300)},
		{Key: "tickets", Value: sqp.Uint32(70000)},
		{Key: "seed", Value: sqp.Uint64(1 << 40)},
		{Key: "motd", Value: sqp.String("Grüße")},
		{Key: "gravity", Value: sqp.Float32(9.81)},
	}
	m.PlayerInfo = &sqp.Table{
		Columns: []string{"name", "score", "ping", "team"},
		Types:   []sqp.ValueType{sqp.ValueString, sqp.ValueUint32, sqp.ValueUint16, sqp.ValueByte},
		Rows:    [][]sqp.Value{},
	}
	for i := range players {
		m.PlayerInfo.Rows = append(m.PlayerInfo.Rows, []sqp.Value{
			sqp.String(fmt.Sprintf("Player %02d", i)), sqp.Uint32(uint32(100 * i)), sqp.Uint16(uint16(20 + i)),
			sqp.Byte(uint8(i % 2)),
		})
	}
	m.TeamInfo = &sqp.Table{
		Columns: []string{"name", "score"},
		Types:   []sqp.ValueType{sqp.ValueString, sqp.ValueUint32},
		Rows: [][]sqp.Value{
			{sqp.String("red"), sqp.Uint32(3)},
			{sqp.String("blue"), sqp.Uint32(4)},
		},
	}
	m.Metrics = &sqp.Metrics{Values: []float32{0.5, 60, 1e9}}
	return m
}

// mustAppend returns the wire form of a message that has one.
func mustAppend(t testing.TB, m encoding.BinaryAppender) []byte {
	t.Helper()
	b, err := m.AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// Results of benchmarks go here, so that the work is not optimised away.
var (
	sinkRequest  sqp.Request
	sinkResponse sqp.QueryResponse
	sinkBytes    []byte
)

func BenchmarkParseInfo(b *testing.B) {
	codectest.BenchParse(b, mustAppend(b, infoAnswer()), func(in []byte) (sqp.QueryResponse, error) {
		return sqp.ParseQueryResponse(in, sqp.ChunkServerInfo)
	})
}

// BenchmarkParseInfoFloor reads the same answer by hand: bounds checked, one
// copy for the texts, one value for the chunk.
func BenchmarkParseInfoFloor(b *testing.B) {
	codectest.BenchParse(b, mustAppend(b, infoAnswer()), parseInfoByHand)
}

func parseInfoByHand(b []byte) (m sqp.QueryResponse, ok bool) {
	const fixed = 19
	if len(b) < fixed || b[0] != 1 || int(binary.BigEndian.Uint16(b[9:])) != len(b)-11 ||
		int(binary.BigEndian.Uint32(b[11:])) != len(b)-15 {
		return m, false
	}
	m.Token = binary.BigEndian.Uint32(b[1:])
	m.Version = binary.BigEndian.Uint16(b[5:])
	info := &sqp.ServerInfo{
		CurrentPlayers: binary.BigEndian.Uint16(b[15:]),
		MaxPlayers:     binary.BigEndian.Uint16(b[17:]),
	}
	m.ServerInfo = info
	s := string(b)
	at := fixed
	for _, field := range []*string{&info.ServerName, &info.GameType, &info.BuildID, &info.Map} {
		if at >= len(s) || at+1+int(s[at]) > len(s) {
			return m, false
		}
		end := at + 1 + int(s[at])
		*field = s[at+1 : end]
		at = end
	}
	if at+2 != len(b) {
		return m, false
	}
	info.Port = binary.BigEndian.Uint16(b[at:])
	return m, true
}

func BenchmarkAppendInfo(b *testing.B) {
	m := infoAnswer()
	codectest.BenchAppend(b, func(buf []byte) ([]byte, error) { return m.AppendBinary(buf) })
}

// BenchmarkAppendInfoFloor writes the same answer by hand.
func BenchmarkAppendInfoFloor(b *testing.B) {
	m := infoAnswer()
	codectest.BenchAppend(b, func(buf []byte) ([]byte, bool) { return appendInfoByHand(buf, m), true })
}

func appendInfoByHand(b []byte, m sqp.QueryResponse) []byte {
	i := m.ServerInfo
	n := 10 + len(i.ServerName) + len(i.GameType) + len(i.BuildID) + len(i.Map)
	b = append(b, 1)
	b = binary.BigEndian.AppendUint32(b, m.Token)
	b = binary.BigEndian.AppendUint16(b, m.Version)
	b = append(b, 0, 0)
	b = binary.BigEndian.AppendUint16(b, uint16(4+n))
	b = binary.BigEndian.AppendUint32(b, uint32(n))
	b = binary.BigEndian.AppendUint16(b, i.CurrentPlayers)
	b = binary.BigEndian.AppendUint16(b, i.MaxPlayers)
	for _, s := range [...]string{i.ServerName, i.GameType, i.BuildID, i.Map} {
		if len(s) > 255 {
			return nil
		}
		b = append(b, byte(len(s)))
		b = append(b, s...)
	}
	return binary.BigEndian.AppendUint16(b, i.Port)
}

// TestAllocationsStayInBudget holds the promises about allocations.
func TestAllocationsStayInBudget(t *testing.T) {
	buf := make([]byte, 0, 4*sqp.MaxDatagram)
	challenge := mustAppend(t, sqp.ChallengeRequest{Token: 1 << 20})
	query := mustAppend(t, sqp.QueryRequest{Token: 1 << 20, Version: 1, Chunks: 1})
	info := infoAnswer()
	infoBytes := mustAppend(t, info)
	full := fullAnswer(32)
	for _, tt := range []struct {
		name   string
		budget float64
		run    func()
	}{
		{"parse challenge request", 0, func() { sinkRequest, _ = sqp.ParseRequest(challenge) }},
		{"parse query request", 0, func() { sinkRequest, _ = sqp.ParseRequest(query) }},
		{"parse ServerInfo answer", 2,
			func() { sinkResponse, _ = sqp.ParseQueryResponse(infoBytes, sqp.ChunkServerInfo) }},
		{"append challenge response", 0, func() { sinkBytes, _ = sqp.ChallengeResponse{Token: 1}.AppendBinary(buf) }},
		{"append ServerInfo answer", 0, func() { sinkBytes, _ = info.AppendBinary(buf) }},
		{"append full answer", 0, func() { sinkBytes, _ = full.AppendBinary(buf) }},
	} {
		if got := testing.AllocsPerRun(100, tt.run); got > tt.budget {
			t.Errorf("%s: %v allocations, budget %v", tt.name, got, tt.budget)
		}
	}
}
