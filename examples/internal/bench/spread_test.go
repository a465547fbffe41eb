package bench

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSpreadHasMedianAndExtremes(t *testing.T) {
	for _, tt := range []struct {
		in   []float64
		want Spread
	}{
		{[]float64{3}, Spread{3, 3, 3}},
		{[]float64{4, 1}, Spread{1, 2.5, 4}},
		{[]float64{9, 1, 2}, Spread{1, 2, 9}},
	} {
		if d := cmp.Diff(tt.want, SpreadOf(tt.in)); d != "" {
			t.Errorf("%v: %s", tt.in, d)
		}
	}
}
