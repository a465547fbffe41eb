package formats

import (
	"io"

	"github.com/lobbywire/lobbywire"
)

// A frame is the codec of a message in the frame that it has in a stream.
type frame struct {
	Member

	// cut returns the message in b and its offset. If it is nil, b is the message.
	cut func(b []byte, o Options) (payload []byte, at int, err error)

	// fields explains frame and message. If it is nil, the message explains itself.
	fields func(b []byte) lobbywire.Explanation

	// append appends the frame of a message.
	append func(b, payload []byte) ([]byte, error)
}

func (f frame) payload(b []byte, o Options) ([]byte, int, error) {
	if f.cut == nil {
		return b, 0, nil
	}
	return f.cut(b, o)
}

func (f frame) Decode(w io.Writer, packets [][]byte, o Options) error {
	if len(packets) > 1 {
		return ErrOnePacket
	}
	p, at, err := f.payload(packets[0], o)
	if err != nil {
		return err
	}
	return shifted(f.Member.Decode(w, [][]byte{p}, o), at)
}

func (f frame) Kind(name string, b []byte, o Options) (string, error) {
	p, at, err := f.payload(b, o)
	if err != nil {
		return name, err
	}
	name, err = f.Member.Kind(name, p, o)
	return name, shifted(err, at)
}

func (f frame) line(name string, b []byte, o Options) (string, []byte, error) {
	p, at, err := f.payload(b, o)
	if err != nil {
		return name, nil, err
	}
	name, text, err := f.Member.line(name, p, o)
	return name, text, shifted(err, at)
}

func (f frame) Explanation(b []byte, o Options) lobbywire.Explanation {
	if f.fields == nil {
		return f.Member.Explanation(b, o)
	}
	e := f.fields(b)
	if e.Err == nil {
		_, e.Err = f.Kind("", b, o) // another message
	}
	return e
}

func (f frame) Explain(w io.Writer, b []byte, o Options) error {
	return writeExplanation(w, b, f.Explanation(b, o))
}

func (f frame) Encode(text []byte, split bool) ([][]byte, error) {
	packets, err := f.Member.Encode(text, split)
	for i := range packets {
		if err == nil {
			packets[i], err = f.append(nil, packets[i])
		}
	}
	return packets, err
}

// inFrames returns messages with the frame f around each.
func inFrames(messages []Format, f frame) []Format {
	framed := make([]Format, 0, len(messages))
	for _, m := range messages {
		f.Member, _ = m.Codec.(Member)
		m.Codec = f
		framed = append(framed, m)
	}
	return framed
}
