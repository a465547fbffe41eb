package lobbywire_test

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"slices"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/sqp/sqpnet"
	"github.com/lobbywire/lobbywire/warzone"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
	"github.com/lobbywire/lobbywire/warzone/warzonenet"
)

// A launcher shows the games of a lobby and a server of another protocol, and a row for
// each of them as soon as it is known.
func ExampleBrowser() {
	lobby := &warzonenet.Lobby{Games: new(warzonegames.Games)}
	_, err := lobby.Games.Add(warzonegames.Entry{
		Key: netip.MustParseAddrPort("192.0.2.1:2100"),
		Game: warzone.Game{
			Version: warzone.Version4, Name: "Rush", Size: warzone.SizeOfGame, CurrentPlayers: 1, MaxPlayers: 4,
		},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Println(err)
		return
	}
	go lobby.Serve(listener)
	defer lobby.Close()
	duel := sqpServer()
	socket, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		fmt.Println(err)
		return
	}
	go duel.Serve(socket)
	defer duel.Close()
	target := socket.LocalAddr().(*net.UDPAddr).AddrPort()

	browser := lobbywire.Browser{
		Sources: []lobbywire.Source{
			{List: lobbywire.List{Lister: new(warzonenet.Client), Addr: listener.Addr().String()}},
			{Scanner: new(sqpnet.Client), Targets: slices.Values([]netip.AddrPort{target})},
		},
		Ended: func(end lobbywire.SourceEnd) {
			fmt.Println("the list of", end.Protocol, "is complete:", end.Err == nil)
		},
	}
	for row := range browser.Browse(context.Background()) {
		players, places := row.View.Counts()
		switch {
		case row.Err != nil:
			fmt.Println(row.Seen[0].Protocol, row.Err)
		default:
			fmt.Printf("%s: %q at %s, %d of %d\n", row.Seen[0].Protocol, row.View.Name, row.Join, players, places)
		}
	}
	// Unordered output:
	// warzone: "Rush" at 192.0.2.1:2100, 1 of 4
	// the list of warzone is complete: true
	// sqp: "Duel" at 127.0.0.1:7777, 3 of 8
}
