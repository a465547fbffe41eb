package bomberman

import (
	"encoding/json"
	"math"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// extras are members that are not known, verbatim.
type extras = map[string]json.RawMessage

// envelopeMembers are those of the object that every message is.
var envelopeMembers = [...]string{"command", "content"}

// How many members of an envelope have to be there.
const (
	bare        = 1 // command
	withContent = 2 // command and content
)

// An envelope reads what is around the content of a message.
type envelope struct {
	wire.Object
	j       *wire.JSON
	command string
}

// openEnvelope starts reading a message that has a command, and as many members
// as required says.
func openEnvelope(r *wire.Reader, j *wire.JSON, o Options, command string, required int, extra *extras) envelope {
	if r.Len() > o.maxPayload() {
		r.Fail(lobbywire.ErrTooLarge, "", r.Offset())
	}
	return envelope{j.Object(envelopeMembers[:], required, extra), j, command}
}

// content goes to the content and tells whether there is any. If not, the
// message has been read.
func (e *envelope) content() bool {
	for e.Next() {
		if e.Name() == "content" {
			return true
		}
		if string(e.j.View()) != e.command {
			e.j.Invalid()
		}
	}
	e.j.End()
	return false
}

// decodeBare reads a message without content. Unless Strict, the content may
// be null or an object, the members of which go to extra.
func decodeBare(r *wire.Reader, o Options, command string, extra, envelopeExtra *extras) {
	j := wire.NewJSON(r)
	e := openEnvelope(r, &j, o, command, bare, envelopeExtra)
	for e.content() {
		switch {
		case o.Strict:
			j.Skip()
			j.Invalid()
		case j.Peek() == 'n':
			j.Null()
		default:
			c := j.Object(nil, 0, extra)
			c.Next()
		}
	}
}

// appendBare appends a message without content but for extra.
func appendBare(b []byte, command string, extra, envelopeExtra extras) ([]byte, error) {
	w := wire.NewWriter(b)
	w.Text(`{"command":"`)
	w.Text(command)
	w.Text(`"`)
	if len(extra) > 0 {
		w.Text(`,"content":{`)
		w.In("content", -1)
		w.JSONExtra(extra, nil)
		w.Text(`}`)
	}
	return finish(&w, envelopeExtra)
}

// finish appends the end of a message after its content.
func finish(w *wire.Writer, envelopeExtra extras) ([]byte, error) {
	w.In("", -1)
	w.JSONExtra(envelopeExtra, envelopeMembers[:])
	w.Text(`}`)
	if w.Len() > maxSent {
		w.Fail(lobbywire.ErrTooLarge, "")
	}
	return w.Finish(proto)
}

// decodeInt reads an integer of 32 bits.
func decodeInt(j *wire.JSON, o Options) int {
	return int(j.Int(math.MinInt32, math.MaxInt32, o.Strict))
}

// decodeRange reads an integer from low to high.
func decodeRange(j *wire.JSON, o Options, low, high int) int {
	return int(j.Int(int64(low), int64(high), o.Strict))
}
