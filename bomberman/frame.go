package bomberman

import (
	"strconv"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// NextFrame cuts the first frame off b and returns its payload, a part of b, for
// [ParseMessage]. If b does not contain a whole frame, the error is
// [lobbywire.ErrTruncated] itself: read more and call NextFrame again, or use a
// [Framer], which does not start again. A payload of more than limit bytes is
// refused as soon as its length is read; 0 means [MaxPayload].
//
// After any other error, the position of the next frame is unknown, so close the
// connection. On error, rest is b.
func NextFrame(b []byte, limit int) (payload, rest []byte, err error) {
	f := Framer{Options: Options{MaxPayload: limit}}
	return f.Next(b)
}

// AppendFrame appends a frame with payload, a JSON object, to b. It fails if
// payload is too long, or too short to be an object.
func AppendFrame(b, payload []byte) ([]byte, error) {
	w := wire.NewWriter(b)
	switch n := len(payload) + 1; {
	case n < minLength:
		w.Refuse("message", "missing")
	case n > maxSent+1:
		w.Exceed("message", n-1, maxSent)
	default:
		w.Int(int64(n))
	}
	w.Bytes(payload)
	w.Uint8('\n')
	return w.Finish(proto)
}

// AppendMessage appends a frame with m to b. It fails if m is nil or its
// AppendBinary fails.
func AppendMessage(b []byte, m Message) ([]byte, error) {
	if m == nil {
		return b, &lobbywire.Error{Proto: proto, Field: "message", Offset: -1, Err: wire.Invalid("missing")}
	}
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
