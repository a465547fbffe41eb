package sqpnet_test

import (
	"context"
	"fmt"
	"iter"
	"maps"
	"net"
	"net/netip"
	"slices"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/sqp"
	"github.com/lobbywire/lobbywire/sqp/sqpnet"
)

// A game server answers queries on a socket of its own, and a client asks it.
func Example() {
	socket, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		fmt.Println(err)
		return
	}
	var server sqpnet.Server
	if err := server.Set(sqpnet.State{ServerInfo: sqp.ServerInfo{ServerName: "Duel", MaxPlayers: 8}}); err != nil {
		fmt.Println(err)
		return
	}
	go server.Serve(socket)
	defer server.Close()

	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	var client sqpnet.Client
	answer, err := client.Query(ctx, socket.LocalAddr().String(), sqp.ChunkServerInfo)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(answer.Message.ServerInfo.ServerName, answer.Message.ServerInfo.MaxPlayers)
	// Output: Duel 8
}

// A game with a loop of its own answers there.
func ExampleServer_Respond() {
	var server sqpnet.Server
	from := netip.MustParseAddrPort("192.0.2.1:5000")
	var answers [][]byte // its memory serves all requests

	request := []byte{0, 0, 0, 0, 0}
	answers, _ = server.Respond(from, request, answers[:0])
	for _, b := range answers {
		fmt.Println(len(b), "bytes to send back")
	}
	answers, _ = server.Respond(from, []byte("junk"), answers[:0])
	fmt.Println(len(answers), "answers to junk")
	// Output:
	// 5 bytes to send back
	// 0 answers to junk
}

// A launcher asks many servers and shows each as it answers.
func ExampleClient_Scan() {
	socket, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		fmt.Println(err)
		return
	}
	var server sqpnet.Server
	go server.Serve(socket)
	defer server.Close()

	targets := []netip.AddrPort{socket.LocalAddr().(*net.UDPAddr).AddrPort()}
	var client sqpnet.Client
	for addr, result := range client.Scan(context.Background(), slices.Values(targets), sqp.ChunkServerInfo) {
		if result.Err != nil {
			fmt.Println(result.Err)
			continue
		}
		fmt.Println(addr == targets[0], result.Message.ServerInfo.CurrentPlayers, "players")
	}
	// Output: true 0 players
}

// Processes share a scan: each queries the targets of its shard. One that was interrupted
// resumes where it was, because the targets whose results it has are skipped.
func ExampleClient_Scan_shards() {
	var all []netip.AddrPort
	for range 10 {
		socket, err := net.ListenPacket("udp", "127.0.0.1:0")
		if err != nil {
			fmt.Println(err)
			return
		}
		var server sqpnet.Server
		go server.Serve(socket)
		defer server.Close()
		all = append(all, socket.LocalAddr().(*net.UDPAddr).AddrPort())
	}

	shard := func(number, shards int, skip map[netip.AddrPort]bool) iter.Seq[netip.AddrPort] {
		return func(yield func(netip.AddrPort) bool) {
			for i, target := range all {
				if i%shards == number && !skip[target] && !yield(target) {
					return
				}
			}
		}
	}
	var client sqpnet.Client
	scan := func(number, limit int, done map[netip.AddrPort]bool) {
		targets := shard(number, 2, maps.Clone(done)) // another goroutine reads them
		for target := range client.Scan(context.Background(), targets, sqp.ChunkServerInfo) {
			done[target] = true
			if len(done) == limit {
				break
			}
		}
		fmt.Println("shard", number, "has", len(done), "results")
	}
	for number := range 2 {
		done := make(map[netip.AddrPort]bool) // a program would read it from its file of results
		scan(number, 3, done)
		scan(number, len(all), done)
	}
	// Output:
	// shard 0 has 3 results
	// shard 0 has 5 results
	// shard 1 has 3 results
	// shard 1 has 5 results
}

// A game that does not track changes describes itself when a client is to get its state.
func ExampleServer_refresh() {
	players := 3
	var server sqpnet.Server
	server.Refresh = func() {
		server.SetView(lobbywire.View{Name: "Duel", Players: new(players)})
	}
	from := netip.MustParseAddrPort("192.0.2.1:5000")
	answers, _ := server.Respond(from, []byte{0, 0, 0, 0, 0}, nil)
	challenge, err := sqp.ParseChallengeResponse(answers[0])
	if err != nil {
		fmt.Println(err)
		return
	}
	query := sqp.QueryRequest{Token: challenge.Token, Version: sqp.Version, Chunks: sqp.ChunkServerInfo}
	request, _ := query.AppendBinary(nil) // cannot fail
	answers, _ = server.Respond(from, request, answers[:0])
	response, err := sqp.ParseQueryResponse(answers[0], sqp.ChunkServerInfo)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(response.ServerInfo.ServerName, response.ServerInfo.CurrentPlayers)
	// Output: Duel 3
}
