package wzbin

import (
	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// NextFrame cuts the first frame off b, with its header, ready for a ParseX.
// While b holds less than a frame the error is [lobbywire.ErrTruncated] itself,
// and rest is b: read more and call again. A frame has [MaxFrame] bytes at
// most, so it takes no limit.
func NextFrame(b []byte) (frame, rest []byte, err error) {
	if len(b) < headerSize {
		return nil, b, lobbywire.ErrTruncated
	}
	n := headerSize + int(b[1])
	if len(b) < n {
		return nil, b, lobbywire.ErrTruncated
	}
	return b[:n:n], b[n:], nil
}

// SplitFrames is a bufio.SplitFunc for frames. Tokens are as [NextFrame] cuts
// them. A last frame that is cut short is an error.
func SplitFrames(data []byte, atEOF bool) (advance int, token []byte, err error) {
	frame, _, err := NextFrame(data)
	switch {
	case err == nil:
		return len(frame), frame, nil
	case atEOF && len(data) > 0:
		return 0, nil, &lobbywire.Error{Proto: proto, Err: err}
	}
	return 0, nil, nil
}

// AppendFrame appends a frame of payloads to b. It fails if a payload or all
// of them are too long; then it returns b as given.
func AppendFrame(b []byte, command Command, payloads ...[]byte) ([]byte, error) {
	return Frame{Command: command, Payloads: payloads}.AppendBinary(b)
}

// A Frame is any message, cut into its payloads and not judged further.
//
//	offset  size  field
//	0       1     command
//	1       1     size, of the message: of all that follows
//	per payload:
//	        1+n   payloads
type Frame struct {
	Command  Command
	Payloads [][]byte // nil if there are none; an empty one is not nil after parsing
}

// ParseFrame reads a [Frame].
func ParseFrame(b []byte) (Frame, error) {
	r := wire.NewReader(b)
	var m Frame
	m.decode(&r)
	if err := r.Err(proto); err != nil {
		return Frame{}, err
	}
	return m, nil
}

// ExplainFrame accounts for every byte of a [Frame].
func ExplainFrame(b []byte) lobbywire.Explanation {
	return wire.Explain(proto, "Frame", b, func(r *wire.Reader) { new(Frame).decode(r) })
}

func (m *Frame) decode(r *wire.Reader) {
	m.read(r)
	r.End()
}

func (m *Frame) read(r *wire.Reader) {
	m.Command = peekCommand(r)
	f := openFrame(r, Options{}, m.Command)
	// What has come of the message bounds what is allocated.
	come := r.Peek()[:min(f.left, r.Len())]
	if n := countPayloads(come); n > 0 {
		m.Payloads = make([][]byte, 0, n)
	}
	copied := make([]byte, 0, len(come))
	for i := 0; f.left > 0 && !r.Failed(); i++ {
		r.In("payloads", i)
		start := len(copied)
		copied = append(copied, r.ViewWithin(1, f.find(""), 0, "")...)
		m.Payloads = append(m.Payloads, copied[start:len(copied):len(copied)])
	}
	r.In("", -1)
}

// countPayloads returns how many payloads, the last of which may be cut short,
// p has.
func countPayloads(p []byte) (n int) {
	for ; len(p) > 0; n++ {
		p = p[min(1+int(p[0]), len(p)):]
	}
	return n
}

// AppendBinary appends the wire form to b. It fails if a payload has more than
// [MaxPayload] bytes or the message more than [MaxMessage].
func (m Frame) AppendBinary(b []byte) ([]byte, error) {
	w := wire.NewWriter(b)
	at := appendHeader(&w, m.Command)
	for i, p := range m.Payloads {
		if len(p) > MaxPayload {
			w.In("payloads", i)
			w.Fail(lobbywire.ErrTooLarge, "")
		}
		w.Uint8(uint8(len(p)))
		w.Bytes(p)
	}
	w.SetSize8(at, "size")
	return w.Finish(proto)
}

// MarshalBinary returns the wire form.
func (m Frame) MarshalBinary() ([]byte, error) { return m.AppendBinary(nil) }

// UnmarshalBinary reads b as [ParseFrame] does.
func (m *Frame) UnmarshalBinary(b []byte) (err error) {
	*m, err = ParseFrame(b)
	return err
}
