package gameagentnet_test

import (
	"context"
	"fmt"
	"net"
	"slices"
	"time"

	"github.com/lobbywire/lobbywire/gameagent/gameagentnet"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1/gamespy1net"
)

// listenUDP returns a socket with a free port. A master usually has port 9005.
func listenUDP() net.PacketConn {
	socket, err := net.ListenPacket("udp4", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	return socket
}

// A server stays in the list of a master, and a launcher shows all listed servers.
func ExampleClient_List() {
	var master gamespy1net.Master
	masterSocket := listenUDP()
	go master.Serve(masterSocket)
	defer master.Close()

	var server gameagentnet.Server
	if err := server.Set(gameagentnet.State{SessionName: "Duel", MaxPlayers: 2}); err != nil {
		fmt.Println(err)
		return
	}
	serverSocket := listenUDP()
	go server.Serve(serverSocket)
	defer server.Close()
	registration := gameagentnet.Registration{
		Server: &server,
		Addr:   masterSocket.LocalAddr().String(),
		Conn:   serverSocket,
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	go registration.Run(ctx)

	// The client may call List at any time; requests to the master are limited.
	client := gameagentnet.Client{ListEvery: -1} // fetches the list on every call
	for ctx.Err() == nil {
		listing, err := client.List(ctx, masterSocket.LocalAddr().String())
		if err != nil {
			fmt.Println(err)
			return
		}
		// The master is ours. Of the servers on the list of another one, Targets chooses those to scan.
		for _, result := range client.Scan(ctx, slices.Values(listing.Queries)) {
			if result.Err != nil {
				fmt.Println(result.Err)
				return
			}
			fmt.Println(result.Message.SessionName, *result.Message.Players, "of", *result.Message.MaxPlayers)
			return
		}
	} // until it is registered
	// Output: Duel 0 of 2
}
