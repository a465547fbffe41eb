package gamespy1

import (
	"bytes"
	"slices"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent/internal/pairs"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// A Request is a query to a server, such as \status\ or
// \info\. A master may send its challenge with it, which saves a datagram, or a text that it
// expects in the answer, as openspy-core does:
//
//	\status\\secure\ABCDEF
//
//	\basic\\echo\ABCDEF
//
//wire:message ToServer
type Request struct {
	Query  Query
	Secure string // challenge as in Secure; "" if there is none
	Echo   string // text as in Echo; "" if there is none or a challenge
}

// decode finds the query anywhere in the datagram before the first zero byte, as
// servers do. If there are several, the order of the constants decides. With
// Options.Strict the datagram must consist of the query and a challenge or a text, if there
// is one.
func (m *Request) decode(r *wire.Reader, o Options) {
	p := r.Peek()
	text, _, unknown := bytes.Cut(p, []byte{0})
	q, at := findQuery(text)
	if o.Strict {
		q, at = slices.IndexFunc(queries[:], func(q query) bool { return pairs.StartsAs(p, q.text) }), 0
		unknown = true
	}
	switch {
	case q >= 0:
	case unknown:
		r.Refuse("query", 0, "is unknown")
		return
	default:
		r.Fail(lobbywire.ErrTruncated, "query", 0)
		return
	}
	m.Query = Query(q)
	r.Skip(at, "ignored")
	pairs.DecodeLiteral(r, queries[q].text, "query")
	switch rest := r.Peek(); {
	case startsWithSecure(rest), o.Strict && len(rest) > 0 && pairs.StartsAs(rest, secureKey):
		m.Secure = decodeSecure(r, "secure")
	case bytes.HasPrefix(rest, []byte(echoKey)), o.Strict && len(rest) > 0 && pairs.StartsAs(rest, echoKey):
		m.Echo = decodeEcho(r, "echo")
	}
	decodeEnd(r, o)
}

// findQuery returns the query that a server finds in text, and its offset, or -1 if
// there is none.
func findQuery(text []byte) (q, at int) {
	for q, known := range queries {
		if at := bytes.Index(text, []byte(known.text)); at >= 0 {
			return q, at
		}
	}
	return -1, -1
}

// startsWithQuery reports whether b starts with a query.
func startsWithQuery(b []byte) bool {
	return slices.ContainsFunc(queries[:], func(q query) bool { return bytes.HasPrefix(b, []byte(q.text)) })
}

// append fails if Query is unknown, if there is a challenge and it does not have 6
// to 15 bytes, if there are a challenge and a text, or if one of them contains a backslash or
// a zero byte.
func (m *Request) append(w *wire.Writer) {
	if !m.Query.known() {
		w.Fail(wire.Unsupported("is unknown"), "query")
		return
	}
	w.Text(queries[m.Query].text)
	switch {
	case m.Secure != "" && m.Echo != "":
		w.Refuse("echo", "sent with a challenge")
	case m.Secure != "":
		appendSecure(w, "secure", m.Secure)
	case m.Echo != "":
		appendEcho(w, "echo", m.Echo)
	}
}
