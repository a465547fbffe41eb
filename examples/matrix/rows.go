package main

import "github.com/lobbywire/lobbywire/internal/querytools"

// A row is a tool and the server of ours that it queries.
type row struct {
	tool   querytools.Tool
	name   string // of the kind of server
	server func(c testCase) (server, error)
	scores string // the name of a player's score in the tool's answer, if it has any
	noMap  bool   // the tool prints no map
}

func rows() []row {
	const (
		gameSpy   = "Battlefield 2"
		gameAgent = "Serious Sam"
		mine      = "Minecraft"
	)
	return []row{
		{querytools.Qstat("-gs2"), gameSpy, battlefield, "score", false},
		{querytools.Qstat("-gs3"), gameSpy, battlefield, "score", false},
		{querytools.Qstat("-gs4"), gameSpy, battlefield, "score", false},
		{querytools.Gamedig("battlefield2"), gameSpy, battlefield, "score", false},
		{querytools.Gamedig("protocol-gamespy3"), gameSpy, battlefield, "score", false},
		{querytools.Gamedig("protocol-gamespy2"), gameSpy, battlefield, "score", false},
		{querytools.Qstat("-sms"), gameAgent, seriousSam, "frags", false},
		{querytools.Gamedig("serioussam"), gameAgent, seriousSam, "frags", false},
		{querytools.Gamedig("minecraft"), mine, minecraft, "", true},
		{querytools.MinecraftServerUtil(), mine, minecraft, "", false},
		{querytools.MinecraftQuery(), mine, minecraft, "", false},
		{querytools.MCQuery(), mine, minecraft, "", false},
	}
}
