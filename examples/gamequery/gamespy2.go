package main

import (
	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gamespy2"
)

func gamespy2Formats() []format {
	return datagrams([]format{
		{name: "gamespy2.Request", doc: "client asks for keys, a challenge or an echo", codec: message[gamespy2.Request]{
			parse: with(gamespy2Options, gamespy2.Options.ParseRequest),
			fields: func(b []byte, o options) lobbywire.Explanation {
				return gamespy2.ExplainWith[gamespy2.Request](gamespy2Options(o), b)
			},
		}},
		newMessage("gamespy2.ChallengeResponse", "server gives a challenge",
			with(gamespy2Options, gamespy2.Options.ParseChallengeResponse), gamespy2.Explain[gamespy2.ChallengeResponse]),
		newMessage("gamespy2.EchoResponse", "server gives back the data of an echo request",
			plain(gamespy2.ParseEchoResponse), gamespy2.Explain[gamespy2.EchoResponse]),
		{name: "gamespy2.Response", doc: "answer to a query for all keys, in either form", codec: message[gamespy2.Response]{
			parse: with(gamespy2Options, gamespy2.Options.ParseResponse),
			fields: func(b []byte, o options) lobbywire.Explanation {
				return gamespy2.ExplainWith[gamespy2.Response](gamespy2Options(o), b)
			},
			join:  joinGameSpy2,
			split: gamespy2.Response.Packets,
		}},
		newMessage("gamespy2.Packet", "one datagram of an answer in split form, not taken apart",
			plain(gamespy2.ParsePacket), gamespy2.Explain[gamespy2.Packet]),
		{name: "gamespy2.Values", doc: "answer to a query for the listed keys that -keys counts", codec: message[gamespy2.Values]{
			parse: func(b []byte, o options) (gamespy2.Values, error) {
				return gamespy2Options(o).ParseValues(b, o.keys)
			},
			fields: func(b []byte, o options) lobbywire.Explanation {
				return gamespy2.ExplainValues(b, o.keys)
			},
		}},
		newMessage("gamespy2.StatRequest", "client asks a Minecraft server for a short answer",
			plain(gamespy2.ParseStatRequest), gamespy2.Explain[gamespy2.StatRequest]),
		newMessage("gamespy2.BasicStat", "short answer of a Minecraft server",
			with(gamespy2Options, gamespy2.Options.ParseBasicStat), gamespy2.Explain[gamespy2.BasicStat]),
	})
}

func gamespy2Options(o options) gamespy2.Options {
	return gamespy2.Options{
		Strict:    o.strict,
		Challenge: o.challenge,
		Sections:  o.sections,
		Part:      o.part,
	}
}

// joinGameSpy2 joins what is there. Where packets are missing the answer says
// that it is partial.
func joinGameSpy2(packets [][]byte, o options) (gamespy2.Response, error) {
	a := gamespy2.Assembler{Options: gamespy2Options(o), MaxAnswer: maxInput}
	if err := addAll(packets, a.Add); err != nil {
		return gamespy2.Response{}, err
	}
	return a.Response()
}
