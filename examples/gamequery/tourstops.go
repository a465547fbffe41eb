package main

import "github.com/lobbywire/lobbywire/warzone/warzonegames"

// A stop of the tour shows one protocol.
type stop struct {
	protocol protocol
	about    string
	master   func() gameServer // nil if the protocol has no master
	overTCP  bool              // the master has a TCP address for its list
	games    []game

	// commands are command lines of this program. SERVER and SERVERS stand for the
	// addresses of games, and @NAME for the address of a master. The traffic of the
	// first command is explained.
	commands []string
}

func stops() []stop {
	duel := game{name: "Duel", level: "Rush", gameType: "Duel", version: "1.0", players: 1, maxPlayers: 2, challenge: "offered"}
	crowd := game{name: "Crowd", level: "Yard", gameType: "Teams", version: "1.0", players: 12, maxPlayers: 12, challenge: "offered"}
	one, two := []game{duel}, []game{duel, crowd}
	shared := new(warzonegames.Games)
	return []stop{
		{
			protocol: sqpProtocol(), games: two,
			about:    "A client gets a token, and queries with it. Answers can be split.",
			commands: []string{"query sqp SERVER", "scan sqp SERVERS"},
		},
		{
			protocol: gamespy2Protocol(), games: two,
			about:    "Servers register with a master, which sends encrypted lists over TCP.",
			master:   func() gameServer { return newGameSpyMaster(registered{}) },
			overTCP:  true,
			commands: []string{"query gamespy2 SERVER", "list gamespy2 -game gmtest -key HA6zkS @gamespy2", "scan gamespy2 SERVERS"},
		},
		{
			protocol: gameagentProtocol(), games: two,
			about:    "Servers register with a master. Its list contains only addresses.",
			master:   func() gameServer { return newGameAgentMaster(registered{}) },
			commands: []string{"list gameagent @gameagent", "browse gameagent @gameagent", "query gameagent -ask players SERVER"},
		},
		{
			protocol: bombermanProtocol(), games: one,
			about:    "Game servers register with a management server, whose list describes the games.",
			master:   newManagementServer,
			commands: []string{"list bomberman @bomberman"},
		},
		{
			protocol: warzoneProtocol(), games: one,
			about:    "Hosts announce games at a lobby, which checks that it can reach them.",
			master:   func() gameServer { return newWarzoneLobby(shared) },
			commands: []string{"list warzone @warzone"},
		},
		{
			protocol: wzhttpProtocol(), games: one,
			about:    "The lobby since 4.7, over HTTP. The list is the same.",
			master:   func() gameServer { return newWZHTTPLobby(shared) },
			commands: []string{"list warzone @wzhttp", "list warzone @warzone"},
		},
		{
			protocol: textProposal.protocol(), games: one,
			about:    "The lobby in lines of text. It shares its games with that of warzone.",
			master:   func() gameServer { return textProposal.lobby(shared) },
			commands: []string{"list wztext @wztext", "list warzone @warzone"},
		},
		{
			protocol: binaryProposal.protocol(), games: one,
			about:    "The same in compact binary messages.",
			master:   func() gameServer { return binaryProposal.lobby(shared) },
			commands: []string{"list wzbin @wzbin"},
		},
		{
			protocol: wzjsonProtocol(), games: one,
			about:    "The same in JSON. A host sends heartbeats to stay listed.",
			master:   func() gameServer { return newJSONLobby(shared) },
			commands: []string{"list wzjson @wzjson"},
		},
	}
}
