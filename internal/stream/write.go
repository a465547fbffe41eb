package stream

import (
	"errors"
	"net"
	"os"
	"time"
)

// Write writes b. Calls do not overlap. The connection is unusable after a write
// deadline.
func (c *Conn) Write(b []byte) (int, error) {
	n, err := c.WriteBuffers(net.Buffers{b})
	return int(n), err
}

// WriteBuffers writes all of v, which it consumes, as Write does, with as few system
// calls as possible.
func (c *Conn) WriteBuffers(v net.Buffers) (written int64, err error) {
	c.writing.Lock()
	defer c.writing.Unlock()
	total := int64(0)
	for _, b := range v {
		total += int64(len(b))
	}
	for {
		part := &v
		if !c.resumes {
			unit := cutUnit(&v)
			part = &unit
		}
		if err := c.startWriting(); err != nil {
			return written, err
		}
		n, err := part.WriteTo(c.conn)
		written += n
		// After a deadline, a TCP connection goes on if the peer has read enough.
		goesOn := err == nil || c.resumes && n >= writeUnit && errors.Is(err, os.ErrDeadlineExceeded)
		if written == total || !goesOn {
			return written, err
		}
	}
}

// cutUnit cuts the first writeUnit bytes off v.
func cutUnit(v *net.Buffers) (unit net.Buffers) {
	for room := writeUnit; room > 0 && len(*v) > 0; {
		first := (*v)[0]
		n := min(len(first), room)
		unit = append(unit, first[:n])
		room -= n
		(*v)[0] = first[n:]
		if n == len(first) {
			*v = (*v)[1:]
		}
	}
	return unit
}

// startWriting sets the deadline for writing writeUnit bytes. A deadline for the whole
// output would give a peer that reads nothing too much time.
func (c *Conn) startWriting() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.mute {
		return c.ended
	}
	return c.conn.SetWriteDeadline(time.Now().Add(c.limits.Write))
}
