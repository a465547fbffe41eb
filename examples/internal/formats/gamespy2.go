package formats

import (
	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/internal/input"
	"github.com/lobbywire/lobbywire/gamespy2"
	"github.com/lobbywire/lobbywire/gamespy2/filter"
)

func gamespy2Formats() []Format {
	response := withOptions(gamespy2Options, gamespy2.Options.ParseResponse, gamespy2.ExplainWith[gamespy2.Response])
	response = splitBy(response, gamespy2.Response.Packets,
		func(packets [][]byte, o Options) (gamespy2.Response, error) {
			a := gamespy2.Assembler{Options: gamespy2Options(o), MaxAnswer: input.Max}
			return joined(packets, &a, a.Response)
		})
	return datagrams(gamespy2Messages(
		Format{Name: "gamespy2.Request", Doc: "client asks for keys, a challenge or an echo",
			Codec: withOptions(gamespy2Options, gamespy2.Options.ParseRequest, gamespy2.ExplainWith[gamespy2.Request])},
		Format{Name: "gamespy2.Response", Doc: "answer to a query for all keys, in either form", Codec: response},
		Format{Name: "gamespy2.Values", Doc: "answer to a query for the listed keys that -keys counts",
			Codec: messageOf(
				func(b []byte, o Options) (gamespy2.Values, error) {
					return gamespy2Options(o).ParseValues(b, o.Keys)
				},
				func(b []byte, o Options) lobbywire.Explanation { return gamespy2.ExplainValues(b, o.Keys) },
			)},
	))
}

// GameSpy2 returns the options for the package gamespy2.
func (o Options) GameSpy2() gamespy2.Options { return gamespy2Options(o) }

func gamespy2Options(o Options) gamespy2.Options {
	return gamespy2.Options{
		Strict:    o.Strict,
		Challenge: o.Challenge,
		Sections:  o.Sections,
		Part:      o.Part,
	}
}

func filterOptions(o Options) filter.Options { return filter.Options{Strict: o.Strict} }
