package wzjson

import (
	"encoding"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// proto names the package in errors.
const proto = "wzjson"

// The commands, which tell what a message is. Those of answers end in -ack, but
// for error.
const (
	CommandAdd          = "add"
	CommandAddAck       = "add-ack"
	CommandUpdate       = "update"
	CommandUpdateAck    = "update-ack"
	CommandList         = "list"
	CommandListAck      = "list-ack"
	CommandHeartbeat    = "heartbeat"
	CommandHeartbeatAck = "heartbeat-ack"
	CommandGoodbye      = "goodbye"
	CommandGoodbyeAck   = "goodbye-ack"
	CommandError        = "error"
)

// A Message is one of the types of this package that have a Parse function of
// their own: [Add], [AddAck], [Update], [List], [ListAck], [Heartbeat],
// [Goodbye], [Ack], [Error] or [Unknown].
type Message interface {
	encoding.BinaryAppender
	encoding.BinaryMarshaler
	message()
}

func (Add) message()       {}
func (AddAck) message()    {}
func (Update) message()    {}
func (List) message()      {}
func (ListAck) message()   {}
func (Heartbeat) message() {}
func (Goodbye) message()   {}
func (Ack) message()       {}
func (Error) message()     {}
func (Unknown) message()   {}

// ParseMessage reads a JSON object and returns one of the types that [Message]
// lists, [Unknown] if the command is not known. White space around the object
// is ignored.
//
// An error is about this message only: the stream that it came from goes on
// with the next. Even ErrTruncated, which says that the object is cut short,
// does not mean that more will come, if [NextFrame] has cut it.
func ParseMessage(b []byte) (Message, error) { return Options{}.ParseMessage(b) }

// ParseMessage reads a message.
func (o Options) ParseMessage(b []byte) (Message, error) {
	r := wire.NewReader(b)
	m := decodeMessage(&r, o)
	if err := r.Err(proto); err != nil {
		return nil, err
	}
	return m, nil
}

// ExplainMessage accounts for every byte of a message.
func ExplainMessage(b []byte) lobbywire.Explanation {
	return wire.Explain(proto, "Message", b, func(r *wire.Reader) { decodeMessage(r, Options{}) })
}

// decodeMessage reads what is a message by its command. Without one it fails
// as an Unknown does.
func decodeMessage(r *wire.Reader, o Options) Message {
	p := wire.NewReader(r.Peek())
	command, _ := peek(&p)
	switch command {
	case CommandAdd:
		var m Add
		m.decode(r, o)
		return m
	case CommandAddAck:
		var m AddAck
		m.decode(r, o)
		return m
	case CommandUpdate:
		var m Update
		m.decode(r, o)
		return m
	case CommandList:
		var m List
		m.decode(r, o)
		return m
	case CommandListAck:
		var m ListAck
		m.decode(r, o)
		return m
	case CommandHeartbeat:
		var m Heartbeat
		m.decode(r, o)
		return m
	case CommandGoodbye:
		var m Goodbye
		m.decode(r, o)
		return m
	case CommandUpdateAck, CommandHeartbeatAck, CommandGoodbyeAck:
		var m Ack
		m.decode(r, o)
		return m
	case CommandError:
		var m Error
		m.decode(r, o)
		return m
	}
	var m Unknown
	m.decode(r, o)
	return m
}

// PeekCommand returns the command of a message without reading more of it than
// it has to. So the rest of the message may be broken.
func PeekCommand(b []byte) (string, error) {
	r := wire.NewReader(b)
	command, found := peek(&r)
	if !found {
		return "", r.Err(proto)
	}
	return command, nil
}

// peek returns the command.
func peek(r *wire.Reader) (command string, found bool) {
	j := wire.NewJSON(r)
	e := openEnvelope(r, &j, Options{MaxFrame: r.Len()}, nil, nil)
	for e.query() {
		q := j.Object(unknownMembers[:], len(unknownMembers), nil)
		if q.Next() {
			command = nameOf(j.View())
			return command, !r.Failed()
		}
	}
	return "", false
}

// nameOf returns p as a text, for which it allocates only if it is no command
// that is known.
func nameOf(p []byte) string {
	switch string(p) {
	case CommandAdd:
		return CommandAdd
	case CommandAddAck:
		return CommandAddAck
	case CommandUpdate:
		return CommandUpdate
	case CommandUpdateAck:
		return CommandUpdateAck
	case CommandList:
		return CommandList
	case CommandListAck:
		return CommandListAck
	case CommandHeartbeat:
		return CommandHeartbeat
	case CommandHeartbeatAck:
		return CommandHeartbeatAck
	case CommandGoodbye:
		return CommandGoodbye
	case CommandGoodbyeAck:
		return CommandGoodbyeAck
	case CommandError:
		return CommandError
	}
	return string(p)
}
