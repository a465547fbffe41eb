package main

import (
	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/sqp"
)

func sqpFormats() []format {
	return datagrams([]format{
		newMessage("sqp.ChallengeRequest", "client asks for a token",
			plain(sqp.ParseChallengeRequest), sqp.Explain[sqp.ChallengeRequest]),
		newMessage("sqp.ChallengeResponse", "server gives a token",
			plain(sqp.ParseChallengeResponse), sqp.Explain[sqp.ChallengeResponse]),
		newMessage("sqp.QueryRequest", "client asks for chunks",
			plain(sqp.ParseQueryRequest), sqp.Explain[sqp.QueryRequest]),
		newMessage("sqp.Request", "either request",
			plain(sqp.ParseRequest), sqp.Explain[sqp.Request]),
		newMessage("sqp.Packet", "one datagram of an answer, chunks not taken apart",
			with(sqpOptions, sqp.Options.ParsePacket), sqp.Explain[sqp.Packet]),
		{name: "sqp.QueryResponse", doc: "an answer to a query for the chunks of -chunks", codec: message[sqp.QueryResponse]{
			parse: func(b []byte, o options) (sqp.QueryResponse, error) {
				return sqpOptions(o).ParseQueryResponse(b, o.chunks)
			},
			fields: func(b []byte, o options) lobbywire.Explanation {
				if o.part {
					return sqp.Explain[sqp.Packet](b)
				}
				return sqp.ExplainQueryResponse(b, o.chunks)
			},
			join:  joinQueryResponse,
			split: sqp.QueryResponse.Packets,
		}},
	})
}

func sqpOptions(o options) sqp.Options { return sqp.Options{Strict: o.strict} }

func joinQueryResponse(packets [][]byte, o options) (sqp.QueryResponse, error) {
	a := sqp.Assembler{Options: sqpOptions(o), MaxAnswer: maxInput}
	if err := addAll(packets, a.Add); err != nil {
		return sqp.QueryResponse{}, err
	}
	m, err := a.QueryResponse(o.chunks)
	return m, whichMissing(err, a.Missing())
}
