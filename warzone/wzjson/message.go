package wzjson

import (
	"encoding"

	"github.com/lobbywire/lobbywire/internal/wire"
	"github.com/lobbywire/lobbywire/internal/wire/wirejson"
)

// proto names the package in errors.
const proto = "wzjson"

// A Message is a type of this package that has a Parse function of its own:
// [Add], [AddAck], [Update], [List], [ListAck], [Heartbeat], [Goodbye], [Ack],
// [Error] or [Unknown].
//
//wire:message key=string
type Message interface {
	encoding.BinaryAppender
	message()
}

// decodeMessage reads a JSON object and returns one of the types listed at [Message], or
// [Unknown] if the command is unknown. It ignores white space around the object.
//
// An error concerns this message only: the stream continues with the next one.
// ErrTruncated means that the object is incomplete. If a [Framer] cut it, no more
// data will follow.
func decodeMessage(r *wire.Reader, o Options) Message {
	p := wire.NewReader(r.Peek())
	command, _ := peek(&p)
	if m := messageOf(command, r, o); m != nil {
		return m
	}
	var m Unknown
	m.decode(r, o)
	return m
}

// PeekMessage returns the zero value of the type that the command of a message stands
// for, or an [Unknown] with the command. It reads no more of the message than necessary,
// so the rest may be broken.
func PeekMessage(b []byte) (Message, error) {
	r := wire.NewReader(b)
	command, found := peek(&r)
	if !found {
		return nil, r.Err(proto)
	}
	if m := messageType(command); m != nil {
		return m, nil
	}
	return Unknown{Command: command}, nil
}

// peek returns the command.
func peek(r *wire.Reader) (command string, found bool) {
	j := wirejson.NewPeekReader(r)
	e := openEnvelope(r, &j, Options{MaxFrame: r.Len()}, nil)
	for e.next() {
		q := j.Object(unknownMembers[:], 0b1, nil)
		if q.Next() {
			command = messageKey(j.View())
			return command, !r.Failed()
		}
	}
	return "", false
}
