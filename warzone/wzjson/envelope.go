package wzjson

import (
	"encoding/json"
	"math"

	"github.com/lobbywire/lobbywire/internal/wire"
	"github.com/lobbywire/lobbywire/internal/wire/wirejson"
)

// An Envelope holds the unknown members around the query of a message. Each message is an
// object with the member lobbyquery, whose value is an object with the members version and
// query.
//
//wire:envelope in=lobbyquery.query key=command
type Envelope struct {
	EnvelopeExtra map[string]json.RawMessage // unknown members beside version and query
	RootExtra     map[string]json.RawMessage // unknown members beside lobbyquery
}

// The members of the two objects of an envelope.
var (
	rootMembers     = [...]string{"lobbyquery"}
	envelopeMembers = [...]string{"version", "query"}
)

// An envelopeReader reads the members around the query of a message.
type envelopeReader struct {
	j           *wirejson.Reader
	root, inner wirejson.Object
}

// openEnvelope starts reading a message. Unknown members are dropped if e is
// nil.
func openEnvelope(r *wire.Reader, j *wirejson.Reader, o Options, e *Envelope) envelopeReader {
	if r.Len() > o.maxFrame() {
		r.Exceed("", r.Offset(), r.Len(), o.maxFrame())
	}
	var rootExtra, extra *map[string]json.RawMessage
	if e != nil {
		rootExtra, extra = &e.RootExtra, &e.EnvelopeExtra
	}
	root := j.Object(rootMembers[:], 0b1, rootExtra)
	root.Next()
	inner := j.Object(envelopeMembers[:], 0b11, extra)
	return envelopeReader{j, root, inner}
}

// next advances to the query and reports whether there is one. If not, the message has been
// read.
func (e *envelopeReader) next() bool {
	for e.inner.Next() {
		if e.inner.Index() == 1 {
			return true
		}
		if e.j.Int(math.MinInt64, math.MaxInt64, true) != version {
			e.j.Fail(wire.Unsupported("is another version"))
		}
	}
	e.root.Next()
	e.j.End()
	return false
}

// appendStart appends a message up to the members of its query.
func appendStart(w *wire.Writer) { w.Text(`{"lobbyquery":{"version":1,"query":{`) }

// appendEnd appends the rest of a message after the members of its query.
func appendEnd(w *wire.Writer, e *Envelope) {
	w.Text(`}`)
	w.In("lobbyquery", -1)
	wirejson.AppendExtra(w, e.EnvelopeExtra, envelopeMembers[:])
	w.Text(`}`)
	w.In("", -1)
	wirejson.AppendExtra(w, e.RootExtra, rootMembers[:])
	w.Text(`}`)
	if w.Len() > MaxFrame {
		w.Exceed("", w.Len(), MaxFrame)
	}
}

// decodeRange reads an integer from low to high. Forms such as 1.0 are refused.
func decodeRange[T ~int](j *wirejson.Reader, _ Options, low, high T) T {
	return T(j.Int(int64(low), int64(high), true))
}
