package sb2

import (
	"math"

	"github.com/lobbywire/lobbywire/internal/wire"
)

// decodeList reads the number of elements, one byte, and the elements. Each has at least
// size bytes.
func decodeList[E any](r *wire.Reader, count, name string, size int, element func() E) []E {
	at := r.Offset()
	n := r.Count(uint32(r.Uint8(count)), size, math.MaxUint8, count, at)
	if n == 0 {
		return nil
	}
	all := make([]E, n)
	for i := range all {
		r.In(name, i)
		all[i] = element()
	}
	r.In("", -1)
	return all
}

// appendList appends what decodeList reads. It fails if there are more than 255
// elements.
func appendList[E any](w *wire.Writer, count, name string, all []E, element func(*E)) {
	if len(all) > math.MaxUint8 {
		w.Exceed(count, len(all), math.MaxUint8)
		return
	}
	w.Uint8(uint8(len(all)))
	for i := range all {
		w.In(name, i)
		element(&all[i])
	}
	w.In("", -1)
}

// decodeTexts reads the number of texts, one byte, and the texts.
func decodeTexts(r *wire.Reader, count, name string) []string {
	return decodeList(r, count, name, 1, func() string { return r.Text0("") })
}

// appendTexts appends what decodeTexts reads.
func appendTexts(w *wire.Writer, count, name string, all []string) {
	appendList(w, count, name, all, func(s *string) { w.Text0("", *s) })
}
