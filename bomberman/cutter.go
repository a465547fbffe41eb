package bomberman

import (
	"unicode/utf8"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
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
	bad    fault  // of the last cut that failed
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
	c.cut(b, o, limit)
	return c.frame, c.bad
}

// take is [Framer.Next].
func (c *cutter) take(b []byte, o Options, limit int) (payload, rest []byte, err error) {
	switch c.cut(b, o, limit) {
	case nil:
		payload, rest = b[c.start:c.end:c.end], b[c.next:]
	case lobbywire.ErrTruncated:
		return nil, b, lobbywire.ErrTruncated
	default:
		rest, err = b, c.bad.err()
	}
	*c = cutter{}
	return payload, rest, err
}

// split is [Framer.Split].
func (c *cutter) split(data []byte, atEOF bool, o Options, limit int) (advance int, token []byte, err error) {
	switch kind := c.cut(data, o, limit); {
	case kind == nil:
		advance, token = c.next, data[c.start:c.end:c.end]
	case kind == lobbywire.ErrTruncated && !atEOF:
		return 0, nil, nil
	case kind == lobbywire.ErrTruncated && c.digits == len(data):
		advance = len(data)
	default:
		err = c.bad.err()
	}
	*c = cutter{}
	return advance, token, err
}

// fail notes why a frame cannot be cut. It returns kind.
func (c *cutter) fail(kind error, field string, at int) error {
	c.bad = fault{kind, field, at}
	return kind
}

// cut finds the first frame of b, which starts with the bytes of the call before.
// It returns the kind of failure.
func (c *cutter) cut(b []byte, o Options, limit int) (kind error) {
	limit = min(limit, maxLimit)
	if c.step == inGap {
		if kind := c.skipGap(b, o); kind != nil {
			return kind
		}
	}
	if c.step == inLength {
		if kind := c.readLength(b, o, limit); kind != nil {
			return c.fail(kind, "length", c.digits)
		}
	}
	if c.step == inPayload {
		last := c.start + int(c.length) - 1
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
		c.step, c.end, c.units = inUnits, c.start, int(c.length)-1
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
	return c.fail(kind, "newline", c.start+int(c.length)-1)
}

// skipGap skips white space before the length.
func (c *cutter) skipGap(b []byte, o Options) error {
	at := c.digits
	for !o.Strict && at < len(b) && isSpace(b[at]) {
		if at == MaxGap {
			return c.fail(wire.TooLarge("has too many blanks in front"), "length", 0)
		}
		at++
	}
	c.digits, c.at = at, at
	if at == len(b) {
		return c.fail(lobbywire.ErrTruncated, "length", at)
	}
	c.step = inLength
	return nil
}

// readLength reads the decimal digits of the length.
func (c *cutter) readLength(b []byte, o Options, limit int) error {
	at, length := c.at, c.length
	for ; at < len(b) && isDigit(b[at]); at++ {
		if o.Strict && at == c.digits && b[at] == '0' {
			return wire.Invalid("has a leading zero")
		}
		length = length*10 + uint64(b[at]-'0')
		if at-c.digits == MaxDigits || length > uint64(limit)+1 {
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
	c.step, c.start = inPayload, at
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
