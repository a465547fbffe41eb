package warzonenet_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/warzone"
	"github.com/lobbywire/lobbywire/warzone/warzonenet"
)

// A game stays in the list of a lobby for as long as Run lasts.
func ExampleHost() {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Println(err)
		return
	}
	lobby := &warzonenet.Lobby{NoVerify: true, MOTD: "Have fun!"}
	go lobby.Serve(listener)
	defer lobby.Close()

	ctx, cancel := context.WithCancel(context.Background())
	host := &warzonenet.Host{Addr: listener.Addr().String()}
	host.Changed = func(s lobbywire.RegistrationStatus) {
		if s.Standing == lobbywire.StandingListed {
			fmt.Println(s, host.Answer().Status.Text)
			cancel() // the game is over already
		}
	}
	if err := host.Set(warzone.Game{Name: "Duel", MaxPlayers: 2, CurrentPlayers: 1, MapName: "Yard"}); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(host.Run(ctx))
	// Output:
	// listed Have fun!
	// context canceled
}

// A game that listens for its players answers lobbies, which check before they list
// the game.
func ExampleHost_RespondAlive() {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Println(err)
		return
	}
	var lobby warzonenet.Lobby
	go lobby.Serve(listener)
	defer lobby.Close()
	game, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer game.Close()

	status := make(chan lobbywire.RegistrationStatus, 2)
	host := &warzonenet.Host{
		Addr:    listener.Addr().String(),
		Changed: func(s lobbywire.RegistrationStatus) { status <- s },
	}
	defer host.Close()
	go func() {
		for {
			conn, err := game.Accept()
			if err != nil {
				return
			}
			var first [warzone.AliveSize]byte
			conn.SetReadDeadline(time.Now().Add(5 * time.Second))
			if _, err := io.ReadFull(conn, first[:]); err == nil {
				if answer := host.RespondAlive(first[:], nil); len(answer) > 0 {
					conn.Write(answer)
				} // else it is a player, who may join
			}
			conn.Close()
		}
	}()
	port := game.Addr().(*net.TCPAddr).Port
	if err := host.Set(warzone.Game{Name: "Duel", MaxPlayers: 2, HostPort: uint16(port)}); err != nil {
		fmt.Println(err)
		return
	}
	go host.Run(context.Background())
	fmt.Println(<-status)
	// Output: listed
}
