package bomberman

import (
	"unicode/utf8"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// maxLimit caps limits, so that sums of sizes fit an int of 32 bits.
const maxLimit = 1 << 30

// minLength is the smallest length, of {} and a newline.
const minLength = 3

// A cutter finds the first frame of a stream. If only the start of the frame has arrived,
// it continues where it ended, so it reads each byte about once. It holds the offsets of
// the parts of the frame:
//
//	white space | digits | payload | newline | next
type cutter struct {
	digits int
	start  int // of the payload; 0 until the length is read
	end    int // of the payload; 0 until units of UTF-16 are counted
	next   int

	at     int             // of the next digit
	length uint64          // as far as its digits are read
	units  int             // of UTF-16 that are missing at end
	bad    lobbywire.Error // of the last cut that failed
}

// fail notes why a frame cannot be cut. It returns kind.
func (c *cutter) fail(kind error, field string, at int) error {
	c.bad = lobbywire.Error{Proto: proto, Field: field, Offset: at, Err: kind}
	return kind
}

// cut finds the first frame of b, which starts with the bytes of the call before.
// It returns the kind of failure.
func (c *cutter) cut(b []byte, o Options) (kind error) {
	limit := min(o.maxPayload(), maxLimit)
	if c.start == 0 {
		if kind := c.readLength(b, o, limit); kind != nil {
			return c.fail(kind, "length", c.digits)
		}
	}
	last := c.start + int(c.length) - 1
	if c.end == 0 {
		switch {
		case last >= len(b):
			return c.fail(lobbywire.ErrTruncated, "message", c.start)
		case b[last] == '\n':
			c.end, c.next = last, last+1
			return nil
		case o.Strict:
			return c.fail(wire.Invalid("missing"), "newline", last)
		case b[last] == '\r' && last+1 == len(b):
			return c.fail(lobbywire.ErrTruncated, "newline", last)
		case b[last] == '\r' && b[last+1] == '\n':
			c.end, c.next = last, last+2
			return nil
		}
		// Java programs count units of UTF-16, so the frame is longer than its length.
		c.end, c.units = c.start, int(c.length)-1
	}
	size, left, kind := unitsEnd(b[c.end:], c.units)
	c.end, c.units = c.end+size, left
	c.next = c.end + 1
	switch {
	case c.end-c.start > limit:
		return c.fail(wire.Over(limit), "message", c.start)
	case kind == nil && c.end == len(b):
		kind = lobbywire.ErrTruncated
	case kind == nil && b[c.end] != '\n':
		kind = wire.Invalid("missing")
	}
	return c.fail(kind, "newline", last)
}

// readLength skips white space and reads the decimal digits of the length.
func (c *cutter) readLength(b []byte, o Options, limit int) error {
	at, length := c.at, c.length
	if at == c.digits && !o.Strict {
		for ; at < len(b) && isSpace(b[at]); at++ {
			if at == maxGap {
				c.digits = 0
				return wire.TooLarge("has too many blanks in front")
			}
		}
		c.digits = at
	}
	for ; at < len(b) && isDigit(b[at]); at++ {
		if o.Strict && at == c.digits && b[at] == '0' {
			return wire.Invalid("has a leading zero")
		}
		length = length*10 + uint64(b[at]-'0')
		if at-c.digits == maxDigits || length > uint64(limit)+1 {
			return wire.Over(limit + 1)
		}
	}
	c.at, c.length = at, length
	switch {
	case at == len(b):
		return lobbywire.ErrTruncated
	case at == c.digits:
		return wire.Invalid("is not a number")
	case length < minLength:
		return wire.Invalid("is the length of an empty message")
	}
	c.start = at
	return nil
}

// unitsEnd returns the size in bytes of the start of p, in UTF-8, that has this
// many units of UTF-16. On error, n is the size it has read, and left is the number
// of missing units.
func unitsEnd(p []byte, units int) (n, left int, kind error) {
	for n < len(p) && units > 0 {
		if p[n] < utf8.RuneSelf {
			n++
			units--
			continue
		}
		c, size := utf8.DecodeRune(p[n:])
		switch {
		case c == utf8.RuneError && size == 1 && !utf8.FullRune(p[n:]):
			return n, units, lobbywire.ErrTruncated
		case c == utf8.RuneError && size == 1, c > 0xffff && units == 1:
			return n, units, wire.Invalid("is not where the length requires it")
		case c > 0xffff:
			units--
		}
		n += size
		units--
	}
	if units > 0 {
		return n, units, lobbywire.ErrTruncated
	}
	return n, 0, nil
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }
