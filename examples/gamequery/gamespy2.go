package main

import (
	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gamespy2"
	"github.com/lobbywire/lobbywire/gamespy2/filter"
)

func gamespy2Formats() []format {
	response := withOptions(gamespy2Options, gamespy2.Options.ParseResponse, gamespy2.ExplainWith[gamespy2.Response])
	response.split = gamespy2.Response.Packets
	response.join = func(packets [][]byte, o options) (gamespy2.Response, error) {
		a := gamespy2.Assembler{Options: gamespy2Options(o), MaxAnswer: maxInput}
		return joined(packets, &a, a.Response)
	}
	return datagrams(gamespy2Messages(
		format{name: "gamespy2.Request", doc: "client asks for keys, a challenge or an echo",
			codec: withOptions(gamespy2Options, gamespy2.Options.ParseRequest, gamespy2.ExplainWith[gamespy2.Request])},
		format{name: "gamespy2.Response", doc: "answer to a query for all keys, in either form", codec: response},
		format{name: "gamespy2.Values", doc: "answer to a query for the listed keys that -keys counts", codec: message[gamespy2.Values]{
			parse: func(b []byte, o options) (gamespy2.Values, error) {
				return gamespy2Options(o).ParseValues(b, o.keys)
			},
			fields: func(b []byte, o options) lobbywire.Explanation {
				return gamespy2.ExplainValues(b, o.keys)
			},
		}},
	))
}

func gamespy2Options(o options) gamespy2.Options {
	return gamespy2.Options{
		Strict:    o.strict,
		Challenge: o.challenge,
		Sections:  o.sections,
		Part:      o.part,
	}
}

func filterOptions(o options) filter.Options { return filter.Options{Strict: o.strict} }
