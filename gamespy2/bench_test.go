package gamespy2_test

import (
	"bytes"
	"slices"
	"testing"

	"github.com/lobbywire/lobbywire/gamespy2"
	"github.com/lobbywire/lobbywire/internal/test/codectest"
)

// Benchmarks assign their results to these variables, so that the compiler keeps
// the work.
var (
	sinkRequest   gamespy2.Request
	sinkChallenge gamespy2.ChallengeResponse
	sinkResponse  gamespy2.Response
	sinkBytes     []byte
	sinkPackets   [][]byte
)

// bf2Query returns the query that Battlefield 2 and most tools send.
func bf2Query() gamespy2.Request {
	return gamespy2.Request{
		ID: testID, HasChallenge: true, Challenge: 123456789,
		Info: gamespy2.All(), Players: gamespy2.All(), Teams: gamespy2.All(), Flags: gamespy2.FlagSplit,
	}
}

// withChallenge are the options of a server that uses challenges.
var withChallenge = gamespy2.Options{Challenge: true}

func BenchmarkParseSplit(b *testing.B) {
	codectest.BenchParse(b, mustAppend(b, bf2Response(64)), gamespy2.ParseResponse)
}

// BenchmarkParseSplitFloor finds the texts of the same response with hand-written
// code, which copies the response once and lists the texts.
func BenchmarkParseSplitFloor(b *testing.B) {
	codectest.BenchParse(b, mustAppend(b, bf2Response(64)), textsByHand)
}

func textsByHand(b []byte) (list []string, ok bool) {
	s := string(b)
	list = make([]string, 0, bytes.Count(b, []byte{0}))
	for at := 0; at < len(b); {
		n := bytes.IndexByte(b[at:], 0)
		if n < 0 {
			n = len(b) - at
		}
		list = append(list, s[at:at+n])
		at += n + 1
	}
	return list, true
}

func BenchmarkAssemble(b *testing.B) {
	packets := mustPackets(b, bf2Response(64))
	b.SetBytes(int64(len(slices.Concat(packets...))))
	b.ReportAllocs()
	for b.Loop() {
		sinkResponse = assemble(packets)
	}
}

// assemble joins packets that are known to be complete.
func assemble(packets [][]byte) gamespy2.Response {
	var a gamespy2.Assembler
	for _, p := range packets {
		_, _ = a.Add(p)
	}
	m, _ := a.Response()
	return m
}

func BenchmarkAppendSplit(b *testing.B) {
	m := bf2Response(64)
	codectest.BenchAppend(b, func(buf []byte) ([]byte, error) { return m.AppendBinary(buf) })
}

// BenchmarkAppendSplitFloor appends the same response with hand-written code that
// checks nothing.
func BenchmarkAppendSplitFloor(b *testing.B) {
	m := bf2Response(64)
	codectest.BenchAppend(b, func(buf []byte) ([]byte, bool) { return appendSplitByHand(buf, &m), true })
}

func appendSplitByHand(b []byte, m *gamespy2.Response) []byte {
	b = append(b, 0)
	b = append(b, m.ID[:]...)
	b = append(b, "splitnum\x00\x80\x00"...)
	for _, kv := range m.Info {
		b = append(b, kv.Key...)
		b = append(b, 0)
		b = append(b, kv.Value...)
		b = append(b, 0)
	}
	b = append(b, 0)
	for section, t := range []*gamespy2.Table{&m.Players, &m.Teams} {
		b = append(b, byte(section+1))
		for column, name := range t.Columns {
			b = append(b, name...)
			b = append(b, 0, 0)
			for _, row := range t.Rows {
				b = append(b, row[column]...)
				b = append(b, 0)
			}
			b = append(b, 0)
		}
		b = append(b, 0)
	}
	return b
}

func BenchmarkPackets(b *testing.B) {
	m := bf2Response(64)
	b.SetBytes(int64(len(mustAppend(b, m))))
	b.ReportAllocs()
	for b.Loop() {
		sinkPackets, _ = m.Packets()
	}
}

// TestAllocationsStayInBudget checks the allocation budgets.
func TestAllocationsStayInBudget(t *testing.T) {
	buf := make([]byte, 0, 8*gamespy2.MaxPacket)
	query := mustAppend(t, bf2Query())
	basic := mustAppend(t, gamespy2.Request{Info: gamespy2.Keys(1, 6, 5, 8, 10, 4)})
	challenge := mustAppend(t, gamespy2.Request{Type: gamespy2.TypeChallenge})
	echo := mustAppend(t, gamespy2.Request{Type: gamespy2.TypeEcho, Data: gamespy2.MakeEchoData([]byte("some data"))})
	number := mustAppend(t, gamespy2.ChallengeResponse{Number: 123456789})
	basicStat := mustAppend(t, gamespy2.StatRequest{})
	split := bf2Response(64)
	whole := mustAppend(t, split)
	packets := mustPackets(t, split)
	if len(packets) != 3 {
		t.Fatalf("%d packets", len(packets))
	}
	plain := split
	plain.Split = false
	plainBytes := mustAppend(t, plain)
	for _, tt := range []struct {
		name   string
		budget float64
		run    func()
	}{
		{"parse query", 0, func() { sinkRequest, _ = withChallenge.ParseRequest(query) }},
		{"parse query for keys", 0, func() { sinkRequest, _ = gamespy2.ParseRequest(basic) }},
		{"parse challenge request", 0, func() { sinkRequest, _ = gamespy2.ParseRequest(challenge) }},
		{"parse echo request", 0, func() { sinkRequest, _ = gamespy2.ParseRequest(echo) }},
		{"parse basic stat request", 0, func() { _, _ = gamespy2.ParseStatRequest(basicStat) }},
		{"parse challenge response", 0, func() { sinkChallenge, _ = gamespy2.ParseChallengeResponse(number) }},
		{"refuse a request", 1, func() { sinkRequest, _ = gamespy2.ParseRequest(query[:12]) }},
		{"parse split answer", 5, func() { sinkResponse, _ = gamespy2.ParseResponse(whole) }},
		{"join 3 packets", 13, func() { sinkResponse = assemble(packets) }},
		{"parse plain answer", 9, func() { sinkResponse, _ = gamespy2.ParseResponse(plainBytes) }},
		{"append challenge response", 0,
			func() { sinkBytes, _ = gamespy2.ChallengeResponse{Number: 123456}.AppendBinary(buf) }},
		{"append query", 0, func() { sinkBytes, _ = bf2Query().AppendBinary(buf) }},
		{"append split answer", 0, func() { sinkBytes, _ = split.AppendBinary(buf) }},
		{"packets", 2, func() { sinkPackets, _ = split.Packets() }},
		{"append plain answer", 0, func() { sinkBytes, _ = plain.AppendBinary(buf) }},
	} {
		got := testing.AllocsPerRun(100, tt.run)
		t.Logf("%s: %v allocations", tt.name, got)
		if got > tt.budget {
			t.Errorf("%s: %v allocations, budget %v", tt.name, got, tt.budget)
		}
	}
}
