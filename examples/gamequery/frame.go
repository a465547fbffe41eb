package main

import (
	"io"

	"github.com/lobbywire/lobbywire"
)

// A frame is the codec of a message in the frame that it has in a stream.
type frame struct {
	member

	// cut returns the message in b and its offset. If it is nil, b is the message.
	cut func(b []byte, o options) (payload []byte, at int, err error)

	// fields explains frame and message. If it is nil, the message explains itself.
	fields func(b []byte) lobbywire.Explanation

	// append appends the frame of a message.
	append func(b, payload []byte) ([]byte, error)
}

func (f frame) payload(b []byte, o options) ([]byte, int, error) {
	if f.cut == nil {
		return b, 0, nil
	}
	return f.cut(b, o)
}

func (f frame) decode(w io.Writer, packets [][]byte, o options) error {
	if len(packets) > 1 {
		return errOnePacket()
	}
	p, at, err := f.payload(packets[0], o)
	if err != nil {
		return err
	}
	return shifted(f.member.decode(w, [][]byte{p}, o), at)
}

func (f frame) line(name string, b []byte, o options) (string, []byte, error) {
	p, at, err := f.payload(b, o)
	if err != nil {
		return name, nil, err
	}
	name, text, err := f.member.line(name, p, o)
	return name, text, shifted(err, at)
}

func (f frame) explanation(b []byte, o options) lobbywire.Explanation {
	if f.fields == nil {
		return f.member.explanation(b, o)
	}
	e := f.fields(b)
	if e.Err == nil {
		_, _, e.Err = f.line("", b, o) // another message
	}
	return e
}

func (f frame) explain(w io.Writer, b []byte, o options) error {
	return writeExplanation(w, b, f.explanation(b, o))
}

func (f frame) encode(text []byte, split bool) ([][]byte, error) {
	packets, err := f.member.encode(text, split)
	for i := range packets {
		if err == nil {
			packets[i], err = f.append(nil, packets[i])
		}
	}
	return packets, err
}

// inFrames returns messages with the frame f around each.
func inFrames(messages []format, f frame) []format {
	framed := make([]format, 0, len(messages))
	for _, m := range messages {
		f.member, _ = m.codec.(member)
		m.codec = f
		framed = append(framed, m)
	}
	return framed
}
