package wire

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestScoreRounds(t *testing.T) {
	for _, tt := range []struct {
		text string
		want *int
	}{
		{"12.5", new(13)}, {"4.500000", new(5)}, {" -1.5\r\n", new(-2)}, {"12.05", new(12)}, {"-0.4", new(0)}, {".5", new(1)},
		{"2147483647.4", new(math.MaxInt32)}, {"2147483647.5", nil}, {"-2147483648.4", new(math.MinInt32)},
		{"-2147483649", nil}, {"1e3", nil}, {"0x1p4", nil}, {"1_000", nil}, {"NaN", nil}, {"Inf", nil}, {"12,5", nil},
		{"1.2.3", nil}, {".", nil}, {"x", nil}, {"1 2", nil}, {"", nil}, {" ", nil},
	} {
		if diff := cmp.Diff(tt.want, Score(tt.text)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", tt.text, diff)
		}
	}
	for _, text := range []string{
		"0", "16", " 7 ", "-3", "007", "0152", "+5", "-0", "12.000000", "12.", "2147483648", "0x10",
	} {
		if diff := cmp.Diff(Number(text), Score(text)); diff != "" {
			t.Errorf("%q differs from Number (-want +got):\n%s", text, diff)
		}
	}
}
