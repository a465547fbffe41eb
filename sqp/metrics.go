package sqp

import (
	"math"

	"github.com/lobbywire/lobbywire/internal/wire"
)

// Metrics is the chunk of numbers that a game reports to its operator. The position of a
// number determines its meaning. On the wire, their count precedes them.
type Metrics struct {
	Values []float32 // at most 255; Unity's client accepts 25
	Extra  []byte    // fields of a later version
}

func decodeMetrics(r *wire.Reader, _ Options) *Metrics {
	m := new(Metrics)
	at := r.Offset()
	n := r.Count(uint32(r.Uint8("count")), 4, math.MaxUint8, "count", at)
	m.Values = make([]float32, n)
	for i := range m.Values {
		r.In("metrics", i)
		m.Values[i] = r.Float32("")
	}
	r.In("metrics", -1)
	m.Extra = r.Rest("extra")
	return m
}

func appendMetrics(w *wire.Writer, m *Metrics) {
	w.In("metrics", -1)
	if len(m.Values) > math.MaxUint8 {
		w.Exceed("values", len(m.Values), math.MaxUint8)
	}
	w.Uint8(uint8(len(m.Values)))
	for _, v := range m.Values {
		w.Float32(v)
	}
	w.Bytes(m.Extra)
}
