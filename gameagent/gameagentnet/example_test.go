package gameagentnet_test

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/gameagent/gameagentnet"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1/gamespy1net"
)

// A game server answers queries on its own socket, and a client queries it.
func Example() {
	socket, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		fmt.Println(err)
		return
	}
	var server gameagentnet.Server
	if err := server.Set(gameagentnet.State{
		SessionName: "Duel",
		Level:       "Yodeller",
		MaxPlayers:  2,
		Players:     []gameagent.Player{{Index: 0, Name: "Ada", Frags: new(int32(14)), Ping: new(80)}},
	}); err != nil {
		fmt.Println(err)
		return
	}
	go server.Serve(socket)
	defer server.Close()

	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	var client gameagentnet.Client
	status, err := client.Status(ctx, socket.LocalAddr().String())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(status.Message.SessionName, status.Message.Level, *status.Message.Players, "of",
		*status.Message.MaxPlayers)
	players, err := client.Players(ctx, socket.LocalAddr().String())
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, p := range players.Message.Players {
		fmt.Println(gameagent.PlainName(p.Name), *p.Frags)
	}
	// Output:
	// Duel Yodeller 1 of 2
	// Ada 14
}

// A game answers GameAgent and the first GameSpy protocol at one port, as Serious Sam does, and
// describes itself once.
func Example_onePort() {
	var server gameagentnet.Server
	var gamespy gamespy1net.Server
	server.Other = func(_ netip.Addr, from netip.AddrPort, req []byte, dst [][]byte) ([][]byte, bool) {
		return gamespy.Respond(from, req, dst)
	}
	view := lobbywire.View{Name: "Duel", Map: "Yodeller", Max: new(2)}
	server.SetView(view)
	gamespy.SetView(view)

	// Serve answers both on one socket, and so does Respond, in a game with a loop of its own.
	client := netip.MustParseAddrPort("192.0.2.1:5000")
	for _, request := range []string{"\x04", `\info\`} {
		answers, ok := server.Respond(client, []byte(request), nil)
		fmt.Printf("%.20q %v\n", answers[0], ok)
	}
	// Output:
	// "\x040" true
	// "\\hostname\\Duel\\hostp" true
}

// A game with a loop of its own answers queries in that loop, and stays in the list
// of a master.
func ExampleRegistration_Tick() {
	var server gameagentnet.Server
	registration := gameagentnet.Registration{Server: &server, Addr: "192.0.2.53:9005"}
	master, err := registration.Master()
	if err != nil {
		fmt.Println(err)
		return
	}
	var answers [][]byte
	var toMaster []byte

	// In every frame: send what is due to the master, and answer what has arrived.
	toMaster = registration.Tick(time.Now(), toMaster[:0])
	fmt.Printf("%q to %v\n", toMaster, master)
	answers, _ = server.Respond(master, []byte{1, 42, 0, 0, 0}, answers[:0])
	for _, b := range answers {
		fmt.Printf("%.14q to %v\n", b, master)
	}
	answers, _ = server.Respond(netip.MustParseAddrPort("192.0.2.1:5000"), []byte{4}, answers[:0])
	for _, b := range answers {
		fmt.Printf("%q\n", b)
	}
	// Output:
	// "q" to 192.0.2.53:9005
	// "0;challenge;42" to 192.0.2.53:9005
	// "\x040"
}
