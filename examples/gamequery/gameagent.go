package main

import (
	"fmt"
	"slices"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent"
)

func gameagentFormats() []format {
	join := newMessage("gameagent.Join", "server starts",
		with(gameagentOptions, gameagent.Options.ParseJoin), gameagent.ExplainJoin)
	heartbeat := newMessage("gameagent.Heartbeat", "server answers a challenge, or lives on",
		with(gameagentOptions, gameagent.Options.ParseHeartbeat), gameagent.ExplainHeartbeat)
	stateChanged := newMessage("gameagent.StateChanged", "server has a new player",
		with(gameagentOptions, gameagent.Options.ParseStateChanged), gameagent.ExplainStateChanged)
	listRequest := newMessage("gameagent.ListRequest", "client asks the master for servers",
		with(gameagentOptions, gameagent.Options.ParseListRequest), gameagent.ExplainListRequest)
	legacyHeartbeat := newMessage("gameagent.LegacyHeartbeat", "server lives, legacy form",
		plain(gameagent.ParseLegacyHeartbeat), gameagent.ExplainLegacyHeartbeat)

	challenge := newMessage("gameagent.Challenge", "master challenges a server",
		with(gameagentOptions, gameagent.Options.ParseChallenge), gameagent.ExplainChallenge)
	statusRequest := newMessage("gameagent.StatusRequest", "client asks for the status",
		with(gameagentOptions, gameagent.Options.ParseStatusRequest), gameagent.ExplainStatusRequest)
	playersRequest := newMessage("gameagent.PlayersRequest", "client asks for the players",
		with(gameagentOptions, gameagent.Options.ParsePlayersRequest), gameagent.ExplainPlayersRequest)
	pingRequest := newMessage("gameagent.PingRequest", "client asks for the number of players",
		with(gameagentOptions, gameagent.Options.ParsePingRequest), gameagent.ExplainPingRequest)
	legacyRequest := newMessage("gameagent.LegacyRequest", "client asks, legacy form",
		with(gameagentOptions, gameagent.Options.ParseLegacyRequest), gameagent.ExplainLegacyRequest)

	status := newMessage("gameagent.Status", "answer to a status request",
		with(gameagentOptions, gameagent.Options.ParseStatus), gameagent.ExplainStatus)
	playersPacket := newMessage("gameagent.PlayersPacket", "one datagram of an answer to a players request",
		with(gameagentOptions, gameagent.Options.ParsePlayersPacket), gameagent.ExplainPlayersPacket)
	ping := newMessage("gameagent.Ping", "answer to a ping request",
		plain(gameagent.ParsePing), gameagent.ExplainPing)
	legacyStatus := newSplitMessage("gameagent.LegacyStatus", "answer to the legacy request for the status",
		plain(gameagent.ParseLegacyStatus), gameagent.ExplainLegacyStatus,
		joinLegacyStatus, gameagent.LegacyStatus.Packets)
	unknown := newMessage("gameagent.Unknown", "any datagram, not taken apart",
		plain(parseUnknown), explainUnknown)

	udp := datagrams([]format{
		join, heartbeat, stateChanged, listRequest,
		newSplitMessage("gameagent.ServerList", "master's answer to a list request",
			with(gameagentOptions, gameagent.Options.ParseServerList), gameagent.ExplainServerList,
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
			plain(gameagent.ParseLegacyInfo), gameagent.ExplainLegacyInfo),
		newMessage("gameagent.LegacyBasic", "answer to the legacy request for the basic keys",
			plain(gameagent.ParseLegacyBasic), gameagent.ExplainLegacyBasic),
		newSplitMessage("gameagent.LegacyPlayers", "answer to the legacy request for the players",
			plain(gameagent.ParseLegacyPlayers), gameagent.ExplainLegacyPlayers,
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
			with(gameagentOptions, gameagent.Options.ParseLegacyGreeting), gameagent.ExplainLegacyGreeting),
		newMessage("gameagent.LegacyListRequest", "client asks a legacy master for servers, TCP",
			plain(gameagent.ParseLegacyListRequest), gameagent.ExplainLegacyListRequest),
		newMessage("gameagent.LegacyServerList", "legacy master's answer, TCP",
			with(gameagentOptions, gameagent.Options.ParseLegacyServerList), gameagent.ExplainLegacyServerList),
	)
}

func gameagentOptions(o options) gameagent.Options { return gameagent.Options{Strict: o.strict} }

func explainPlayers(b []byte, o options) lobbywire.Explanation {
	if o.part {
		return gameagent.ExplainPlayersPacket(b)
	}
	return gameagent.ExplainPlayers(b)
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

// whichMissing adds to err which packets of an answer are missing.
func whichMissing(err error, missing func() (first, last bool)) error {
	switch first, last := missing(); {
	case first && last:
		return fmt.Errorf("%w; the first and the last packet are missing", err)
	case first:
		return fmt.Errorf("%w; the first packet is missing", err)
	case last:
		return fmt.Errorf("%w; the last packet is missing", err)
	}
	return err
}

func joinServerLists(packets [][]byte, o options) (gameagent.ServerList, error) {
	lists := make([]gameagent.ServerList, len(packets))
	for i, b := range packets {
		var err error
		if lists[i], err = gameagentOptions(o).ParseServerList(b); err != nil {
			return gameagent.ServerList{}, inPacket(i, err)
		}
	}
	return gameagent.JoinLists(lists...), nil
}

func joinPlayers(packets [][]byte, o options) (gameagent.Players, error) {
	a := gameagent.Assembler{Options: gameagentOptions(o)}
	if err := addAll(packets, a.Add); err != nil {
		return gameagent.Players{}, err
	}
	m, err := a.Players()
	return m, whichMissing(err, a.Missing)
}

func joinLegacyStatus(packets [][]byte, _ options) (gameagent.LegacyStatus, error) {
	var a gameagent.LegacyAssembler
	if err := addAll(packets, a.Add); err != nil {
		return gameagent.LegacyStatus{}, err
	}
	m, err := a.Status()
	return m, whichMissing(err, a.Missing)
}

func joinLegacyPlayers(packets [][]byte, _ options) (gameagent.LegacyPlayers, error) {
	a := gameagent.LegacyAssembler{Query: gameagent.LegacyQueryPlayers}
	if err := addAll(packets, a.Add); err != nil {
		return gameagent.LegacyPlayers{}, err
	}
	m, err := a.Players()
	return m, whichMissing(err, a.Missing)
}
