package gamespy1net_test

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"slices"

	"github.com/lobbywire/lobbywire/gameagent/gamespy1/gamespy1net"
)

// A launcher queries many servers and shows each as soon as it answers.
func ExampleClient_Scan() {
	socket, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		fmt.Println(err)
		return
	}
	var server gamespy1net.Server
	go server.Serve(socket)
	defer server.Close()

	targets := []netip.AddrPort{socket.LocalAddr().(*net.UDPAddr).AddrPort()}
	var client gamespy1net.Client
	for addr, result := range client.Scan(context.Background(), slices.Values(targets)) {
		if result.Err != nil {
			fmt.Println(result.Err)
			continue
		}
		fmt.Println(addr == targets[0], *result.Message.NumPlayers, "players")
	}
	// Output: true 0 players
}
