package main

import (
	"slices"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent"
)

func gameagentFormats() []format {
	list := message[gameagent.ServerList]{
		parse:  with(gameagentOptions, gameagent.Options.ParseServerList),
		fields: func(b []byte, _ options) lobbywire.Explanation { return gameagent.Explain[gameagent.ServerList](b) },
		join: func(packets [][]byte, o options) (gameagent.ServerList, error) {
			a := gameagent.ListAssembler{Options: gameagentOptions(o)}
			return joined(packets, &a, a.ServerList)
		},
		split: gameagent.ServerList.Packets,
	}
	players := withOptions(gameagentOptions, gameagent.Options.ParsePlayers, gameagent.ExplainWith[gameagent.Players])
	players.split = gameagent.Players.Packets
	players.join = func(packets [][]byte, o options) (gameagent.Players, error) {
		a := gameagent.Assembler{Options: gameagentOptions(o)}
		return joined(packets, &a, a.Players)
	}
	legacy := withOptions(gameagentOptions, gameagent.Options.ParseLegacyStatus, gameagent.ExplainWith[gameagent.LegacyStatus])
	legacy.split = gameagent.LegacyStatus.Packets
	legacy.join = func(packets [][]byte, o options) (gameagent.LegacyStatus, error) {
		a := gameagent.LegacyAssembler{Query: o.query}
		return joined(packets, &a, a.LegacyStatus)
	}
	all := gameagentMessages(
		format{name: "gameagent.ServerList", doc: "master's answer to a list request", codec: list},
		format{name: "gameagent.Players", doc: "answer to a players request", codec: players},
		format{name: "gameagent.LegacyStatus", doc: "answer to a legacy request", codec: legacy},
		newUnknown("gameagent.Unknown", func(raw []byte) gameagent.Unknown { return gameagent.Unknown{Raw: raw} }, gameagent.ExplainToMaster),
	)
	overTCP := []string{"gameagent.LegacyGreeting", "gameagent.LegacyListRequest", "gameagent.LegacyServerList",
		"gameagent.LegacyAddressList", "gameagent.LegacySyncRequest", "gameagent.LegacySyncList", "gameagent.ToListPort"}
	for i := range all {
		all[i].datagram = !slices.Contains(overTCP, all[i].name)
	}
	greeting, _ := find(all, overTCP[0])
	legacyList, _ := find(all, overTCP[2])
	return append(all, format{
		name: "gameagent.LegacyMasterStream", doc: "all that a legacy master sends: a LegacyGreeting, then a LegacyServerList",
		codec: stream{
			proto:   "gameagent",
			open:    func(o options) cutter { return cutLegacyMaster(o, greeting, legacyList) },
			members: members{greeting, legacyList},
		},
	})
}

// cutLegacyMaster returns the cutter for what a legacy master sends.
func cutLegacyMaster(o options, greeting, list format) cutter {
	greeted := false
	return func(rest []byte) (int, format, error) {
		if greeted {
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
		if empty, err := (gameagent.LegacyServerList{}).MarshalBinary(); m.Final && len(after) == 0 && err == nil {
			size -= len(empty) // an empty list has the same bytes as the end mark of a greeting
		}
		if _, err := gameagentOptions(o).ParseLegacyGreeting(rest[:size]); err != nil {
			return 0, greeting, err
		}
		return size, greeting, nil
	}
}

func gameagentOptions(o options) gameagent.Options {
	return gameagent.Options{Strict: o.strict, Part: o.part, Query: o.query}
}
