package pairs

import (
	"slices"

	"github.com/lobbywire/lobbywire/internal/wire"
)

// Cuts are the offsets at which an answer may be cut into packets: after the
// part before the players, and after each player. A nil pointer collects none,
// for an answer that has to fit in one packet.
type Cuts []int

// Mark adds the end of what was written.
func (c *Cuts) Mark(w *wire.Writer) {
	if c != nil {
		*c = append(*c, w.Len())
	}
}

// Packets cuts what was written into packets of up to limit bytes. The bytes after the
// last offset belong to the last packet. Packet number n, from 1, ends with the text that
// ending returns for n.
func (c Cuts) Packets(w *wire.Writer, proto string, limit int, ending func(n int) string) ([][]byte, error) {
	c[len(c)-1] = w.Len()
	whole, err := w.Finish(proto)
	if err != nil {
		return nil, err
	}
	var packets [][]byte
	start, tail := 0, ending(1)
	for i, end := range c {
		if end-start+len(tail) > limit && i > 0 {
			packets = append(packets, slices.Concat(whole[start:c[i-1]], []byte(tail)))
			start, tail = c[i-1], ending(len(packets)+1)
		}
		if size := end - start + len(tail); size > limit {
			if i > 0 {
				w.In("players", i-1)
			}
			w.Exceed("", size, limit)
		}
	}
	if _, err := w.Finish(proto); err != nil {
		return nil, err
	}
	return append(packets, slices.Concat(whole[start:], []byte(tail))), nil
}
