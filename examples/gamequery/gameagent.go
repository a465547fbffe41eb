package main

import (
	"slices"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent"
)

func gameagentFormats() []format {
	all := gameagentMessages(
		newSplitMessage("gameagent.ServerList", "master's answer to a list request",
			with(gameagentOptions, gameagent.Options.ParseServerList), gameagent.Explain[gameagent.ServerList],
			joinServerLists, gameagent.ServerList.Packets),
		format{name: "gameagent.Players", doc: "answer to a players request", codec: message[gameagent.Players]{
			parse: with(gameagentOptions, gameagent.Options.ParsePlayers),
			fields: func(b []byte, o options) lobbywire.Explanation {
				return gameagent.ExplainWith[gameagent.Players](gameagentOptions(o), b)
			},
			join:  joinPlayers,
			split: gameagent.Players.Packets,
		}},
		format{name: "gameagent.LegacyStatus", doc: "answer to a legacy request", codec: message[gameagent.LegacyStatus]{
			parse: with(gameagentOptions, gameagent.Options.ParseLegacyStatus),
			fields: func(b []byte, o options) lobbywire.Explanation {
				return gameagent.ExplainWith[gameagent.LegacyStatus](gameagentOptions(o), b)
			},
			join:  joinLegacyStatus,
			split: gameagent.LegacyStatus.Packets,
		}},
		newMessage("gameagent.Unknown", "any datagram, not taken apart", plain(parseUnknown), explainUnknown),
	)
	overTCP := []string{"gameagent.LegacyGreeting", "gameagent.LegacyListRequest", "gameagent.LegacyServerList",
		"gameagent.LegacyAddressList", "gameagent.LegacySyncRequest", "gameagent.LegacySyncList", "gameagent.ToListPort"}
	for i := range all {
		all[i].datagram = !slices.Contains(overTCP, all[i].name)
	}
	greeting, _ := find(all, overTCP[0])
	list, _ := find(all, overTCP[2])
	return append(all, format{
		name: "gameagent.LegacyMasterStream", doc: "all that a legacy master sends: a LegacyGreeting, then a LegacyServerList",
		codec: stream{
			proto:   "gameagent",
			open:    func(o options) cutter { return cutLegacyMaster(o, greeting, list) },
			members: members{greeting, list},
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

// parseUnknown parses a message that is unknown to [gameagent.ParseToMaster] and the
// like.
func parseUnknown(b []byte) (gameagent.Unknown, error) {
	if len(b) == 0 {
		_, err := gameagent.ParseToMaster(b)
		return gameagent.Unknown{}, err
	}
	return gameagent.Unknown{Raw: slices.Clone(b)}, nil
}

func explainUnknown(b []byte) lobbywire.Explanation {
	if len(b) == 0 {
		return gameagent.ExplainToMaster(b)
	}
	return lobbywire.Explanation{Fields: []lobbywire.Field{{Name: "raw", Length: len(b)}}}
}

func joinServerLists(packets [][]byte, o options) (gameagent.ServerList, error) {
	a := gameagent.ListAssembler{Options: gameagentOptions(o)}
	if err := addAll(packets, a.Add); err != nil {
		return gameagent.ServerList{}, err
	}
	return a.ServerList()
}

func joinPlayers(packets [][]byte, o options) (gameagent.Players, error) {
	a := gameagent.Assembler{Options: gameagentOptions(o)}
	if err := addAll(packets, a.Add); err != nil {
		return gameagent.Players{}, err
	}
	m, err := a.Players()
	return m, whichMissing(err, a.Missing())
}

func joinLegacyStatus(packets [][]byte, o options) (gameagent.LegacyStatus, error) {
	a := gameagent.LegacyAssembler{Query: o.query}
	if err := addAll(packets, a.Add); err != nil {
		return gameagent.LegacyStatus{}, err
	}
	m, err := a.LegacyStatus()
	return m, whichMissing(err, a.Missing())
}
