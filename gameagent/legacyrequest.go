package gameagent

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// A LegacyQuery is what a [LegacyRequest] asks for.
type LegacyQuery uint8

// The queries, in the order in which servers look for them.
const (
	LegacyQueryStatus  LegacyQuery = 0 // answered by LegacyStatus
	LegacyQueryInfo    LegacyQuery = 1 // by LegacyInfo
	LegacyQueryBasic   LegacyQuery = 2 // by LegacyBasic
	LegacyQueryPlayers LegacyQuery = 3 // by LegacyPlayers
)

// legacyQueries are the requests, in the order of the queries.
var legacyQueries = [...]string{`\status\`, `\info\`, `\basic\`, `\players\`}

// String returns "status", "info", "basic", "players" or, as an example,
// "query(7)".
func (q LegacyQuery) String() string {
	if int(q) < len(legacyQueries) {
		return strings.Trim(legacyQueries[q], `\`)
	}
	return "query(" + strconv.Itoa(int(q)) + ")"
}

// A LegacyRequest is a query to a server that speaks the legacy form:
//
//	\status\
//
//	\info\
//
//	\basic\
//
//	\players\
type LegacyRequest struct {
	Query LegacyQuery
}

// ParseLegacyRequest reads a [LegacyRequest]. As servers do, it takes the query
// from anywhere in the datagram, up to its first zero byte; of several, status
// comes before info, info before basic, basic before players.
func ParseLegacyRequest(b []byte) (LegacyRequest, error) { return Options{}.ParseLegacyRequest(b) }

// ParseLegacyRequest reads a [LegacyRequest]. With Strict, the query must be all
// of the datagram.
func (o Options) ParseLegacyRequest(b []byte) (LegacyRequest, error) {
	r := wire.NewReader(b)
	var m LegacyRequest
	m.decode(&r, o)
	if err := r.Err(proto); err != nil {
		return LegacyRequest{}, err
	}
	return m, nil
}

// ExplainLegacyRequest accounts for every byte of a [LegacyRequest].
func ExplainLegacyRequest(b []byte) lobbywire.Explanation {
	return wire.Explain(proto, "LegacyRequest", b, func(r *wire.Reader) { new(LegacyRequest).decode(r, Options{}) })
}

func (m *LegacyRequest) decode(r *wire.Reader, o Options) {
	p := r.Peek()
	text, _, zero := bytes.Cut(p, []byte{0})
	q, at := findLegacyQuery(text)
	switch {
	case o.Strict:
		m.decodeStrict(r, p)
	case at >= 0:
		m.Query = q
		r.Skip(at, "ignored")
		r.ViewWithin(0, len(legacyQueries[q]), 0, "query")
		r.Skip(r.Len(), "ignored")
	case zero:
		r.Fail(lobbywire.ErrInvalid, "query", 0)
	default:
		r.Fail(lobbywire.ErrTruncated, "query", 0)
	}
}

// decodeStrict reads the query that p is or may become.
func (m *LegacyRequest) decodeStrict(r *wire.Reader, p []byte) {
	for q, s := range legacyQueries {
		if n := min(len(p), len(s)); string(p[:n]) == s[:n] {
			m.Query = LegacyQuery(q)
			r.ViewWithin(0, len(s), 0, "query")
			r.End()
			return
		}
	}
	r.Fail(lobbywire.ErrInvalid, "query", 0)
}

// findLegacyQuery returns the query that a server reads in text, and where; -1
// if there is none.
func findLegacyQuery(text []byte) (LegacyQuery, int) {
	for q, s := range legacyQueries {
		if at := bytes.Index(text, []byte(s)); at >= 0 {
			return LegacyQuery(q), at
		}
	}
	return 0, -1
}

// AppendBinary appends the wire form to b. It fails if Query is unknown.
func (m LegacyRequest) AppendBinary(b []byte) ([]byte, error) {
	w := wire.NewWriter(b)
	if int(m.Query) >= len(legacyQueries) {
		w.Fail(lobbywire.ErrUnsupported, "query")
	} else {
		w.Text(legacyQueries[m.Query])
	}
	return w.Finish(proto)
}

// MarshalBinary returns the wire form.
func (m LegacyRequest) MarshalBinary() ([]byte, error) { return m.AppendBinary(nil) }

// UnmarshalBinary reads b as [ParseLegacyRequest] does.
func (m *LegacyRequest) UnmarshalBinary(b []byte) (err error) {
	*m, err = ParseLegacyRequest(b)
	return err
}
