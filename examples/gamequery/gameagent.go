package main

import (
	"slices"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent"
)

func gameagentFormats() []format {
	join := newMessage("gameagent.Join", "server starts",
		with(gameagentOptions, gameagent.Options.ParseJoin), gameagent.Explain[gameagent.Join])
	heartbeat := newMessage("gameagent.Heartbeat", "server answers a challenge, or lives on",
		with(gameagentOptions, gameagent.Options.ParseHeartbeat), gameagent.Explain[gameagent.Heartbeat])
	stateChanged := newMessage("gameagent.StateChanged", "server has a new player",
		with(gameagentOptions, gameagent.Options.ParseStateChanged), gameagent.Explain[gameagent.StateChanged])
	listRequest := newMessage("gameagent.ListRequest", "client asks the master for servers",
		with(gameagentOptions, gameagent.Options.ParseListRequest), gameagent.Explain[gameagent.ListRequest])
	legacyHeartbeat := newMessage("gameagent.LegacyHeartbeat", "server lives, legacy form",
		plain(gameagent.ParseLegacyHeartbeat), gameagent.Explain[gameagent.LegacyHeartbeat])

	challenge := newMessage("gameagent.Challenge", "master challenges a server",
		with(gameagentOptions, gameagent.Options.ParseChallenge), gameagent.Explain[gameagent.Challenge])
	statusRequest := newMessage("gameagent.StatusRequest", "client asks for the status",
		with(gameagentOptions, gameagent.Options.ParseStatusRequest), gameagent.Explain[gameagent.StatusRequest])
	playersRequest := newMessage("gameagent.PlayersRequest", "client asks for the players",
		with(gameagentOptions, gameagent.Options.ParsePlayersRequest), gameagent.Explain[gameagent.PlayersRequest])
	pingRequest := newMessage("gameagent.PingRequest", "client asks for the number of players",
		with(gameagentOptions, gameagent.Options.ParsePingRequest), gameagent.Explain[gameagent.PingRequest])
	legacyRequest := newMessage("gameagent.LegacyRequest", "client asks, legacy form",
		with(gameagentOptions, gameagent.Options.ParseLegacyRequest), gameagent.Explain[gameagent.LegacyRequest])

	status := newMessage("gameagent.Status", "answer to a status request",
		with(gameagentOptions, gameagent.Options.ParseStatus), gameagent.Explain[gameagent.Status])
	playersPacket := newMessage("gameagent.PlayersPacket", "one datagram of an answer to a players request",
		with(gameagentOptions, gameagent.Options.ParsePlayersPacket), gameagent.Explain[gameagent.PlayersPacket])
	ping := newMessage("gameagent.Ping", "answer to a ping request",
		plain(gameagent.ParsePing), gameagent.Explain[gameagent.Ping])
	legacyStatus := newSplitMessage("gameagent.LegacyStatus", "answer to the legacy request for the status",
		plain(gameagent.ParseLegacyStatus), gameagent.Explain[gameagent.LegacyStatus],
		joinLegacyStatus, gameagent.LegacyStatus.Packets)
	unknown := newMessage("gameagent.Unknown", "any datagram, not taken apart",
		plain(parseUnknown), explainUnknown)

	udp := datagrams([]format{
		join, heartbeat, stateChanged, listRequest,
		newSplitMessage("gameagent.ServerList", "master's answer to a list request",
			with(gameagentOptions, gameagent.Options.ParseServerList), gameagent.Explain[gameagent.ServerList],
			joinServerLists, gameagent.ServerList.Packets),
		challenge, statusRequest, playersRequest, pingRequest,
		status,
		{name: "gameagent.Players", doc: "answer to a players request", codec: message[gameagent.Players]{
			parse:  with(gameagentOptions, gameagent.Options.ParsePlayers),
			fields: explainPlayers,
			join:   joinPlayers,
			split:  gameagent.Players.Packets,
		}},
		playersPacket, ping,
		legacyHeartbeat, legacyRequest, legacyStatus,
		newMessage("gameagent.LegacyInfo", "answer to the legacy request for the info",
			plain(gameagent.ParseLegacyInfo), gameagent.Explain[gameagent.LegacyInfo]),
		newMessage("gameagent.LegacyBasic", "answer to the legacy request for the basic keys",
			plain(gameagent.ParseLegacyBasic), gameagent.Explain[gameagent.LegacyBasic]),
		newSplitMessage("gameagent.LegacyPlayers", "answer to the legacy request for the players",
			plain(gameagent.ParseLegacyPlayers), gameagent.Explain[gameagent.LegacyPlayers],
			joinLegacyPlayers, gameagent.LegacyPlayers.Packets),
		unknown,
		newChoice("gameagent.ToMaster", "any datagram to a master",
			with(gameagentOptions, gameagent.Options.ParseToMaster), gameagent.ExplainToMaster,
			members{join, heartbeat, stateChanged, listRequest, legacyHeartbeat, unknown}),
		newChoice("gameagent.ToServer", "any datagram to a server",
			with(gameagentOptions, gameagent.Options.ParseToServer), gameagent.ExplainToServer,
			members{challenge, statusRequest, playersRequest, pingRequest, legacyRequest, unknown}),
		newChoice("gameagent.FromServer", "any datagram from a server to a client",
			with(gameagentOptions, gameagent.Options.ParseFromServer), gameagent.ExplainFromServer,
			members{status, playersPacket, ping, legacyStatus, unknown}),
	})
	return append(udp,
		newMessage("gameagent.LegacyGreeting", "legacy master challenges a client, TCP",
			with(gameagentOptions, gameagent.Options.ParseLegacyGreeting), gameagent.Explain[gameagent.LegacyGreeting]),
		newMessage("gameagent.LegacyListRequest", "client asks a legacy master for servers, TCP",
			plain(gameagent.ParseLegacyListRequest), gameagent.Explain[gameagent.LegacyListRequest]),
		newMessage("gameagent.LegacyServerList", "legacy master's answer, TCP",
			with(gameagentOptions, gameagent.Options.ParseLegacyServerList), gameagent.Explain[gameagent.LegacyServerList]),
	)
}

func gameagentOptions(o options) gameagent.Options { return gameagent.Options{Strict: o.strict} }

func explainPlayers(b []byte, o options) lobbywire.Explanation {
	if o.part {
		return gameagent.Explain[gameagent.PlayersPacket](b)
	}
	return gameagent.Explain[gameagent.Players](b)
}

// parseUnknown takes what a [gameagent.ToMaster] or its like found unknown.
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

func joinLegacyStatus(packets [][]byte, _ options) (gameagent.LegacyStatus, error) {
	return joinLegacy(packets, gameagent.LegacyQueryStatus)
}

func joinLegacyPlayers(packets [][]byte, _ options) (gameagent.LegacyPlayers, error) {
	m, err := joinLegacy(packets, gameagent.LegacyQueryPlayers)
	return gameagent.LegacyPlayers{Players: m.Players, Extra: m.Extra, QueryID: m.QueryID}, err
}

func joinLegacy(packets [][]byte, query gameagent.LegacyQuery) (gameagent.LegacyStatus, error) {
	a := gameagent.LegacyAssembler{Query: query}
	if err := addAll(packets, a.Add); err != nil {
		return gameagent.LegacyStatus{}, err
	}
	m, err := a.LegacyStatus()
	return m, whichMissing(err, a.Missing())
}
