package gameagent

import (
	"bytes"
	"slices"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// A LegacyRequest is a query to a server that uses the legacy form, such as \status\ or
// \info\. A master may send its challenge with it, which saves a datagram, or a text that it
// expects in the answer, as openspy-core does:
//
//	\status\\secure\ABCDEF
//
//	\basic\\echo\ABCDEF
//
//wire:message ToServer
type LegacyRequest struct {
	Query  LegacyQuery
	Secure string // challenge as in LegacySecure; "" if there is none
	Echo   string // text as in LegacyEcho; "" if there is none, and if there is a challenge
}

// decode finds the query anywhere in the datagram before the first zero byte, as
// servers do. If there are several, the order of the constants decides. With
// Options.Strict the datagram must consist of the query and a challenge or a text, if there
// is one.
func (m *LegacyRequest) decode(r *wire.Reader, o Options) {
	p := r.Peek()
	text, _, unknown := bytes.Cut(p, []byte{0})
	q, at := findLegacyQuery(text)
	if o.Strict {
		q, at = slices.IndexFunc(legacyQueries[:], func(q legacyQuery) bool { return startsAs(p, q.text) }), 0
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
	m.Query = LegacyQuery(q)
	r.Skip(at, "ignored")
	decodeLiteral(r, legacyQueries[q].text, "query")
	switch rest := r.Peek(); {
	case startsWithSecure(rest), o.Strict && len(rest) > 0 && startsAs(rest, secureKey):
		m.Secure = decodeSecure(r, "secure")
	case bytes.HasPrefix(rest, []byte(echoKey)), o.Strict && len(rest) > 0 && startsAs(rest, echoKey):
		m.Echo = decodeEcho(r, "echo")
	}
	decodeEnd(r, o)
}

// findLegacyQuery returns the query that a server finds in text, and its offset, or -1 if
// there is none.
func findLegacyQuery(text []byte) (q, at int) {
	for q, known := range legacyQueries {
		if at := bytes.Index(text, []byte(known.text)); at >= 0 {
			return q, at
		}
	}
	return -1, -1
}

// startsWithQuery reports whether b starts with a query.
func startsWithQuery(b []byte) bool {
	return slices.ContainsFunc(legacyQueries[:], func(q legacyQuery) bool { return bytes.HasPrefix(b, []byte(q.text)) })
}

// append fails if Query is unknown, if there is a challenge and it does not have 6
// to 15 bytes, if there are a challenge and a text, or if one of them contains a backslash or
// a zero byte.
func (m *LegacyRequest) append(w *wire.Writer) {
	if !m.Query.known() {
		w.Fail(wire.Unsupported("is unknown"), "query")
		return
	}
	w.Text(legacyQueries[m.Query].text)
	switch {
	case m.Secure != "" && m.Echo != "":
		w.Refuse("echo", "sent with a challenge")
	case m.Secure != "":
		appendSecure(w, "secure", m.Secure)
	case m.Echo != "":
		appendEcho(w, "echo", m.Echo)
	}
}
