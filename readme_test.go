package lobbywire_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"net"
	"net/netip"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/sqp"
	"github.com/lobbywire/lobbywire/sqp/sqpnet"
	"github.com/lobbywire/lobbywire/warzone"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
	"github.com/lobbywire/lobbywire/warzone/warzonenet"
)

// printInfo is the README's decoder.
func printInfo(datagram []byte) error {
	response, err := sqp.ParseQueryResponse(datagram, sqp.ChunkServerInfo)
	if err != nil {
		return err // such as "sqp: serverInfo.map at byte 81: truncated"
	}
	info := response.ServerInfo
	fmt.Printf("%q: %d of %d players\n", info.ServerName, info.CurrentPlayers, info.MaxPlayers)
	return nil
}

// serve is the README's server.
func serve(server *sqpnet.Server, socket net.PacketConn) error {
	info := sqp.ServerInfo{ServerName: "Duel", Map: "Harbor", MaxPlayers: 16, Port: 7777}
	if err := server.Set(sqpnet.State{ServerInfo: info}); err != nil {
		return err // such as "sqp: serverInfo.serverName: limit exceeded: 700, at most 255"
	}
	return server.Serve(socket) // until server.Shutdown(ctx)
}

// respond is the README's server in a loop of its own.
func respond(server *sqpnet.Server, socket *net.UDPConn, from netip.AddrPort, datagram []byte, buffer [][]byte) {
	for _, response := range server.Respond(from, datagram, buffer[:0]) {
		socket.WriteToUDPAddrPort(response, from)
	}
}

// scan is the README's scan.
func scan(ctx context.Context, targets iter.Seq[netip.AddrPort]) {
	var client sqpnet.Client
	for addr, result := range client.Scan(ctx, targets, sqp.ChunkServerInfo) {
		if result.Err == nil {
			fmt.Printf("%v %q %v\n", addr, result.ServerInfo.ServerName, result.RTT)
		}
	}
}

// printGames is the README's list.
func printGames(ctx context.Context, client *warzonenet.Client, lobby string) error {
	listing, err := client.List(ctx, lobby)
	for _, game := range listing.Games {
		fmt.Printf("%v %q, %d of %d players\n", game.JoinAddr(), game.Name, game.CurrentPlayers, game.MaxPlayers)
	}
	return err
}

func Example() {
	answer, err := sqp.QueryResponse{
		Version:    sqp.Version,
		ServerInfo: &sqp.ServerInfo{MaxPlayers: 16, ServerName: "Duel"},
	}.AppendBinary(nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := printInfo(answer); err != nil {
		fmt.Println(err)
	}
	// Output: "Duel": 0 of 16 players
}

// A server and a scan, over loopback.
func TestReadmeServer(t *testing.T) {
	socket, err := net.ListenUDP("udp", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	var server sqpnet.Server
	ended := make(chan error, 1)
	go func() { ended <- serve(&server, socket) }()
	scan(t.Context(), slices.Values([]netip.AddrPort{socket.LocalAddr().(*net.UDPAddr).AddrPort()}))
	if err := server.Shutdown(t.Context()); err != nil {
		t.Error(err)
	}
	if err := <-ended; !errors.Is(err, lobbywire.ErrClosed) {
		t.Error(err)
	}
	if got := server.Stats(); got.Sent != 2 {
		t.Errorf("%d answers to a scan, want a challenge and a query's", got.Sent)
	}
}

// The loop answers a request over the socket, and ignores junk.
func TestReadmeLoop(t *testing.T) {
	socket, err := net.ListenUDP("udp", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	defer socket.Close()
	self := socket.LocalAddr().(*net.UDPAddr).AddrPort()
	request, err := sqp.ChallengeRequest{}.AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	var server sqpnet.Server
	for _, datagram := range [][]byte{[]byte("junk"), request} {
		respond(&server, socket, self, datagram, nil)
	}
	if err := socket.SetReadDeadline(time.Now().Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	buffer := make([]byte, sqp.MaxDatagram)
	n, err := socket.Read(buffer)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := sqp.ParseChallengeResponse(buffer[:n]); err != nil {
		t.Error(err)
	}
}

// A lobby's list.
func Example_lobby() {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Println(err)
		return
	}
	lobby := &warzonenet.Lobby{Games: new(warzonegames.Games)}
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
	var client warzonenet.Client
	if err := printGames(context.Background(), &client, listener.Addr().String()); err != nil {
		fmt.Println(err)
	}
	// Output: 192.0.2.7:2100 "Duel", 1 of 2 players
}

// The README's Go code is the code above, so it compiles and runs.
func TestReadmeCode(t *testing.T) {
	source, err := os.ReadFile("readme_test.go")
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?s)```go\n(.*?)```").FindAllStringSubmatch(readme(t), -1)
	if len(blocks) == 0 {
		t.Fatal("README.md has no Go code")
	}
	for _, b := range blocks {
		if !strings.Contains(string(source), b[1]) {
			t.Errorf("README.md has code that readme_test.go does not:\n%s", b[1])
		}
	}
}

func readme(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
