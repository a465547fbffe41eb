package gameagent

import (
	"bytes"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// Unknown is a datagram that is no message of its direction. Nobody answers it.
type Unknown struct {
	Raw []byte // the datagram; not empty
}

// AppendBinary appends the datagram to b. It refuses an empty one.
func (m Unknown) AppendBinary(b []byte) ([]byte, error) {
	w := wire.NewWriter(b)
	if len(m.Raw) == 0 {
		w.Fail(lobbywire.ErrInvalid, "raw")
	}
	w.Bytes(m.Raw)
	return w.Finish(proto)
}

// MarshalBinary returns the datagram.
func (m Unknown) MarshalBinary() ([]byte, error) { return m.AppendBinary(nil) }

// unknown returns b as Unknown. An empty datagram is an error: with it the
// original master ends.
func unknown(b []byte) (Unknown, error) {
	if len(b) == 0 {
		return Unknown{}, &lobbywire.Error{Proto: proto, Field: "type", Err: lobbywire.ErrTruncated}
	}
	return Unknown{bytes.Clone(b)}, nil
}

func explainUnknown(b []byte) lobbywire.Explanation {
	return wire.Explain(proto, "Unknown", b, func(r *wire.Reader) {
		if r.Len() == 0 {
			r.Fail(lobbywire.ErrTruncated, "type", 0)
		}
		r.Skip(r.Len(), "raw")
	})
}

// firstByte returns the first byte of b, 0 if b is empty: no message has it.
func firstByte(b []byte) byte {
	if len(b) == 0 {
		return 0
	}
	return b[0]
}
