package bomberman

import (
	"encoding"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
	"github.com/lobbywire/lobbywire/internal/wire/wirejson"
)

// proto names the package in errors.
const proto = "bomberman"

// A Message is the payload of a frame: a type of this package that has a Parse
// function of its own, or [Unknown].
//
// AppendBinary appends the JSON object without a frame; [AppendMessage] adds the frame.
//
//wire:message key=string
type Message interface {
	encoding.BinaryAppender
	message()
}

// decodeMessage reads the payload of a frame, a JSON object, and returns one of
// the types listed at [Message]. It ignores white space around the object.
//
// The result is an [Unknown] if the command is unknown, or, unless Strict, if the
// content is neither an object nor null.
//
// An error concerns this message only: the stream continues with the next frame.
// ErrTruncated means that the object is incomplete, not that more data will
// follow. [ParseFrame] tells these cases apart.
func decodeMessage(r *wire.Reader, o Options) Message {
	p := wire.NewReader(r.Peek())
	command, content, _ := peek(&p, true)
	if o.Strict || content == 0 || content == '{' || content == 'n' {
		if m := messageOf(command, r, o); m != nil {
			return m
		}
	}
	var m Unknown
	m.decode(r, o)
	return m
}

// ParseFrame reads one whole frame: [NextFrame] and [ParseMessage] in one step.
// ErrTruncated means that the rest of the frame is missing.
func ParseFrame(b []byte) (Message, error) { return Options{}.ParseFrame(b) }

// ParseFrame is the function [ParseFrame] with these options.
func (o Options) ParseFrame(b []byte) (Message, error) {
	r := wire.NewReader(b)
	m := decodeFrame(&r, o)
	if err := r.Err(proto); err != nil {
		return nil, err
	}
	return m, nil
}

// ExplainFrame returns the fields of b, as [ParseFrame] reads them.
func ExplainFrame(b []byte) lobbywire.Explanation {
	return wire.Explain(proto, "Frame", b, func(r *wire.Reader) { decodeFrame(r, Options{}) })
}

func decodeFrame(r *wire.Reader, o Options) Message {
	var c cutter
	kind := c.cut(r.Peek(), o)
	if c.start > 0 {
		r.Text(c.start, "length")
	}
	if kind != nil {
		r.Fail(kind, c.bad.Field, c.bad.Offset)
		return nil
	}
	outer := r.Enter(c.end-c.start, "message", c.start)
	m := decodeMessage(r, o)
	r.Leave(outer)
	r.Skip(c.next-c.end, "newline")
	r.End()
	return m
}

// PeekMessage returns the zero value of the type that the command of a message stands
// for, or an [Unknown] with the command. It reads no more of the message than necessary,
// so the rest may be broken.
func PeekMessage(payload []byte) (Message, error) {
	r := wire.NewReader(payload)
	command, _, found := peek(&r, false)
	if !found {
		return nil, r.Err(proto)
	}
	if m := messageType(command); m != nil {
		return m, nil
	}
	return Unknown{Command: command}, nil
}

// peek returns the command and, if wantContent, the first byte of the content, 0
// if there is none. Only the command decides whether it is found.
func peek(r *wire.Reader, wantContent bool) (command string, content byte, found bool) {
	j := wirejson.NewPeekReader(r)
	o := j.Object(envelopeMembers[:], needCommand, nil)
	for !(found && (content != 0 || !wantContent)) && o.Next() {
		if o.Index() == 0 {
			command = messageKey(j.View())
			found = !r.Failed()
			continue
		}
		content = j.Peek()
		if !found {
			j.Skip()
		}
	}
	return command, content, found
}
