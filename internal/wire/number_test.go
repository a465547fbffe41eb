package wire

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCountIgnoresImpossibleNumbers(t *testing.T) {
	for _, tt := range []struct {
		n    int64
		want *int
	}{
		{0, new(0)}, {math.MaxInt32, new(math.MaxInt32)},
		{-1, nil}, {math.MaxInt32 + 1, nil}, {math.MaxUint32, nil}, {math.MinInt64, nil},
	} {
		if diff := cmp.Diff(tt.want, Count(tt.n)); diff != "" {
			t.Errorf("%d (-want +got):\n%s", tt.n, diff)
		}
	}
}

func TestNumberReadsLooseDecimals(t *testing.T) {
	for _, tt := range []struct {
		text string
		want *int
	}{
		{"0", new(0)}, {"16", new(16)}, {" 7 ", new(7)}, {"-3", new(-3)}, {"007", new(7)},
		{" 152", new(152)}, {"0152", new(152)}, {" -1\r\n", new(-1)}, {"+5", new(5)}, {"-0", new(0)},
		{"12.000000", new(12)}, {"12.", new(12)}, {"-1.5", nil}, {"12.05", nil},
		{"2147483647", new(math.MaxInt32)}, {"-2147483648", new(math.MinInt32)},
		{"", nil}, {" ", nil}, {"2147483648", nil}, {"x", nil}, {"1x", nil}, {"0x10", nil},
		{".5", nil}, {"1.2.3", nil}, {"1.-5", nil}, {"1e3", nil}, {"1 2", nil},
	} {
		if diff := cmp.Diff(tt.want, Number(tt.text)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", tt.text, diff)
		}
	}
}

func TestBoolReadsWordsAndNumbers(t *testing.T) {
	for _, tt := range []struct {
		want  *bool
		texts []string
	}{
		{new(true), []string{"1", "2", "-1", "01", "1.0", "True", "true", "TRUE", "yes", "on", " t ", "Y\n"}},
		{new(false), []string{"0", "00", "0.0", "-0", "False", "no", "OFF", "f", " n"}},
		{nil, []string{"", " ", "x", "maybe", "nope", "0x1", "1.5", "true false", "\x00", "tru"}},
	} {
		for _, text := range tt.texts {
			if diff := cmp.Diff(tt.want, Bool(text)); diff != "" {
				t.Errorf("%q (-want +got):\n%s", text, diff)
			}
		}
	}
}
