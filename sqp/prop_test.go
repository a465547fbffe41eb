package sqp_test

import (
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/test/codectest"
	"github.com/lobbywire/lobbywire/internal/test/golden"
	"github.com/lobbywire/lobbywire/sqp"
)

// compare compares values by type and bits.
//
//wire:test
var compare = cmp.Options{cmp.AllowUnexported(sqp.Value{}), cmpopts.EquateNaNs()}

// sent returns a message with the version that is sent for 0.
//
//wire:test
func sent(m any, _ int) any {
	version := func(v uint16) uint16 { return max(v, sqp.Version) }
	switch m := m.(type) {
	case sqp.Packet:
		m.Version = version(m.Version)
		return m
	case sqp.QueryRequest:
		m.Version = version(m.Version)
		return m
	case sqp.QueryResponse:
		m.Version = version(m.Version)
		return m
	case sqp.Request:
		if m.Type == sqp.TypeQuery {
			m.Query.Version = version(m.Query.Version)
		}
		return m
	}
	return m
}

// loose reports whether a message has a version above 2, which Strict refuses.
//
//wire:test
func loose(m any) bool {
	switch m := m.(type) {
	case sqp.Packet:
		return m.Version > sqp.VersionMetrics
	case sqp.QueryResponse:
		return m.Version > sqp.VersionMetrics
	}
	return false
}

// queryResponses returns the codec for answers to a query for chunks.
func queryResponses(chunks sqp.Chunks) codectest.Codec[sqp.QueryResponse] {
	parse := func(o sqp.Options) func([]byte) (sqp.QueryResponse, error) {
		return func(b []byte) (sqp.QueryResponse, error) { return o.ParseQueryResponse(b, chunks) }
	}
	return codectest.Codec[sqp.QueryResponse]{
		Parse:   parse(sqp.Options{}),
		Strict:  parse(sqp.Options{Strict: true}),
		Explain: func(b []byte) lobbywire.Explanation { return sqp.ExplainQueryResponse(b, chunks) },
		ParseFor: func(m sqp.QueryResponse, strict bool) func([]byte) (sqp.QueryResponse, error) {
			if strict {
				return queryResponses(m.Chunks()).Strict
			}
			return queryResponses(m.Chunks()).Parse
		},
		Loose:   loose,
		Sent:    sent,
		Compare: compare,
	}
}

// chunksOf returns which chunks the answer in a golden file was asked for.
func chunksOf(t testing.TB, f golden.File) sqp.Chunks {
	n, err := strconv.ParseUint(f.Header["Chunks"], 0, 8)
	if err != nil {
		t.Fatalf("%s: header Chunks: %v", f.Name, err)
	}
	return sqp.Chunks(n)
}

// specialLaw returns the law of a golden file that needs more than its message.
//
//wire:test
func specialLaw(t testing.TB, f golden.File) codectest.Law {
	if f.Message() == "QueryResponse" {
		return queryResponses(chunksOf(t, f))
	}
	return nil
}

// An answer is parsed as one to a query for the chunks that it holds.
func TestRandomQueryResponsesObeyTheLaws(t *testing.T) {
	queryResponses(sqp.AllChunks).RandomValues(t)
}
