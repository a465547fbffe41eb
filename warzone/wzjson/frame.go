package wzjson

import (
	"cmp"
	"errors"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// NextFrame cuts the first message off b, a JSON object, for [ParseMessage]. It
// skips white space before the object, which ends with the brace that closes its
// first one. If b does not contain a whole message, the error is
// [lobbywire.ErrTruncated] itself: read more and call NextFrame again, or use a
// [Framer], which does not start again. A message that does not end within limit
// bytes is refused with [lobbywire.ErrTooLarge].
//
// After any other error, the position of the next message is unknown, so close the
// connection. On error, rest is b.
func NextFrame(b []byte, limit int) (payload, rest []byte, err error) {
	f := Framer{Options: Options{MaxFrame: cmp.Or(limit, -1)}}
	return f.Next(b)
}

// SplitFrames is a bufio.SplitFunc that returns messages, as [NextFrame] cuts them.
// The Scanner needs a buffer of [MaxFrame] bytes. A stream that ends within a
// message is an error.
func SplitFrames(data []byte, atEOF bool) (advance int, token []byte, err error) {
	return new(Framer).Split(data, atEOF)
}

// AppendFrame appends payload, a JSON object, and a newline to b. It fails if
// NextFrame would not cut payload off as one message, or if payload is too long.
func AppendFrame(b, payload []byte) ([]byte, error) {
	w := wire.NewWriter(b)
	frame, _, err := NextFrame(payload, MaxFrame)
	switch {
	case errors.Is(err, lobbywire.ErrTooLarge):
		w.Fail(wire.Over(MaxFrame), "")
	case err != nil, len(frame) < len(payload):
		w.Refuse("", "is not one JSON object")
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
