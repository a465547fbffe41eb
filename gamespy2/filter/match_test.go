package filter_test

import (
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire/gamespy2/filter"
)

// row is a server.
var row = map[string]string{
	"hostname": "GameSpy QR2 Sample", "country": "US", "numplayers": "5", "maxplayers": "32",
	"gamever": "2.00", "version": "1.5.3153-802.0", "port": "007", "empty": "", "neg": "-3",
	"big": "9223372036854775807", "huge": "9223372036854775808", "long": strings.Repeat("1", 33), "word": "abc",
}

func lookup(key string) (value string, ok bool) {
	value, ok = row[key]
	return value, ok
}

func parse(t testing.TB, s string) filter.Filter {
	t.Helper()
	m, err := filter.ParseFilter([]byte(s))
	if err != nil {
		t.Fatalf("%s: %v", s, err)
	}
	return m
}

// Each line is a filter that matches row. Its negation does not.
func TestMatchesAndNegates(t *testing.T) {
	for line := range strings.Lines(`
		country = 'US'
		country != 'us'
		country = "US" and numplayers < maxplayers
		(country = 'DE' and numplayers > 5) or hostname like '%GameSpy%'
		numplayers = 5
		numplayers = 5.0
		numplayers = '5'
		numplayers < ' 06' and gamever > ' 1.0 '
		numplayers != '5.0'
		numplayers > '05'  or  port = '007'
		port = 7
		port != '7'
		gamever = 2
		gamever != '2'
		version = '1.5.3153-802.0'
		version > 1 = 0
		version < 1 = 0
		word < 'abd'
		word > 'ABD'
		word = word
		word != numplayers
		maxplayers > 5
		maxplayers > numplayers
		'32' > '5'
		neg < 0
		neg = -3
		neg + 4 = 1
		(huge | 1) = 1
		((0 - huge) | 1) = 1
		big = 9223372036854775807
		big <= huge
		big + 1 < 0
		huge & 1 = 0
		long != 1
		missing = null
		missing is null
		missing = 0
		missing = ''
		missing < 1
		missing < 'a'
		missing = empty
		missing != 'a'
		not missing
		empty is null
		numplayers is not null
		numplayers - 4 is not null
		0 is null
		port - 7 is null
		word + 1 = 1
		numplayers & 4 = 4
		numplayers | 2 = 7
		numplayers ^ 1 = 4
		1 << numplayers = 32
		256 >> 4 = 16
		1 << 64 = 0
		1 << -1 = 0
		2.5 + 1 = 3.5
		1 - 2.5 = -1.5
		2.9 & 3 = 2
		numplayers
		word
		'a' and not '' and not '0' and not 0 and not 0.0 and not null
		1 = 1 and 0 = (1 = 2)
		hostname like 'gamespy%'
		hostname like '%SAMPLE'
		hostname like 'game%qr2%'
		hostname like '%%%'
		hostname not like 'qr2%'
		hostname not like '%qr2'
		hostname not like '_ameSpy%'
		missing like ''
		missing not like '%a%'
		numplayers like 5
		numplayers like '5'
		country like null = 0
	`) {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		m := parse(t, line)
		if !m.Match(lookup) {
			t.Errorf("%s: no match", line)
		}
		if no := (filter.Filter{Op: filter.OpNot, Args: []filter.Filter{m}}); no.Match(lookup) {
			t.Errorf("%s: matches", no)
		}
		if again := parse(t, m.String()); !again.Match(lookup) {
			t.Errorf("%s, printed as %s: no match", line, again)
		}
	}
}

func TestEmptyFilterMatchesAll(t *testing.T) {
	if !(filter.Filter{}).Match(lookup) {
		t.Error("no match")
	}
}

// A filter that cannot be printed does no harm.
func TestInvalidFiltersDoNoHarm(t *testing.T) {
	loop := filter.Filter{Op: filter.OpAnd, Args: make([]filter.Filter, 1)}
	loop.Args[0] = loop
	for _, m := range []filter.Filter{
		loop, {Op: "%"}, {Op: filter.OpNot}, {Op: "="}, {Op: filter.OpNumber, Text: "x"},
		{Op: filter.OpNumber},
	} {
		if m.Match(lookup) {
			t.Errorf("%q matches", m.Op)
		}
	}
}

// Short circuit: and looks up nothing behind what is false.
func TestMatchStopsEarly(t *testing.T) {
	for _, s := range []string{"numplayers = 0 and word", "numplayers = 5 or word"} {
		parse(t, s).Match(func(key string) (string, bool) {
			if key == "word" {
				t.Errorf("%s: looks up %s", s, key)
			}
			return lookup(key)
		})
	}
}

// The worst patterns cost the length of the value plus the length of the pattern. A
// matcher that tries all places, or all bytes of the pattern at each place, does not end
// here.
func TestLikeTakesLinearTime(t *testing.T) {
	const size = 1 << 20
	for _, tt := range []struct{ value, pattern string }{
		{"a", strings.Repeat("%a", 500) + "b"},
		{"a", strings.Repeat("%", 1000)},
		{"a", strings.Repeat("a%", 500)},
		{"a", "%" + strings.Repeat("a", size/4) + "b%"},
		{"a", "%b" + strings.Repeat("a", size/4) + "%"},
		{"a", "%" + strings.Repeat("a", size/8) + "b" + strings.Repeat("a", size/8) + "%"},
		{"ab", "%" + strings.Repeat("AB", size/8) + "b%"},
		{"aab", "%" + strings.Repeat("aab", size/16) + "aaab%"},
	} {
		m := filter.Filter{Op: "like",
			Args: []filter.Filter{{Op: filter.OpName, Text: "v"}, {Op: filter.OpText, Text: tt.pattern}}}
		value := strings.Repeat(tt.value, size/len(tt.value))
		want := !strings.ContainsAny(tt.pattern, "bB")
		if got := m.Match(func(string) (string, bool) { return value, true }); got != want {
			t.Errorf("%.10s...: %v, want %v", tt.pattern, got, want)
		}
	}
}

// MatchWithin stops at its limit, and agrees with Match below it.
func TestMatchWithinStopsAtItsLimit(t *testing.T) {
	for _, s := range []string{
		"country = 'US' and hostname like '%sample%'", "not (numplayers > 5)", "long != 1 or missing", "numplayers",
	} {
		m := parse(t, s)
		matches, left := m.MatchWithin(1<<20, lookup)
		if !matches || left < 0 || left == 1<<20 {
			t.Fatalf("%s: %v, %d left", s, matches, left)
		}
		steps := 1<<20 - left
		for limit := range steps + 2 {
			matches, left := m.MatchWithin(limit, lookup)
			if isEnough := limit >= steps; matches != isEnough || left >= 0 != isEnough {
				t.Errorf("%s: %v with %d steps of %d, %d left", s, matches, limit, steps, left)
			}
		}
	}
	for _, s := range []string{"a = 1", "1 = a", "a like '1'", "'1' like a"} { // both operands count
		looked := 0
		m := parse(t, strings.Repeat(s+" or ", 60)+s)
		m.MatchWithin(10_000, func(string) (string, bool) {
			looked++
			return strings.Repeat("x", 1000), true
		})
		if looked > 4 {
			t.Errorf("%s: %d values of 1000 bytes with 10 000 steps", s, looked)
		}
	}
}
