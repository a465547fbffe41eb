package gamespy2net_test

import (
	"context"
	"fmt"
	"net"

	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
)

// A game server registers at a master. Both run on loopback here.
func ExampleRegistration() {
	var sockets [2]net.PacketConn
	for i := range sockets {
		var err error
		sockets[i], err = net.ListenPacket("udp4", "127.0.0.1:0")
		if err != nil {
			fmt.Println(err)
			return
		}
	}
	listed := make(chan struct{})
	master := gamespy2net.Master{
		Games: []gamespy2net.Game{{Name: "gmtest", Key: "HA6zkS"}},
		Admit: func(gamespy2net.Entry) bool { // the only server
			close(listed)
			return true
		},
	}
	defer master.Close()
	go master.Serve(sockets[0])

	var server gamespy2net.Server
	if err := server.Set(duel()); err != nil {
		fmt.Println(err)
		return
	}
	defer server.Close()
	go server.Serve(sockets[1])
	registration := gamespy2net.Registration{
		Server: &server, Conn: sockets[1],
		Addr: sockets[0].LocalAddr().String(), Game: "gmtest", Key: "HA6zkS",
	}
	go registration.Run(context.Background())

	<-listed
	for e := range master.Servers() {
		v := e.View()
		fmt.Println(e.Game, e.Addr.Addr(), v.Name, len(v.Roster), "players")
	}
	// Output: gmtest 127.0.0.1 Duel 2 players
}
