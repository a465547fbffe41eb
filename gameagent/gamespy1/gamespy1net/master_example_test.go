package gamespy1net_test

import (
	"context"
	"fmt"
	"net"
	"net/netip"

	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1/gamespy1net"
)

// A master with a loop of its own lists a server that returns its challenge.
func ExampleMaster_Respond() {
	var master gamespy1net.Master
	server := netip.MustParseAddrPort("192.0.2.1:25601")
	client := netip.MustParseAddrPort("198.51.100.7:40000")

	answers, _ := master.Respond(server, []byte("q"), nil)
	challenge, err := gameagent.ParseChallenge(answers[0])
	if err != nil {
		fmt.Println(err)
		return
	}
	heartbeat, err := gameagent.Heartbeat{
		Challenge:  challenge.Challenge,
		Players:    new(3),
		MaxPlayers: new(8),
		Level:      "Karnak",
	}.AppendBinary(nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	master.Respond(server, heartbeat, nil)

	answers, _ = master.Respond(client, []byte("e"), nil)
	list, err := gameagent.ParseServerList(answers[0])
	fmt.Println(list.Servers, err)

	for e := range master.Servers() {
		h, err := e.Parse()
		fmt.Println(e.Game, h.Level, *h.Players, err)
	}
	// Output:
	// [192.0.2.1:25600] <nil>
	// 192.0.2.1:25600 Karnak 3 <nil>
}

// A master for both protocols listens on two UDP ports, and sends the lists of games on a TCP
// port.
func ExampleMaster_ServeLists() {
	master := gamespy1net.Master{Games: gamespy1net.SeriousSam()}
	master.Games["ut"] = gamespy1net.Game{Key: "the key of the game", Validate: true}
	ended := make(chan error)
	for _, addr := range []string{"127.0.0.1:0", "127.0.0.1:0"} { // usually :9005 and :27900
		pc, err := net.ListenPacket("udp4", addr)
		if err != nil {
			fmt.Println(err)
			return
		}
		go func() { ended <- master.Serve(pc) }()
	}
	l, err := net.Listen("tcp4", "127.0.0.1:0") // usually :28900
	if err != nil {
		fmt.Println(err)
		return
	}
	go func() { ended <- master.ServeLists(l) }()

	client := gamespy1net.Client{Game: "serioussamse"}
	list, err := client.List(context.Background(), l.Addr().String())
	fmt.Println(len(list.Queries), err)
	err = master.Close()
	for range 3 {
		<-ended
	}
	fmt.Println(err)
	// Output:
	// 0 <nil>
	// <nil>
}
