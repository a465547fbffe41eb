package main

import (
	"encoding/json"
	"net"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
	"github.com/lobbywire/lobbywire/warzone/warzonenet"
)

// lobbyChild is our lobby. Its first question gives the number of hosts that it must
// list. It does not check whether hosts can be reached, because they cannot.
func lobbyChild(in *json.Decoder, out *json.Encoder) error {
	var hosts int
	if err := in.Decode(&hosts); err != nil {
		return err
	}
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return err
	}
	const others = 1000 // clients that fetch the list
	lobby := &warzonenet.Lobby{
		Games: &warzonegames.Games{
			Limits:    warzonegames.Limits{MaxGames: hosts, MaxPerAddress: hosts, MaxPerPrefix: hosts},
			MaxListed: hosts,
		},
		NoVerify: true,
		Limits: lobbywire.ConnLimits{
			MaxConns:      hosts + others,
			MaxPerAddress: hosts + others,
			MaxPerPrefix:  hosts + others,
		},
	}
	defer lobby.Close()
	go lobby.Serve(l)
	return answerUsage(in, out, l.Addr())
}
