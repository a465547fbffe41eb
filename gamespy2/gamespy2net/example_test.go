package gamespy2net_test

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"sync"
	"time"

	"github.com/lobbywire/lobbywire/gamespy2"
	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
	"github.com/lobbywire/lobbywire/gamespy2/sb2"
)

// duel is the state of a server.
func duel() gamespy2net.State {
	return gamespy2net.State{
		Info: []gamespy2.KeyValue{{Key: "hostname", Value: "Duel"}, {Key: "numplayers", Value: "2"}},
		Players: gamespy2.Table{
			Columns: []string{"player_", "score_"},
			Rows:    [][]string{{"Ada", "7"}, {"Grace", "9"}},
		},
	}
}

// A game server answers queries on a socket of its own, and a client queries it.
func Example() {
	socket, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		fmt.Println(err)
		return
	}
	var server gamespy2net.Server
	if err := server.Set(duel()); err != nil {
		fmt.Println(err)
		return
	}
	go server.Serve(socket)
	defer server.Close()

	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	var client gamespy2net.Client
	answer, err := client.Query(ctx, socket.LocalAddr().String())
	if err != nil {
		fmt.Println(err)
		return
	}
	name, _ := answer.Message.Lookup("hostname")
	fmt.Println(name, answer.Message.Players.Rows)
	// Output: Duel [[Ada 7] [Grace 9]]
}

// A game with a loop of its own answers there. dst keeps its memory from one
// request to the next.
func ExampleServer_Respond() {
	server := gamespy2net.Server{Challenge: gamespy2net.ChallengeOff}
	if err := server.Set(duel()); err != nil {
		fmt.Println(err)
		return
	}
	from := netip.MustParseAddrPort("192.0.2.1:5000")
	var dst [][]byte
	for _, request := range []string{"\xfe\xfd\x00test\xff\xff\xff\x01", "\xfe\xfd\x09test", "junk"} {
		dst, _ = server.Respond(from, []byte(request), dst[:0])
		fmt.Println(len(dst), "datagrams to send back")
	}
	// Output:
	// 1 datagrams to send back
	// 1 datagrams to send back
	// 0 datagrams to send back
}

// A proxy answers with what it has read from another server, also what Set otherwise refuses,
// such as a bot that numplayers does not count.
func ExampleServer_Set() {
	received := []byte("\x00\x01\x02\x03\x04splitnum\x00\x80" +
		"\x00hostname\x00Reef\x00numplayers\x000\x00\x00" +
		"\x01player_\x00\x00Bot\x00\x00\x00" +
		"\x02\x00")
	m, err := gamespy2.ParseResponse(received) // or Message of an Answer that is not Partial
	if err != nil {
		fmt.Println(err)
		return
	}
	var proxy gamespy2net.Server
	state := gamespy2net.State{Info: m.Info, Players: m.Players, Teams: m.Teams}
	fmt.Println(proxy.Set(state))
	state.Cut = gamespy2.CutAsRead
	fmt.Println(proxy.Set(state))

	query := []byte("\xfe\xfd\x00\x01\x02\x03\x04\xff\xff\xff\x01")
	answers, _ := proxy.Respond(netip.MustParseAddrPort("192.0.2.1:5000"), query, nil)
	fmt.Println(bytes.Equal(answers[0], received))
	// Output:
	// gamespy2: info.numplayers: invalid value: 0, but there are 1 players
	// <nil>
	// true
}

// A launcher queries many servers and shows each as it answers.
func ExampleClient_Scan() {
	socket, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		fmt.Println(err)
		return
	}
	var server gamespy2net.Server
	if err := server.Set(duel()); err != nil {
		fmt.Println(err)
		return
	}
	go server.Serve(socket)
	defer server.Close()

	targets := []netip.AddrPort{socket.LocalAddr().(*net.UDPAddr).AddrPort()}
	var client gamespy2net.Client
	for _, result := range client.Scan(context.Background(), slices.Values(targets)) {
		if result.Err != nil {
			fmt.Println(result.Err)
			continue
		}
		fmt.Println(len(result.Message.Players.Rows), "players, partial:", result.Partial)
	}
	// Output: 2 players, partial: false
}

// A master takes the heartbeats of servers over UDP and sends lists to clients over
// TCP.
func ExampleMaster_ServeLists() {
	m := &gamespy2net.Master{Games: []gamespy2net.Game{{Name: "gmtest", Key: "HA6zkS"}}}
	servers, err := net.ListenPacket("udp", "127.0.0.1:0") // usually port 27900
	if err != nil {
		fmt.Println(err)
		return
	}
	clients, err := net.Listen("tcp", "127.0.0.1:0") // usually port 28910
	if err != nil {
		fmt.Println(err)
		return
	}
	var serving sync.WaitGroup
	serving.Go(func() { m.Serve(servers) })
	serving.Go(func() { m.ServeLists(clients) })

	var client gamespy2net.Client
	list, err := client.List(context.Background(), clients.Addr().String(), gamespy2net.ListQuery{
		Game: "gmtest", Key: "HA6zkS", Filter: "numplayers > 0", Fields: sb2.MakeFieldList("hostname"),
	})
	fmt.Println(len(list.Servers), err)
	m.Close()
	serving.Wait()
	// Output: 0 <nil>
}
