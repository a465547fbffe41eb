package proposalnet_test

import (
	"context"
	"fmt"
	"net"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
	"github.com/lobbywire/lobbywire/warzone/wzjson"
	"github.com/lobbywire/lobbywire/warzone/wzproposal/proposalnet"
)

// A lobby speaks all three proposals, each on its own port: a game that is opened through one
// is listed by all.
func Example() {
	games := new(warzonegames.Games)
	var addrs []string
	for _, proposal := range []proposalnet.Proposal{proposalnet.Text, proposalnet.Binary, proposalnet.JSON} {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			fmt.Println(err)
			return
		}
		lobby := &proposalnet.Lobby{Proposal: proposal, Games: games}
		go lobby.Serve(listener)
		defer lobby.Close()
		addrs = append(addrs, listener.Addr().String())
	}

	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	host := &proposalnet.Host{Addr: addrs[0], Proposal: proposalnet.Text}
	host.Changed = func(s lobbywire.RegistrationStatus) {
		if s.Standing != lobbywire.StandingListed {
			return
		}
		defer cancel() // the game is over already
		client := proposalnet.Client{Proposal: proposalnet.JSON}
		listing, err := client.List(ctx, addrs[2])
		if err != nil {
			fmt.Println(err)
			return
		}
		for _, g := range listing.Games {
			fmt.Println(g.Host, g.Port, g.Name, g.Map, g.MaxPlayers)
		}
	}
	if err := host.Set(proposalnet.Game{Port: 2100, Name: "Duel", Map: "Rush", MaxPlayers: 2}); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(host.Run(ctx))
	// Output:
	// 127.0.0.1 2100 Duel Rush 2
	// context canceled
}

// A game stays listed for as long as Run lasts. The host announces it again if the lobby
// forgets it or was down for a while.
func ExampleHost() {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Println(err)
		return
	}
	lobby := proposalnet.Lobby{Proposal: proposalnet.Binary}
	go lobby.Serve(listener)
	defer lobby.Close()

	game := proposalnet.Game{Port: 2100, Name: "Duel", Map: "Rush", MaxPlayers: 2}
	host := &proposalnet.Host{Addr: listener.Addr().String(), Proposal: proposalnet.Binary}
	if err := host.Set(game); err != nil {
		fmt.Println(err)
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	client := proposalnet.Client{Proposal: proposalnet.Binary, ListEvery: -1}
	host.Changed = func(s lobbywire.RegistrationStatus) {
		fmt.Println(s)
		if s.Standing != lobbywire.StandingListed {
			return
		}
		listing, err := client.List(ctx, host.Addr)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(listing.Games[0].Name, listing.Games[0].Status)
		cancel() // the game is over already
	}
	fmt.Println(host.Run(ctx))
	fmt.Println(lobby.Stats().Removed, "closed")
	// Output:
	// listed
	// Duel open
	// left
	// context canceled
	// 1 closed
}

// A launcher lists some of the games.
func ExampleClient_List() {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Println(err)
		return
	}
	lobby := proposalnet.Lobby{Proposal: proposalnet.JSON}
	go lobby.Serve(listener)
	defer lobby.Close()

	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	host := &proposalnet.Host{Addr: listener.Addr().String(), Proposal: proposalnet.JSON,
		Changed: func(lobbywire.RegistrationStatus) { cancel() }}
	defer host.Run(ctx)
	if err := host.Set(proposalnet.Game{Name: "Duel", Map: "Rush", Tech: wzjson.TechT2, MaxPlayers: 2}); err != nil {
		fmt.Println(err)
		return
	}
}
