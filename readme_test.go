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

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/sqp"
	"github.com/lobbywire/lobbywire/sqp/sqpnet"
)

// serve is the README's server.
func serve(server *sqpnet.Server, socket net.PacketConn) error {
	info := sqp.ServerInfo{ServerName: "Duel", Map: "Harbor", MaxPlayers: 16, Port: 7777}
	if err := server.Set(sqpnet.State{ServerInfo: info}); err != nil {
		return err // such as "sqp: serverInfo.serverName: limit exceeded: 700, at most 255"
	}
	return server.Serve(socket) // until server.Shutdown(ctx)
}

// scan is the README's scan.
func scan(ctx context.Context, targets iter.Seq[netip.AddrPort]) {
	var client sqpnet.Client
	for addr, result := range client.Scan(ctx, targets, sqp.ChunkServerInfo) {
		if result.Err == nil {
			fmt.Printf("%v %q %v\n", addr, result.Message.ServerInfo.ServerName, result.RTT)
		}
	}
}

// A server and a scan, over loopback.
func TestReadmeServerAnswersTheScan(t *testing.T) {
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

// The README's Go code is the code above, so it compiles and runs.
func TestReadmeCodeIsTested(t *testing.T) {
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
