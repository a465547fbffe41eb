package filter_test

import (
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire/gamespy2/filter"
)

// sample is the filter of GameSpy's own sample.
const sample = "(country = 'US' and numplayers > 5) or hostname like '%GameSpy%'"

// battlefield2 is the filter of a browser for Battlefield 2.
const battlefield2 = "bf2_anticheat = 1 and (bf2_mapsize = 16 or bf2_mapsize = 32 or bf2_mapsize = 64) and " +
	"gamever = '1.5.3153-802.0' and gamevariant = 'pr' and gametype not like '%gpm_training%'"

var (
	sinkFilter filter.Filter
	sinkBytes  []byte
	sinkBool   bool
)

// server returns values by a switch, so that what is measured is the filter.
func server(key string) (value string, ok bool) {
	switch key {
	case "country":
		return "DE", true
	case "numplayers":
		return "12", true
	case "hostname":
		return "A server of GameSpy", true
	case "bf2_anticheat":
		return "1", true
	case "bf2_mapsize":
		return "64", true
	case "gamever":
		return "1.5.3153-802.0", true
	case "gamevariant":
		return "pr", true
	case "gametype":
		return "gpm_cq", true
	}
	return "", false
}

func BenchmarkMatch(b *testing.B) {
	for name, text := range map[string]string{"sample": sample, "battlefield2": battlefield2} {
		m := parse(b, text)
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				sinkBool = m.Match(server)
			}
		})
	}
}

// BenchmarkMatchWorst has the patterns that cost most, for a value of 255 bytes.
func BenchmarkMatchWorst(b *testing.B) {
	m := parse(b, "a like '%"+strings.Repeat("x", 120)+"y%' or a like '"+strings.Repeat("%xx", 270)+"y'")
	value := strings.Repeat("x", 255)
	b.ReportAllocs()
	for b.Loop() {
		sinkBool = m.Match(func(string) (string, bool) { return value, true })
	}
}

// TestAllocationsStayInBudget checks the allocation budgets.
func TestAllocationsStayInBudget(t *testing.T) {
	m, all := parse(t, battlefield2), parse(t,
		"((((a << 1) + 2.5) & c) | -4) != 5 or d <= 'it''s' or not e = null or f like '%g%'")
	buf := make([]byte, 0, maxFilter)
	in, broken := []byte(battlefield2), []byte("numplayers 5")
	// The text, the operands of each of 10 operations, and the operands of chains of
	// and and or, which grow three times.
	const parseBudget = 14
	for _, tt := range []struct {
		name   string
		budget float64
		run    func()
	}{
		{"parse", parseBudget, func() { sinkFilter, _ = filter.ParseFilter(in) }},
		{"refuse", 4, func() { sinkFilter, _ = filter.ParseFilter(broken) }},
		{"append", 0, func() { sinkBytes, _ = m.AppendBinary(buf) }},
		{"match", 0, func() { sinkBool = m.Match(server) }},
		{"match with every kind of operation", 0, func() { sinkBool = all.Match(server) }},
	} {
		got := testing.AllocsPerRun(100, tt.run)
		t.Logf("%s: %v allocations", tt.name, got)
		if got > tt.budget {
			t.Errorf("%s: %v allocations, budget %v", tt.name, got, tt.budget)
		}
	}
}
