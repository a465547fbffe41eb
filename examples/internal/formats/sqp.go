package formats

import (
	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/internal/input"
	"github.com/lobbywire/lobbywire/sqp"
)

func sqpFormats() []Format {
	response := messageOf(
		func(b []byte, o Options) (sqp.QueryResponse, error) {
			return sqpOptions(o).ParseQueryResponse(b, o.Chunks)
		},
		func(b []byte, o Options) lobbywire.Explanation {
			if o.Part {
				return sqp.Explain[sqp.Packet](b)
			}
			return sqp.ExplainQueryResponse(b, o.Chunks)
		})
	join := func(packets [][]byte, o Options) (sqp.QueryResponse, error) {
		a := sqp.Assembler{Options: sqpOptions(o), MaxAnswer: input.Max}
		return joined(packets, &a, func() (sqp.QueryResponse, error) { return a.QueryResponse(o.Chunks) })
	}
	return datagrams(sqpMessages(
		Format{Name: "sqp.QueryResponse", Doc: "an answer to a query for the chunks of -chunks",
			Codec: splitBy(response, sqp.QueryResponse.Packets, join)},
	))
}

func sqpOptions(o Options) sqp.Options { return sqp.Options{Strict: o.Strict} }
