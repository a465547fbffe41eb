package qr2_test

import (
	"bytes"
	"testing"

	"github.com/lobbywire/lobbywire/gamespy2/qr2"
	"github.com/lobbywire/lobbywire/internal/test/codectest"
)

// Benchmarks assign their results to these variables, so that the compiler keeps
// the work.
var (
	sinkHeartbeat qr2.Heartbeat
	sinkKeepalive qr2.Keepalive
	sinkAnswer    qr2.ChallengeAnswer
	sinkIdentity  qr2.Identity
	sinkBytes     []byte
	sinkError     error
)

func BenchmarkParseHeartbeat(b *testing.B) {
	codectest.BenchParse(b, load(b, "heartbeat_first"), qr2.ParseHeartbeat)
}

// BenchmarkParseHeartbeatFloor finds the texts of the same heartbeat with
// hand-written code, which copies it once and lists the texts.
func BenchmarkParseHeartbeatFloor(b *testing.B) {
	codectest.BenchParse(b, load(b, "heartbeat_first"), textsByHand)
}

func textsByHand(b []byte) (list []string, ok bool) {
	s := string(b)
	list = make([]string, 0, bytes.Count(b, []byte{0}))
	for at := 5; at < len(b); {
		n := bytes.IndexByte(b[at:], 0)
		if n < 0 {
			n = len(b) - at
		}
		list = append(list, s[at:at+n])
		at += n + 1
	}
	return list, true
}

func BenchmarkAppendHeartbeat(b *testing.B) {
	m, err := qr2.ParseHeartbeat(load(b, "heartbeat_first"))
	if err != nil {
		b.Fatal(err)
	}
	codectest.BenchAppend(b, func(buf []byte) ([]byte, error) { return m.AppendBinary(buf) })
}

// BenchmarkAppendHeartbeatFloor appends the same heartbeat with hand-written code
// that checks nothing.
func BenchmarkAppendHeartbeatFloor(b *testing.B) {
	in := load(b, "heartbeat_first")
	m, err := qr2.ParseHeartbeat(in)
	if err != nil {
		b.Fatal(err)
	}
	if got := appendByHand(nil, &m); !bytes.Equal(got, in) {
		b.Fatalf("appended as %q", got)
	}
	codectest.BenchAppend(b, func(buf []byte) ([]byte, bool) { return appendByHand(buf, &m), true })
}

func appendByHand(b []byte, m *qr2.Heartbeat) []byte {
	b = append(b, 3)
	b = append(b, m.Key[:]...)
	for _, kv := range m.Info {
		b = append(b, kv.Key...)
		b = append(b, 0)
		b = append(b, kv.Value...)
		b = append(b, 0)
	}
	b = append(b, 0)
	for _, t := range []*struct {
		Columns []string
		Rows    [][]string
	}{(*struct {
		Columns []string
		Rows    [][]string
	})(m.Players), (*struct {
		Columns []string
		Rows    [][]string
	})(m.Teams)} {
		b = append(b, byte(len(t.Rows)>>8), byte(len(t.Rows)))
		for _, name := range t.Columns {
			b = append(b, name...)
			b = append(b, 0)
		}
		b = append(b, 0)
		for _, row := range t.Rows {
			for _, value := range row {
				b = append(b, value...)
				b = append(b, 0)
			}
		}
	}
	return b
}

func BenchmarkAppendAnswer(b *testing.B) {
	buf := make([]byte, 0, qr2.MaxText)
	b.ReportAllocs()
	for b.Loop() {
		sinkBytes = qr2.AppendAnswer(buf, "AbCdEf007F0000012B67", "HA6zkS")
	}
}

// TestAllocationsStayInBudget checks the allocation budgets.
func TestAllocationsStayInBudget(t *testing.T) {
	first, keepalive, answer := load(t, "heartbeat_first"), load(t, "keepalive"), load(t, "challenge_answer")
	keys, cut := load(t, "heartbeat_keys"), load(t, "heartbeat_cut")
	m, err := qr2.ParseHeartbeat(first)
	if err != nil {
		t.Fatal(err)
	}
	buf := make([]byte, 0, qr2.MaxHeartbeat)
	for _, tt := range []struct {
		name   string
		budget float64
		run    func()
	}{
		{"parse heartbeat with tables", 10, func() { sinkHeartbeat, _ = qr2.ParseHeartbeat(first) }},
		{"parse heartbeat with keys", 2, func() { sinkHeartbeat, _ = qr2.ParseHeartbeat(keys) }},
		{"refuse a heartbeat", 9, func() { sinkHeartbeat, sinkError = qr2.ParseHeartbeat(cut) }},
		{"parse keepalive", 0, func() { sinkKeepalive, _ = qr2.ParseKeepalive(keepalive) }},
		{"parse challenge answer", 1, func() { sinkAnswer, _ = qr2.ParseChallengeAnswer(answer) }},
		{"append heartbeat", 0, func() { sinkBytes, _ = m.AppendBinary(buf) }},
		{"append answer", 0, func() { sinkBytes = qr2.AppendAnswer(buf, "AbCdEf007F0000012B67", "HA6zkS") }},
		{"append registered", 0, func() { sinkBytes, _ = qr2.Registered{Key: testKey}.AppendBinary(buf) }},
		{"identity", 1, func() { sinkIdentity = m.Identity() }},
	} {
		got := testing.AllocsPerRun(100, tt.run)
		t.Logf("%s: %v allocations", tt.name, got)
		if got > tt.budget {
			t.Errorf("%s: %v allocations, budget %v", tt.name, got, tt.budget)
		}
	}
}
