package tour

import (
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/protocols"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/servers"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
	"github.com/lobbywire/lobbywire/warzone/wzproposal/proposalnet"
)

// A Stop of the tour shows one protocol.
type Stop struct {
	protocol protocols.Protocol
	about    string
	master   func() servers.Server // nil if the protocol has no master
	overTCP  bool                  // the master has a TCP address for its list
	games    []servers.Game

	// commands are command lines of this program. SERVER and SERVERS stand for the
	// addresses of games, and @NAME for the address of a master. The traffic of the
	// first command is explained.
	commands []string
}

func stops() []Stop {
	duel := servers.Game{Name: "Duel", Level: "Rush", GameType: "Duel", Version: "1.0", Players: 1, MaxPlayers: 2,
		Challenge: "offered"}
	crowd := servers.Game{Name: "Crowd", Level: "Yard", GameType: "Teams", Version: "1.0", Players: 12, MaxPlayers: 12,
		Challenge: "offered"}
	one, two := []servers.Game{duel}, []servers.Game{duel, crowd}
	shared := new(warzonegames.Games)
	return []Stop{
		{
			protocol: protocols.SQP(), games: two,
			about:    "A client gets a token, and queries with it. Answers can be split.",
			commands: []string{"query sqp SERVER", "scan sqp SERVERS"},
		},
		{
			protocol: protocols.GameSpy2(), games: two,
			about:   "Servers register with a master, which sends encrypted lists over TCP.",
			master:  func() servers.Server { return servers.NewGameSpyMaster(servers.GameKey{}) },
			overTCP: true,
			commands: []string{"query gamespy2 SERVER", "list gamespy2 -game gmtest -key HA6zkS @gamespy2",
				"scan gamespy2 SERVERS"},
		},
		{
			protocol: protocols.GameAgent(), games: two,
			about:  "Servers register with a master. Its list contains only addresses.",
			master: func() servers.Server { return servers.NewGameAgentMaster(servers.GameKey{}) },
			commands: []string{"list gameagent @gameagent", "browse gameagent @gameagent",
				"query gameagent -ask players SERVER"},
		},
		{
			protocol: protocols.Bomberman(), games: one,
			about:    "Game servers register with a management server, whose list describes the games.",
			master:   servers.NewManagementServer,
			commands: []string{"list bomberman @bomberman"},
		},
		{
			protocol: protocols.Warzone(), games: one,
			about:    "Hosts announce games at a lobby, which checks that it can reach them.",
			master:   func() servers.Server { return servers.NewWarzoneLobby(shared) },
			commands: []string{"list warzone @warzone"},
		},
		{
			protocol: protocols.WZHTTP(), games: one,
			about:    "The lobby since 4.7, over HTTP. The list is the same.",
			master:   func() servers.Server { return servers.NewHTTPLobby(shared) },
			commands: []string{"list warzone @wzhttp", "list warzone @warzone"},
		},
		{
			protocol: protocols.WZText(), games: one,
			about:    "The lobby in lines of text. It shares its games with the lobby of warzone.",
			master:   func() servers.Server { return servers.NewProposalLobby(proposalnet.Text, shared) },
			commands: []string{"list wztext @wztext", "list warzone @warzone"},
		},
		{
			protocol: protocols.WZBinary(), games: one,
			about:    "The same in compact binary messages.",
			master:   func() servers.Server { return servers.NewProposalLobby(proposalnet.Binary, shared) },
			commands: []string{"list wzbinary @wzbinary"},
		},
		{
			protocol: protocols.WZJSON(), games: one,
			about: "The same in JSON. A host sends heartbeats to stay listed, but not its port:\n" +
				"its game is listed at port 2100, the usual one, wherever it listens.",
			master:   func() servers.Server { return servers.NewProposalLobby(proposalnet.JSON, shared) },
			commands: []string{"list wzjson @wzjson"},
		},
	}
}
