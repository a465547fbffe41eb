package formats

import (
	"slices"

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
	legacy := withOptions(gameagentOptions, gameagent.Options.ParseLegacyStatus,
		gameagent.ExplainWith[gameagent.LegacyStatus])
	legacy = splitBy(legacy, gameagent.LegacyStatus.Packets,
		func(packets [][]byte, o Options) (gameagent.LegacyStatus, error) {
			a := gameagent.LegacyAssembler{Options: gameagent.Options{Query: o.Query}}
			return joined(packets, &a, a.LegacyStatus)
		})
	all := gameagentMessages(
		Format{Name: "gameagent.ServerList", Doc: "master's answer to a list request", Codec: list},
		Format{Name: "gameagent.Players", Doc: "answer to a players request", Codec: players},
		Format{Name: "gameagent.LegacyStatus", Doc: "answer to a legacy request", Codec: legacy},
		newUnknown("gameagent.Unknown", func(raw []byte) encoder { return gameagent.Unknown{Raw: raw} },
			gameagent.ExplainToMaster),
	)
	overTCP := []string{"gameagent.LegacyGreeting", "gameagent.LegacyListRequest", "gameagent.LegacyServerList",
		"gameagent.LegacyAddressList", "gameagent.LegacySyncRequest", "gameagent.LegacySyncList",
		"gameagent.ToListPort"}
	for i := range all {
		all[i].Datagram = !slices.Contains(overTCP, all[i].Name)
	}
	greeting, _ := Find(all, overTCP[0])
	legacyList, _ := Find(all, overTCP[2])
	addressList, _ := Find(all, overTCP[3])
	return append(all, Format{
		Name: "gameagent.LegacyMasterStream",
		Doc:  "all that a legacy master sends: a LegacyGreeting, then a LegacyServerList or LegacyAddressList",
		Codec: Stream{
			proto:   "gameagent",
			open:    func(o Options) cutter { return cutLegacyMaster(o, greeting, legacyList, addressList) },
			members: members{greeting, legacyList, addressList},
		},
	})
}

// cutLegacyMaster returns the cutter for the stream of a legacy master. The text of a list
// could also be read as addresses of the compact list.
func cutLegacyMaster(o Options, greeting, list, text Format) cutter {
	greeted := false
	return func(rest []byte) (int, Format, error) {
		if greeted {
			if m, err := gameagentOptions(o).ParseLegacyAddressList(rest); err == nil && len(m.Servers) > 0 {
				return len(rest), text, nil
			}
			if _, err := gameagentOptions(o).ParseLegacyServerList(rest); err != nil {
				return 0, list, err
			}
			return len(rest), list, nil
		}
		greeted = true
		m, after, err := gameagent.NextLegacyGreeting(rest)
		if err != nil {
			_, err = gameagentOptions(o).ParseLegacyGreeting(rest)
			return 0, greeting, err
		}
		size := len(rest) - len(after)
		if empty, err := (gameagent.LegacyServerList{}).AppendBinary(nil); m.Final && len(after) == 0 && err == nil {
			size -= len(empty) // an empty list has the same bytes as the end mark of a greeting
		}
		if _, err := gameagentOptions(o).ParseLegacyGreeting(rest[:size]); err != nil {
			return 0, greeting, err
		}
		return size, greeting, nil
	}
}

func gameagentOptions(o Options) gameagent.Options {
	return gameagent.Options{Strict: o.Strict, Part: o.Part, Query: o.Query}
}
