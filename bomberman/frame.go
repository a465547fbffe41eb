package bomberman

import (
	"strconv"
	"unicode/utf8"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// maxLimit caps limits, so that sums of sizes fit an int of 32 bits.
const maxLimit = 1 << 30

// minLength is the smallest length: that of {} and a newline.
const minLength = 3

// NextFrame cuts the first frame off b and returns its payload, for
// [ParseMessage]. If b does not contain a whole frame, the error is
// [lobbywire.ErrTruncated] itself: read more and call NextFrame again. A payload
// of more than limit bytes is refused as soon as its length is read.
//
// After any other error, the position of the next frame is unknown, so close the
// connection. On error, rest is b.
func NextFrame(b []byte, limit int) (payload, rest []byte, err error) {
	return nextFrame(b, Options{}, max(limit, 0))
}

// NextFrame is the function [NextFrame] with these options.
func (o Options) NextFrame(b []byte) (payload, rest []byte, err error) {
	return nextFrame(b, o, o.maxPayload())
}

func nextFrame(b []byte, o Options, limit int) (payload, rest []byte, err error) {
	f, bad := cutFrame(b, o, limit)
	switch bad.kind {
	case nil:
		return b[f.start:f.end:f.end], b[f.next:], nil
	case lobbywire.ErrTruncated:
		return nil, b, lobbywire.ErrTruncated
	}
	return nil, b, bad.err()
}

// FrameSize returns the minimum size of b that contains its first frame. NextFrame
// fails for fewer bytes. To call it for each byte that arrives takes quadratic
// time if the length of the frame counts units of UTF-16; wait for this size
// instead. FrameSize is 0 if b contains a whole frame, or no valid one.
func FrameSize(b []byte) int {
	f, bad := cutFrame(b, Options{}, maxLimit)
	if bad.kind != lobbywire.ErrTruncated {
		return 0
	}
	return max(f.next, len(b)+1)
}

// SplitFrames is a bufio.SplitFunc that returns the payloads of frames. The Scanner
// needs a buffer of [MaxFrame] bytes. A stream that ends within a frame is an
// error.
func SplitFrames(data []byte, atEOF bool) (advance int, token []byte, err error) {
	return Options{}.SplitFrames(data, atEOF)
}

// SplitFrames is the function [SplitFrames] with these options.
func (o Options) SplitFrames(data []byte, atEOF bool) (advance int, token []byte, err error) {
	f, bad := cutFrame(data, o, o.maxPayload())
	switch {
	case bad.kind == nil:
		return f.next, data[f.start:f.end:f.end], nil
	case bad.kind != lobbywire.ErrTruncated:
		return 0, nil, bad.err()
	case !atEOF:
		return 0, nil, nil
	case f.digits == len(data):
		return len(data), nil, nil
	}
	return 0, nil, bad.err()
}

// AppendFrame appends a frame with payload, a JSON object, to b. It fails if
// payload is too long, or too short to be an object.
func AppendFrame(b, payload []byte) ([]byte, error) {
	w := wire.NewWriter(b)
	switch n := len(payload) + 1; {
	case n < minLength:
		w.Fail(lobbywire.ErrInvalid, "message")
	case n > maxSent+1:
		w.Fail(lobbywire.ErrTooLarge, "message")
	default:
		w.Int(int64(n))
	}
	w.Bytes(payload)
	w.Uint8('\n')
	return w.Finish(proto)
}

// AppendMessage appends a frame with m to b. It fails if AppendBinary of m fails.
func AppendMessage(b []byte, m Message) ([]byte, error) {
	const room = len("65536") // digits of the longest length
	start := len(b)
	f, err := m.AppendBinary(append(b, make([]byte, room)...))
	if err != nil {
		return b, err
	}
	payload := f[start+room:]
	f = strconv.AppendInt(f[:start], int64(len(payload)+1), 10)
	f = append(f, payload...) // moves it left, over the unused digits
	return append(f, '\n'), nil
}

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

// cutFrame finds the first frame of b. Even on error, it sets digits and next.
func cutFrame(b []byte, o Options, limit int) (f frame, bad fault) {
	limit = min(limit, maxLimit)
	if !o.Strict {
		for f.digits < len(b) && isSpace(b[f.digits]) {
			if f.digits == MaxGap {
				return f, fault{lobbywire.ErrTooLarge, "length", 0}
			}
			f.digits++
		}
	}
	n, size, kind := readLength(b[f.digits:], o, limit)
	if kind != nil {
		return f, fault{kind, "length", f.digits}
	}
	f.start = f.digits + size
	last := f.start + n - 1
	if f.next = last + 1; last >= len(b) {
		return f, fault{lobbywire.ErrTruncated, "message", f.start}
	}
	f.end = last
	if b[last] == '\n' {
		return f, fault{}
	}
	if o.Strict {
		return f, fault{lobbywire.ErrInvalid, "newline", last}
	}
	if b[last] == '\r' {
		if f.next == len(b) {
			return f, fault{lobbywire.ErrTruncated, "newline", last}
		}
		if b[f.next] == '\n' {
			f.next++
			return f, fault{}
		}
	}
	// Java programs count units of UTF-16, so the frame is longer than its length.
	size, left, kind := unitsEnd(b[f.start:], n-1)
	f.end = f.start + size
	f.next = f.end + left + 1
	switch {
	case size > limit:
		return f, fault{lobbywire.ErrTooLarge, "message", f.start}
	case kind == nil && f.end == len(b):
		kind = lobbywire.ErrTruncated
	case kind == nil && b[f.end] != '\n':
		kind = lobbywire.ErrInvalid
	}
	return f, fault{kind, "newline", last}
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

// readLength reads the decimal digits at the start of b. size is their number.
func readLength(b []byte, o Options, limit int) (n, size int, kind error) {
	var v uint64
	for ; size < len(b) && b[size] >= '0' && b[size] <= '9'; size++ {
		if o.Strict && b[0] == '0' {
			return 0, 0, lobbywire.ErrInvalid
		}
		v = v*10 + uint64(b[size]-'0')
		if size == MaxDigits || v > uint64(limit)+1 {
			return 0, 0, lobbywire.ErrTooLarge
		}
	}
	switch {
	case size == len(b):
		return 0, 0, lobbywire.ErrTruncated
	case size == 0 || v < minLength:
		return 0, 0, lobbywire.ErrInvalid
	}
	return int(v), size, nil
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }
