package gameagent

import (
	"slices"

	"github.com/lobbywire/lobbywire/internal/wire"
)

// cuts are the offsets at which an answer may be cut into packets: after the
// part before the players, and after each player. A nil pointer collects none,
// for an answer that has to fit in one packet.
type cuts []int

// mark adds the end of what was written.
func (c *cuts) mark(w *wire.Writer) {
	if c != nil {
		*c = append(*c, w.Len())
	}
}

// packets cuts what was written into packets of up to MaxPacket bytes. The bytes
// after the last offset belong to the last packet. Packet number n, from 1, ends
// with the text that ending returns for n.
func (c cuts) packets(w *wire.Writer, ending func(n int) string) ([][]byte, error) {
	c[len(c)-1] = w.Len()
	whole, err := w.Finish(proto)
	if err != nil {
		return nil, err
	}
	var packets [][]byte
	start, tail := 0, ending(1)
	for i, end := range c {
		if end-start+len(tail) > MaxPacket && i > 0 {
			packets = append(packets, slices.Concat(whole[start:c[i-1]], []byte(tail)))
			start, tail = c[i-1], ending(len(packets)+1)
		}
		if size := end - start + len(tail); size > MaxPacket {
			if i > 0 {
				w.In("players", i-1)
			}
			w.Exceed("", size, MaxPacket)
		}
	}
	if _, err := w.Finish(proto); err != nil {
		return nil, err
	}
	return append(packets, slices.Concat(whole[start:], []byte(tail))), nil
}
