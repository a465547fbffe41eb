package wzjson

import (
	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// NextFrame cuts the first message off b, a JSON object, ready for
// [ParseMessage]. It ends with the brace that belongs to its first one; white
// space in front of it is skipped. While b holds less than a message the error
// is [lobbywire.ErrTruncated] itself: read more and call again. A message that
// does not end within limit bytes is refused with [lobbywire.ErrTooLarge].
//
// Any other error means that the stream is out of step: close the connection.
// After an error rest is b.
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

// NextFrame cuts the first message off b.
func (o Options) NextFrame(b []byte) (payload, rest []byte, err error) {
	return NextFrame(b, o.maxFrame())
}

// SplitFrames is a bufio.SplitFunc for messages of up to [MaxFrame] bytes, as
// [NextFrame] cuts them. The Scanner needs a buffer of as many. A stream that
// ends within a message is an error.
func SplitFrames(data []byte, atEOF bool) (advance int, token []byte, err error) {
	return Options{}.SplitFrames(data, atEOF)
}

// SplitFrames is a bufio.SplitFunc for messages.
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
// payload is not cut off as one message, or too long.
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

// AppendMessage appends m and a newline to b. It fails as AppendBinary of m
// does.
func AppendMessage(b []byte, m Message) ([]byte, error) {
	f, err := m.AppendBinary(b)
	if err != nil {
		return b, err
	}
	return append(f, '\n'), nil
}

// cutFrame finds the first object of b. It counts braces outside of strings and
// leaves the rest to the parser. If it fails, start is set nevertheless.
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
			// No text holds a line break: its closing quote is missing.
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
