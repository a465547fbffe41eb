package wzjson

import (
	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// NextFrame cuts the first message off b, a JSON object, for [ParseMessage]. It
// skips white space before the object, which ends with the brace that closes its
// first one. If b does not contain a whole message, the error is
// [lobbywire.ErrTruncated] itself: read more and call NextFrame again. A message
// that does not end within limit bytes is refused with [lobbywire.ErrTooLarge].
//
// After any other error, the position of the next message is unknown, so close the
// connection. On error, rest is b.
func NextFrame(b []byte, limit int) (payload, rest []byte, err error) {
	start, end, kind := cutFrame(b, max(limit, 0))
	switch kind {
	case nil:
		return b[start:end:end], b[end:], nil
	case lobbywire.ErrTruncated:
		return nil, b, lobbywire.ErrTruncated
	}
	return nil, b, &lobbywire.Error{Proto: proto, Offset: start, Err: kind}
}

// NextFrame is the function [NextFrame] with these options.
func (o Options) NextFrame(b []byte) (payload, rest []byte, err error) {
	return NextFrame(b, o.maxFrame())
}

// SplitFrames is a bufio.SplitFunc that returns messages, as [NextFrame] cuts them.
// The Scanner needs a buffer of [MaxFrame] bytes. A stream that ends within a
// message is an error.
func SplitFrames(data []byte, atEOF bool) (advance int, token []byte, err error) {
	return Options{}.SplitFrames(data, atEOF)
}

// SplitFrames is the function [SplitFrames] with these options.
func (o Options) SplitFrames(data []byte, atEOF bool) (advance int, token []byte, err error) {
	start, end, kind := cutFrame(data, o.maxFrame())
	switch {
	case kind == nil:
		return end, data[start:end:end], nil
	case kind == lobbywire.ErrTruncated && !atEOF:
		return 0, nil, nil
	case kind == lobbywire.ErrTruncated && start == len(data):
		return len(data), nil, nil
	}
	return 0, nil, &lobbywire.Error{Proto: proto, Offset: start, Err: kind}
}

// AppendFrame appends payload, a JSON object, and a newline to b. It fails if
// NextFrame would not cut payload off as one message, or if payload is too long.
func AppendFrame(b, payload []byte) ([]byte, error) {
	w := wire.NewWriter(b)
	start, end, kind := cutFrame(payload, MaxFrame)
	switch {
	case kind == lobbywire.ErrTooLarge:
		w.Fail(lobbywire.ErrTooLarge, "")
	case kind != nil, start > 0, end < len(payload):
		w.Fail(lobbywire.ErrInvalid, "")
	}
	w.Bytes(payload)
	w.Uint8('\n')
	return w.Finish(proto)
}

// AppendMessage appends m and a newline to b. It fails if AppendBinary of m fails.
func AppendMessage(b []byte, m Message) ([]byte, error) {
	f, err := m.AppendBinary(b)
	if err != nil {
		return b, err
	}
	return append(f, '\n'), nil
}

// cutFrame finds the first object of b. It only counts braces outside of strings;
// the parser checks the rest. Even on error, it sets start.
func cutFrame(b []byte, limit int) (start, end int, kind error) {
	whole := len(b) <= limit
	b = b[:min(len(b), limit)]
	for start < len(b) && isSpace(b[start]) {
		start++
	}
	if start < len(b) && b[start] != '{' {
		return start, 0, lobbywire.ErrInvalid
	}
	depth := 0
	inText := false
	for i := start; i < len(b); i++ {
		switch c := b[i]; {
		case inText && c < ' ':
			// A text cannot contain a line break: its closing quote is missing.
			return start, 0, lobbywire.ErrInvalid
		case inText && c == '\\':
			i++
		case c == '"':
			inText = !inText
		case inText:
		case c == '{':
			depth++
		case c == '}':
			depth--
			if depth == 0 {
				return start, i + 1, nil
			}
		}
	}
	if !whole || len(b) == limit {
		return start, 0, lobbywire.ErrTooLarge
	}
	return start, 0, lobbywire.ErrTruncated
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }
