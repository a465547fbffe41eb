package gameagent

import (
	"github.com/lobbywire/lobbywire"
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
// after the last offset belong to the last packet.
func (c cuts) packets(w *wire.Writer) ([][]byte, error) {
	c[len(c)-1] = w.Len()
	whole, err := w.Finish(proto)
	if err != nil {
		return nil, err
	}
	var packets [][]byte
	start := 0
	for i, end := range c {
		if end-start > MaxPacket && i > 0 {
			packets = append(packets, whole[start:c[i-1]:c[i-1]])
			start = c[i-1]
		}
		if end-start > MaxPacket {
			if i > 0 {
				w.In("players", i-1)
			}
			w.Fail(lobbywire.ErrTooLarge, "")
		}
	}
	if _, err := w.Finish(proto); err != nil {
		return nil, err
	}
	return append(packets, whole[start:]), nil
}
