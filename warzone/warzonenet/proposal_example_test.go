package warzonenet_test

import (
	"context"
	"fmt"
	"net"
	"time"

	"github.com/lobbywire/lobbywire/warzone/warzonegames"
	"github.com/lobbywire/lobbywire/warzone/warzonenet"
	"github.com/lobbywire/lobbywire/warzone/wzjson"
	"github.com/lobbywire/lobbywire/warzone/wzproposal"
)

// A lobby that speaks several protocols, each on its own port: what is opened
// through one is listed by all.
func Example_proposals() {
	listeners := make([]net.Listener, 3)
	for i := range listeners {
		var err error
		if listeners[i], err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
			fmt.Println(err)
			return
		}
	}
	games := new(warzonegames.Games)
	lobby := &warzonenet.Lobby{Games: games}
	text := &warzonenet.ProposalLobby{Games: games}
	binary := &warzonenet.ProposalLobby{Games: games, Encoding: wzproposal.Binary}
	go lobby.Serve(listeners[0])
	go text.Serve(listeners[1])
	go binary.Serve(listeners[2])
	defer lobby.Close()
	defer text.Close()
	defer binary.Close()

	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	var host warzonenet.ProposalClient
	if err := host.OpenGame(ctx, listeners[1].Addr().String(), wzproposal.OpenGame{
		Port: 2100, Name: "Duel", Map: "Rush", MaxPlayers: 2,
	}); err != nil {
		fmt.Println(err)
		return
	}
	var client warzonenet.Client
	listing, err := client.List(ctx, listeners[0].Addr().String())
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, g := range listing.Games {
		fmt.Println(g.JoinAddr(), g.Name, g.MapName, g.MaxPlayers)
	}
	other := warzonenet.ProposalClient{Encoding: wzproposal.Binary}
	list, err := other.List(ctx, listeners[2].Addr().String())
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, g := range list.Games {
		fmt.Println(g.IP, g.Port, g.Name, g.Map, g.MaxPlayers, g.Status)
	}
	// Output:
	// 127.0.0.1:2100 Duel Rush 2
	// 127.0.0.1 2100 Duel Rush 2 open
}

// A game stays listed for as long as Run lasts. The host announces it again if the
// lobby forgets it or was down for a while.
func ExampleProposalHost() {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Println(err)
		return
	}
	lobby := warzonenet.ProposalLobby{Encoding: wzproposal.Binary}
	go lobby.Serve(listener)
	defer lobby.Close()

	ctx, cancel := context.WithCancel(context.Background())
	client := warzonenet.ProposalClient{Encoding: wzproposal.Binary}
	host := &warzonenet.ProposalHost{
		Addr:     listener.Addr().String(),
		Encoding: wzproposal.Binary,
		Announced: func(err error) {
			defer cancel() // the game is over already
			if err != nil {
				fmt.Println(err)
				return
			}
			list, err := client.List(ctx, listener.Addr().String())
			fmt.Println(len(list.Games), "game", err)
		},
	}
	if err := host.Set(wzproposal.OpenGame{Port: 2100, Name: "Duel", Map: "Rush", MaxPlayers: 2}); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(host.Run(ctx))
	fmt.Println(lobby.Stats().Removed, "closed")
	// Output:
	// 1 game <nil>
	// context canceled
	// 1 closed
}

// A launcher lists some of the games.
func ExampleJSONClient_List() {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Println(err)
		return
	}
	var lobby warzonenet.JSONLobby
	go lobby.Serve(listener)
	defer lobby.Close()

	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	var client warzonenet.JSONClient
	addr := listener.Addr().String()
	id, err := client.Add(ctx, addr, wzjson.Add{Name: "Duel", Map: "Rush", Tech: wzjson.TechT2, MaxPlayers: 2})
	if err != nil {
		fmt.Println(err)
		return
	}
	tech := wzjson.TechT2
	list, err := client.List(ctx, addr, wzjson.Fields{Tech: &tech})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, g := range list.Games {
		fmt.Println(g.Host, g.Port, g.Name, g.Tech)
	}
	fmt.Println(client.Goodbye(ctx, addr, id))
	fmt.Println(client.Heartbeat(ctx, addr, id))
	// Output:
	// 127.0.0.1 2100 Duel T2
	// <nil>
	// warzonenet: the lobby refuses: "No such game is listed."
}
