package wire

import (
	"math"
	"testing"
)

func TestInt(t *testing.T) {
	w := NewWriter(nil)
	for _, v := range []int64{0, 7, 10, 99, 100, -1, math.MinInt64} {
		w.Int(v)
		w.Uint8(' ')
	}
	got, err := w.Finish("test")
	if want := "0 7 10 99 100 -1 -9223372036854775808 "; err != nil || string(got) != want {
		t.Errorf("got %q, %v, want %q", got, err, want)
	}
}
