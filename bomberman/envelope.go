package bomberman

import (
	"encoding/json"

	"github.com/lobbywire/lobbywire/internal/wire"
	"github.com/lobbywire/lobbywire/internal/wire/wirejson"
)

// An Envelope holds the unknown members of a message. Every message is a JSON object
// with a command and, unless there is nothing to send, a content.
//
//wire:envelope in=content
type Envelope struct {
	// unknown members of the content; messages without content should have none
	Extra         map[string]json.RawMessage
	EnvelopeExtra map[string]json.RawMessage // unknown members beside command and content
}

// envelopeMembers are the members of an envelope.
var envelopeMembers = [...]string{"command", "content"}

// Sets of members that an envelope must have.
const (
	needCommand = 0b01
	needContent = 0b11
)

// An envelopeReader reads the members around the content of a message.
type envelopeReader struct {
	wirejson.Object
	j       *wirejson.Reader
	command string
	bare    bool // no content is expected
	strict  bool
}

// openEnvelope starts reading a message with a command.
func openEnvelope(
	r *wire.Reader, j *wirejson.Reader, o Options, command string, bare bool, e *Envelope,
) envelopeReader {
	if r.Len() > o.maxPayload() {
		r.Exceed("", r.Offset(), r.Len(), o.maxPayload())
	}
	required := uint32(needContent)
	if bare {
		required = needCommand
	}
	return envelopeReader{j.Object(envelopeMembers[:], required, &e.EnvelopeExtra), j, command, bare, o.Strict}
}

// next goes to the content and reports whether there is one. If not, the message
// has been read. Where no content is expected, null and an object pass unless
// Strict.
func (e *envelopeReader) next() bool {
	for e.Next() {
		switch {
		case e.Index() == 0:
			if string(e.j.View()) != e.command {
				e.j.Refuse("belongs to another message")
			}
		case !e.bare:
			return true
		case e.strict:
			e.j.Skip()
			e.j.Refuse("is not expected in this message")
		case e.j.Peek() == 'n':
			e.j.Null()
		default:
			return true
		}
	}
	e.j.End()
	return false
}

// appendStart appends a message up to the members of its content.
func appendStart(w *wire.Writer, command string) {
	w.Text(`{"command":"`)
	w.Text(command)
	w.Text(`","content":{`)
}

// appendBare appends a message without content, or with one that has only
// unknown members.
func appendBare(w *wire.Writer, command string, extra map[string]json.RawMessage, e *Envelope) {
	w.Text(`{"command":"`)
	w.Text(command)
	w.Text(`"`)
	if len(extra) > 0 {
		w.Text(`,"content":{`)
		w.In("content", -1)
		wirejson.AppendExtra(w, extra, nil)
		w.Text(`}`)
	}
	appendLast(w, e.EnvelopeExtra)
}

// appendEnd appends the rest of a message after the members of its content.
func appendEnd(w *wire.Writer, e *Envelope) {
	w.Text(`}`)
	appendLast(w, e.EnvelopeExtra)
}

// appendLast appends the unknown members and the brace of an envelope.
func appendLast(w *wire.Writer, extra map[string]json.RawMessage) {
	w.In("", -1)
	wirejson.AppendExtra(w, extra, envelopeMembers[:])
	w.Text(`}`)
	if w.Len() > maxSent {
		w.Exceed("", w.Len(), maxSent)
	}
}
