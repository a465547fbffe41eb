package main

import (
	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/sqp"
)

func sqpFormats() []format {
	return datagrams(sqpMessages(
		format{name: "sqp.QueryResponse", doc: "an answer to a query for the chunks of -chunks", codec: message[sqp.QueryResponse]{
			parse: func(b []byte, o options) (sqp.QueryResponse, error) {
				return sqpOptions(o).ParseQueryResponse(b, o.chunks)
			},
			fields: func(b []byte, o options) lobbywire.Explanation {
				if o.part {
					return sqp.Explain[sqp.Packet](b)
				}
				return sqp.ExplainQueryResponse(b, o.chunks)
			},
			join: func(packets [][]byte, o options) (sqp.QueryResponse, error) {
				a := sqp.Assembler{Options: sqpOptions(o), MaxAnswer: maxInput}
				return joined(packets, &a, func() (sqp.QueryResponse, error) { return a.QueryResponse(o.chunks) })
			},
			split: sqp.QueryResponse.Packets,
		}},
	))
}

func sqpOptions(o options) sqp.Options { return sqp.Options{Strict: o.strict} }
