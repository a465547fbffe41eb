package filter_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire/gamespy2/filter"
	"github.com/lobbywire/lobbywire/internal/test/codectest"
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

func BenchmarkParse(b *testing.B) {
	codectest.BenchParse(b, []byte(battlefield2), filter.ParseFilter)
}

func BenchmarkAppend(b *testing.B) {
	m := parse(b, battlefield2)
	codectest.BenchAppend(b, func(buf []byte) ([]byte, error) { return m.AppendBinary(buf) })
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

// BenchmarkMatchFloor evaluates the filter of Battlefield 2 as a program would that
// knows it in advance.
func BenchmarkMatchFloor(b *testing.B) {
	value := func(key string) string { v, _ := server(key); return v }
	is := func(key string, n int) bool {
		v, err := strconv.Atoi(value(key))
		return err == nil && v == n
	}
	b.ReportAllocs()
	for b.Loop() {
		sinkBool = is("bf2_anticheat", 1) &&
			(is("bf2_mapsize", 16) || is("bf2_mapsize", 32) || is("bf2_mapsize", 64)) &&
			value("gamever") == "1.5.3153-802.0" && value("gamevariant") == "pr" &&
			!strings.Contains(strings.ToLower(value("gametype")), "gpm_training")
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

// TestAllocs checks the allocation budgets.
func TestAllocs(t *testing.T) {
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
