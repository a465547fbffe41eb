package bomberman

import (
	"unicode/utf8"

	"github.com/lobbywire/lobbywire"
)

// A frame holds the offsets of its parts.
//
//	white space | digits | payload | newline | next
type frame struct {
	digits int
	start  int // of the payload
	end    int // of the payload
	next   int // after the frame; the minimum if the frame is not whole
}

// A fault is the reason why a frame cannot be cut. Its kind is nil if there is
// none.
type fault struct {
	kind  error
	field string
	at    int
}

func (f fault) err() error {
	return &lobbywire.Error{Proto: proto, Field: f.field, Offset: f.at, Err: f.kind}
}

// A cutter finds the first frame of a stream. If it has only the start of the
// frame, it continues where it ended, so it reads each byte about once.
type cutter struct {
	frame
	step   step
	length uint64 // as far as its digits are read
	at     int    // of the next digit
	units  int    // of UTF-16 that are missing; end is where they begin
}

// A step is the part of a frame that a cutter is in.
type step uint8

const (
	inGap step = iota
	inLength
	inPayload
	inUnits // the length counts units of UTF-16
)

// cutFrame finds the first frame of b. Even on error, it sets start if it has read
// the length.
func cutFrame(b []byte, o Options, limit int) (frame, fault) {
	var c cutter
	bad := c.cut(b, o, limit)
	return c.frame, bad
}

// take is [Framer.Next].
func (c *cutter) take(b []byte, o Options, limit int) (payload, rest []byte, err error) {
	bad := c.cut(b, o, limit)
	f := c.frame
	if bad.kind == lobbywire.ErrTruncated {
		return nil, b, lobbywire.ErrTruncated
	}
	*c = cutter{}
	if bad.kind != nil {
		return nil, b, bad.err()
	}
	return b[f.start:f.end:f.end], b[f.next:], nil
}

// split is [Framer.Split].
func (c *cutter) split(data []byte, atEOF bool, o Options, limit int) (advance int, token []byte, err error) {
	bad := c.cut(data, o, limit)
	f := c.frame
	if bad.kind == lobbywire.ErrTruncated && !atEOF {
		return 0, nil, nil
	}
	*c = cutter{}
	switch {
	case bad.kind == nil:
		return f.next, data[f.start:f.end:f.end], nil
	case bad.kind == lobbywire.ErrTruncated && f.digits == len(data):
		return len(data), nil, nil
	}
	return 0, nil, bad.err()
}

// cut finds the first frame of b, which starts with the bytes of the call before.
func (c *cutter) cut(b []byte, o Options, limit int) fault {
	limit = min(limit, maxLimit)
	if c.step == inGap {
		if bad := c.skipGap(b, o); bad.kind != nil {
			return bad
		}
	}
	if c.step == inLength {
		if kind := c.readLength(b, o, limit); kind != nil {
			return fault{kind, "length", c.digits}
		}
	}
	if c.step == inPayload {
		last := c.start + int(c.length) - 1
		switch {
		case last >= len(b):
			return fault{lobbywire.ErrTruncated, "message", c.start}
		case b[last] == '\n':
			c.end, c.next = last, last+1
			return fault{}
		case o.Strict:
			return fault{lobbywire.ErrInvalid, "newline", last}
		case b[last] == '\r' && last+1 == len(b):
			return fault{lobbywire.ErrTruncated, "newline", last}
		case b[last] == '\r' && b[last+1] == '\n':
			c.end, c.next = last, last+2
			return fault{}
		}
		// Java programs count units of UTF-16, so the frame is longer than its length.
		c.step, c.end, c.units = inUnits, c.start, int(c.length)-1
	}
	size, left, kind := unitsEnd(b[c.end:], c.units)
	c.end, c.units = c.end+size, left
	c.next = c.end + 1
	switch {
	case c.end-c.start > limit:
		return fault{lobbywire.ErrTooLarge, "message", c.start}
	case kind == nil && c.end == len(b):
		kind = lobbywire.ErrTruncated
	case kind == nil && b[c.end] != '\n':
		kind = lobbywire.ErrInvalid
	}
	return fault{kind, "newline", c.start + int(c.length) - 1}
}

// skipGap skips white space before the length.
func (c *cutter) skipGap(b []byte, o Options) fault {
	for !o.Strict && c.digits < len(b) && isSpace(b[c.digits]) {
		if c.digits == MaxGap {
			return fault{lobbywire.ErrTooLarge, "length", 0}
		}
		c.digits++
	}
	if c.digits == len(b) {
		return fault{lobbywire.ErrTruncated, "length", c.digits}
	}
	c.step, c.at = inLength, c.digits
	return fault{}
}

// readLength reads the decimal digits of the length.
func (c *cutter) readLength(b []byte, o Options, limit int) error {
	for ; c.at < len(b) && isDigit(b[c.at]); c.at++ {
		if o.Strict && c.at == c.digits && b[c.at] == '0' {
			return lobbywire.ErrInvalid
		}
		c.length = c.length*10 + uint64(b[c.at]-'0')
		if c.at-c.digits == MaxDigits || c.length > uint64(limit)+1 {
			return lobbywire.ErrTooLarge
		}
	}
	switch {
	case c.at == len(b):
		return lobbywire.ErrTruncated
	case c.at == c.digits || c.length < minLength:
		return lobbywire.ErrInvalid
	}
	c.step, c.start = inPayload, c.at
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
			return n, units, lobbywire.ErrInvalid
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
