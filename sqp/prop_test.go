package sqp_test

import (
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/codectest"
	"github.com/lobbywire/lobbywire/internal/golden"
	"github.com/lobbywire/lobbywire/sqp"
)

// compare compares messages: values by type and bits, and version 0 as the
// version that is sent for it.
//
//wire:test
var compare = cmp.Options{
	cmp.AllowUnexported(sqp.Value{}), cmpopts.EquateNaNs(),
	cmp.FilterPath(func(p cmp.Path) bool { return p.Last().String() == ".Version" },
		cmp.Comparer(func(a, b uint16) bool { return max(a, sqp.Version) == max(b, sqp.Version) })),
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

//wire:test
func TestGolden(t *testing.T) {
	codectest.Golden(t, func(f golden.File) codectest.Law {
		if f.Message() == "QueryResponse" {
			return queryResponses(chunksOf(t, f))
		}
		return lawOf(f)
	})
}

// An answer is parsed as one to a query for the chunks that it holds.
func TestRandomValuesOfQueryResponse(t *testing.T) {
	queryResponses(sqp.AllChunks).RandomValues(t)
}
