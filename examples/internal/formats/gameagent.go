package formats

import (
	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent"
)

func gameagentFormats() []Format {
	list := messageOf(func(b []byte, o Options) (gameagent.ServerList, error) {
		return gameagentOptions(o).ParseServerList(b)
	},
		func(b []byte, _ Options) lobbywire.Explanation { return gameagent.Explain[gameagent.ServerList](b) })
	list = splitBy(list, gameagent.ServerList.Packets,
		func(packets [][]byte, o Options) (gameagent.ServerList, error) {
			a := gameagent.ListAssembler{Options: gameagentOptions(o)}
			return joined(packets, &a, a.ServerList)
		})
	players := withOptions(gameagentOptions, gameagent.Options.ParsePlayers, gameagent.ExplainWith[gameagent.Players])
	players = splitBy(players, gameagent.Players.Packets,
		func(packets [][]byte, o Options) (gameagent.Players, error) {
			a := gameagent.Assembler{Options: gameagentOptions(o)}
			return joined(packets, &a, a.Players)
		})
	all := gameagentMessages(
		Format{Name: "gameagent.ServerList", Doc: "master's answer to a list request", Codec: list},
		Format{Name: "gameagent.Players", Doc: "answer to a players request", Codec: players},
		newUnknown("gameagent.Unknown", func(raw []byte) encoder { return gameagent.Unknown{Raw: raw} },
			gameagent.ExplainToMaster),
	)
	for i := range all {
		all[i].Datagram = true
	}
	return all
}

func gameagentOptions(o Options) gameagent.Options {
	return gameagent.Options{Strict: o.Strict, Part: o.Part}
}
