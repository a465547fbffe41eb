package bomberman

import (
	"encoding/json"

	"github.com/lobbywire/lobbywire/internal/wire"
	"github.com/lobbywire/lobbywire/internal/wire/wirejson"
)

// Unknown is a message with any command and an undecoded content. [ParseMessage]
// returns it for unknown commands, and for known commands with a content that is
// neither an object nor null: some Java programs send texts and arrays.
//
//wire:message Message
type Unknown struct {
	Command string
	Content json.RawMessage // any value, verbatim; nil if there is none

	EnvelopeExtra map[string]json.RawMessage // unknown members beside command and content
}

func (m *Unknown) decode(r *wire.Reader, o Options) {
	// By hand, since Command and Content are members of the envelope itself.
	j := wirejson.NewReader(r)
	var outer Envelope
	e := openEnvelope(r, &j, o, "", true, &outer)
	for e.Next() {
		if e.Index() == 0 {
			m.Command = j.Text()
			continue
		}
		object := j.Peek() == '{'
		m.Content = j.Raw()
		if o.Strict && !object {
			j.Refuse("is not an object")
		}
	}
	j.End()
	m.EnvelopeExtra = outer.EnvelopeExtra
}

// append fails if Command is not UTF-8, Content is not a JSON value, or the
// message is too long.
func (m *Unknown) append(w *wire.Writer) {
	w.Text(`{"command":`)
	wirejson.AppendText(w, "command", m.Command)
	if m.Content != nil {
		w.Text(`,"content":`)
		wirejson.AppendRaw(w, "content", m.Content)
	}
	appendLast(w, m.EnvelopeExtra)
}
