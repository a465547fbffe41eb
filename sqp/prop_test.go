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

// queryResponses returns the codec for answers to a query for chunks.
func queryResponses(chunks sqp.Chunks) codectest.Codec[sqp.QueryResponse] {
	return codectest.Codec[sqp.QueryResponse]{
		Parse:   func(b []byte) (sqp.QueryResponse, error) { return sqp.ParseQueryResponse(b, chunks) },
		Explain: func(b []byte) lobbywire.Explanation { return sqp.ExplainQueryResponse(b, chunks) },
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
	codec := queryResponses(sqp.AllChunks)
	codec.ParseFor = func(m sqp.QueryResponse) func([]byte) (sqp.QueryResponse, error) {
		return queryResponses(m.Chunks()).Parse
	}
	codec.RandomValues(t)
}
