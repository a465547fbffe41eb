package lobbywire_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/sqp"
	"github.com/lobbywire/lobbywire/sqp/sqpnet"
	"github.com/lobbywire/lobbywire/warzone"
	"github.com/lobbywire/lobbywire/warzone/warzonenet"
)

// printInfo is the README's decoding example.
func printInfo(datagram []byte) error {
	answer, err := sqp.ParseQueryResponse(datagram, sqp.ChunkServerInfo)
	if err != nil {
		return err // as "sqp: serverInfo.map at byte 81: truncated"
	}
	info := answer.ServerInfo
	fmt.Printf("%q: %d of %d players\n", info.ServerName, info.CurrentPlayers, info.MaxPlayers)
	return nil
}

// serve is the README's server.
func serve(server *sqpnet.Server, socket net.PacketConn) error {
	if err := server.Set(sqpnet.State{
		ServerInfo: sqp.ServerInfo{ServerName: "Duel", Map: "Harbor", MaxPlayers: 16, Port: 7777},
	}); err != nil {
		return err // as "sqp: serverInfo.serverName: limit exceeded"
	}
	return server.Serve(socket) // until server.Shutdown(ctx)
}

// frame is the README's server in a loop of its own: what it does with a
// datagram.
func frame(server *sqpnet.Server, socket *net.UDPConn, from netip.AddrPort, datagram []byte, answers [][]byte) (err error) {
	answers = server.Respond(from, datagram, answers[:0])
	for _, answer := range answers {
		_, err = socket.WriteToUDPAddrPort(answer, from)
	}
	return err
}

// scanAll is the README's scanning example.
func scanAll(ctx context.Context, targets iter.Seq[netip.AddrPort]) {
	var client sqpnet.Client
	for addr, result := range client.Scan(ctx, targets, sqp.ChunkServerInfo) {
		if result.Err != nil {
			continue // no answer in time
		}
		fmt.Printf("%v %q %v\n", addr, result.ServerInfo.ServerName, result.RTT)
	}
}

// printGames is the README's listing example.
func printGames(ctx context.Context, client *warzonenet.Client, lobby string) error {
	listing, err := client.List(ctx, lobby)
	if err != nil {
		return err
	}
	for _, game := range listing.Games {
		fmt.Printf("%v %q, %d of %d players\n", game.JoinAddr(), game.Name, game.CurrentPlayers, game.MaxPlayers)
	}
	return nil
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
	scanAll(t.Context(), slices.Values([]netip.AddrPort{socket.LocalAddr().(*net.UDPAddr).AddrPort()}))
	if got := server.Stats(); got.Sent != 2 {
		t.Errorf("%d answers to a scan, want a challenge and a query's", got.Sent)
	}
	if err := server.Shutdown(t.Context()); err != nil {
		t.Error(err)
	}
	if err := <-ended; !errors.Is(err, lobbywire.ErrClosed) {
		t.Error(err)
	}
}

// A request in a loop of one's own is answered over the socket, junk is not.
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
	buffer := make([]byte, sqp.MaxDatagram)
	for _, datagram := range [][]byte{[]byte("junk"), request} {
		if err := frame(&server, socket, self, datagram, nil); err != nil {
			t.Fatal(err)
		}
	}
	if err := socket.SetReadDeadline(time.Now().Add(5 * time.Second)); err != nil {
		t.Fatal(err)
	}
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
	lobby := &warzonenet.Lobby{Games: new(warzonenet.Games)}
	go lobby.Serve(listener)
	defer lobby.Close()
	if _, err := lobby.Games.Add(warzonenet.Entry{
		Key:  netip.MustParseAddrPort("192.0.2.7:2100"),
		Game: warzone.Game{Version: warzone.Version4, Name: "Duel", Size: warzone.SizeOfGame, MaxPlayers: 2, CurrentPlayers: 1},
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
	source := dedented(t, "readme_test.go")
	blocks := regexp.MustCompile("(?s)```go\n(.*?)```").FindAllStringSubmatch(readme(t), -1)
	if len(blocks) == 0 {
		t.Fatal("README.md has no Go code")
	}
	for _, b := range blocks {
		code := regexp.MustCompile(`(?m)^\t*`).ReplaceAllString(b[1], "")
		if !strings.Contains(source, code) {
			t.Errorf("README.md has code that readme_test.go does not:\n%s", b[1])
		}
	}
}

// The files that the README's commands and links name exist.
func TestReadmePaths(t *testing.T) {
	text := readme(t)
	for _, p := range regexp.MustCompile(`\.\./\S+\.hex`).FindAllString(text, -1) {
		if _, err := os.Stat(strings.TrimPrefix(p, "../")); err != nil {
			t.Error(err)
		}
	}
	for _, m := range regexp.MustCompile(`\]\(([^):]+)\)`).FindAllStringSubmatch(text, -1) {
		if _, err := os.Stat(filepath.FromSlash(m[1])); err != nil {
			t.Error(err)
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

// dedented returns a file without leading tabs.
func dedented(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return regexp.MustCompile(`(?m)^\t*`).ReplaceAllString(string(text), "")
}
