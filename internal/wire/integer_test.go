package wire

import (
	"math"
	"strconv"
	"testing"
)

func TestIntWritesAsStrconvDoes(t *testing.T) {
	values := []int64{-1, -99999, math.MinInt64, math.MaxInt64, 123456}
	for v := range int64(100_100) {
		values = append(values, v)
	}
	for _, v := range values {
		w := NewWriter([]byte("x"))
		w.Int(v)
		got, err := w.Finish("test")
		if want := "x" + strconv.FormatInt(v, 10); err != nil || string(got) != want {
			t.Fatalf("got %q, %v, want %q", got, err, want)
		}
	}
}
