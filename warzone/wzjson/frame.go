package wzjson

import (
	"errors"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// AppendFrame appends payload, a JSON object, and a newline to b. It fails if a
// [Framer] would not cut payload off as one message, or if payload is too long.
func AppendFrame(b, payload []byte) ([]byte, error) {
	w := wire.NewWriter(b)
	frame, _, err := new(Framer).Next(payload)
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
