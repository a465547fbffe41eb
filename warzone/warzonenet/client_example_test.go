package warzonenet_test

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"time"

	"github.com/lobbywire/lobbywire/warzone"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
	"github.com/lobbywire/lobbywire/warzone/warzonenet"
)

// A launcher gets the games of a lobby.
func ExampleClient_List() {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Println(err)
		return
	}
	lobby := &warzonenet.Lobby{Games: new(warzonegames.Games), MOTD: "Have fun!"}
	go lobby.Serve(listener)
	defer lobby.Close()
	if _, err := lobby.Games.Add(warzonegames.Entry{
		Key: netip.MustParseAddrPort("192.0.2.7:2100"),
		Game: warzone.Game{Version: warzone.Version4, Name: "Duel", Size: warzone.SizeOfGame, MaxPlayers: 2,
			CurrentPlayers: 1},
	}); err != nil {
		fmt.Println(err)
		return
	}

	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	var client warzonenet.Client
	listing, err := client.List(ctx, listener.Addr().String())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(listing.Status.Text)
	for _, g := range listing.Games {
		fmt.Printf("%q %d/%d at %v\n", g.Name, g.CurrentPlayers, g.MaxPlayers, g.JoinAddr())
	}
	// Output:
	// Have fun!
	// "Duel" 1/2 at 192.0.2.7:2100
}
