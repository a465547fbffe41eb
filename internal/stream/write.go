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
	c.writing.Lock()
	defer c.writing.Unlock()
	for written := 0; ; {
		part := b[written:]
		if !c.resumes {
			part = part[:min(len(part), writeUnit)]
		}
		if err := c.startWriting(min(len(part), writeUnit)); err != nil {
			return written, err
		}
		n, err := c.conn.Write(part)
		if written += n; written == len(b) || !c.goesOn(n, err) {
			return written, err
		}
	}
}

// WriteBuffers writes all of v, which it consumes, as Write does.
func (c *Conn) WriteBuffers(v net.Buffers) (int64, error) {
	c.writing.Lock()
	defer c.writing.Unlock()
	if c.resumes {
		return c.writeWhole(v)
	}
	for written := int64(0); ; {
		part, size := v[:0], 0
		for size < writeUnit && len(part) < len(v) {
			size += len(v[len(part)])
			part = v[:len(part)+1]
		}
		v = v[len(part):]
		if err := c.startWriting(size); err != nil {
			return written, err
		}
		n, err := part.WriteTo(c.conn)
		if written += n; err != nil || len(v) == 0 {
			return written, err
		}
	}
}

// writeWhole writes v with as few system calls as possible.
func (c *Conn) writeWhole(v net.Buffers) (written int64, err error) {
	for {
		if err := c.startWriting(writeUnit); err != nil {
			return written, err
		}
		n, err := v.WriteTo(c.conn)
		if written += n; len(v) == 0 || !c.goesOn(int(n), err) {
			return written, err
		}
	}
}

// goesOn reports whether to continue after n bytes were written with error err.
func (c *Conn) goesOn(n int, err error) bool {
	return err == nil || c.resumes && n >= writeUnit && errors.Is(err, os.ErrDeadlineExceeded)
}

// startWriting sets the deadline for writing size bytes. A deadline for the whole
// output would give a peer that reads nothing too much time.
func (c *Conn) startWriting(size int) error {
	limit := c.limits.Write * time.Duration(max((size+writeUnit-1)/writeUnit, 1))
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.mute {
		return c.ended
	}
	return c.conn.SetWriteDeadline(time.Now().Add(limit))
}
