package sqp_test

import (
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/golden"
	"github.com/lobbywire/lobbywire/internal/laws"
	"github.com/lobbywire/lobbywire/sqp"
)

// compare compares messages: values by type and bits, and version 0 as the
// version that is sent for it.
var compare = cmp.Options{
	cmp.AllowUnexported(sqp.Value{}), cmpopts.EquateNaNs(),
	cmp.FilterPath(func(p cmp.Path) bool { return p.Last().String() == ".Version" },
		cmp.Comparer(func(a, b uint16) bool { return max(a, sqp.Version) == max(b, sqp.Version) })),
}

var (
	challengeRequests  = laws.Codec[sqp.ChallengeRequest]{Parse: sqp.ParseChallengeRequest, Explain: sqp.Explain[sqp.ChallengeRequest], Canonical: true}
	challengeResponses = laws.Codec[sqp.ChallengeResponse]{Parse: sqp.ParseChallengeResponse, Explain: sqp.Explain[sqp.ChallengeResponse], Canonical: true}
	queryRequests      = laws.Codec[sqp.QueryRequest]{Parse: sqp.ParseQueryRequest, Explain: sqp.Explain[sqp.QueryRequest], Compare: compare}
	requests           = laws.Codec[sqp.Request]{Parse: sqp.ParseRequest, Explain: sqp.Explain[sqp.Request], Compare: compare}
	packets            = laws.Codec[sqp.Packet]{Parse: sqp.ParsePacket, Explain: sqp.Explain[sqp.Packet], Compare: compare}
)

// queryResponses returns the codec for answers to a query for chunks.
func queryResponses(chunks sqp.Chunks) laws.Codec[sqp.QueryResponse] {
	return laws.Codec[sqp.QueryResponse]{
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

func TestGolden(t *testing.T) {
	laws.Golden(t, func(f golden.File) laws.Law {
		switch f.Message() {
		case "ChallengeRequest":
			return challengeRequests
		case "ChallengeResponse":
			return challengeResponses
		case "QueryRequest":
			return queryRequests
		case "Request":
			return requests
		case "Packet":
			return packets
		case "QueryResponse":
			return queryResponses(chunksOf(t, f))
		}
		return nil
	})
}
