package main_test

import (
	"context"
	"net"
	"net/netip"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent/gameagentnet"
	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
	"github.com/lobbywire/lobbywire/sqp"
	"github.com/lobbywire/lobbywire/sqp/sqpnet"
)

// answer answers queries for a game until ctx is done. It gets a view of the game first,
// and another one whenever something changes.
func answer(ctx context.Context, host string, gamePort int, views <-chan lobbywire.View) error {
	servers := []interface {
		SetView(view lobbywire.View) error
		Serve(socket net.PacketConn) error
		Close() error
	}{
		new(gameagentnet.Server), // at the port after the game's; GameSpy's first protocol too
		new(gamespy2net.Server),  // at any port, like the next
		new(sqpnet.Server),
	}
	for i, server := range servers {
		socket, err := net.ListenPacket("udp", net.JoinHostPort(host, strconv.Itoa(gamePort+1+i)))
		if err != nil {
			return err
		}
		go server.Serve(socket)
		defer server.Close()
	}
	for {
		select {
		case <-ctx.Done():
			return nil
		case view := <-views:
			for _, server := range servers {
				if err := server.SetView(view); err != nil {
					return err // such as a name that is too long
				}
			}
		}
	}
}

// describe is what players see.
func describe(players ...string) lobbywire.View {
	view := lobbywire.View{Name: "Duel", Game: "duel", Map: "Harbor", Mode: "ctf", Version: "1.2", Port: 25600,
		Max: new(8)}
	for _, name := range players {
		view.Roster = append(view.Roster, lobbywire.Player{Name: name, Score: new(0)})
	}
	return view
}

// A game with this code answers queries in all four protocols.
func TestAnswer(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	for {
		free, err := net.ListenPacket("udp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		first := free.LocalAddr().(*net.UDPAddr).AddrPort()
		free.Close()
		views, ended := make(chan lobbywire.View), make(chan error, 1)
		go func() { ended <- answer(ctx, "127.0.0.1", int(first.Port())-1, views) }()
		select {
		case err := <-ended:
			t.Logf("%v; trying other ports", err)
			continue
		case views <- describe("Ada", "Bob"):
		}
		views <- describe("Ada") // all servers have the former by now
		at := func(i uint16) string { return netip.AddrPortFrom(first.Addr(), first.Port()+i).String() }
		for i, query := range []func() (lobbywire.View, error){
			func() (lobbywire.View, error) {
				r, err := new(gameagentnet.Client).Status(ctx, at(0))
				return r.Message.View(), err
			},
			func() (lobbywire.View, error) {
				r, err := new(gameagentnet.Client).LegacyStatus(ctx, at(0))
				return r.Message.View(), err
			},
			func() (lobbywire.View, error) {
				r, err := new(gamespy2net.Client).Query(ctx, at(1))
				return r.View(), err
			},
			func() (lobbywire.View, error) {
				r, err := new(sqpnet.Client).Query(ctx, at(2), sqp.ChunkServerInfo)
				return r.View(), err
			},
		} {
			v, err := query()
			if players, places := v.Counts(); err != nil || v.Name != "Duel" || v.Map != "Harbor" || players == 0 ||
				places != 8 {
				t.Errorf("query %d: %+v, %v", i, v, err)
			}
		}
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		return
	}
}

// The Go code of README.md is the code above.
func TestReadmeCode(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile("embed_test.go")
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?s)```go\n(.*?)```").FindAllStringSubmatch(string(readme), -1)
	if len(blocks) != 1 || !strings.Contains(string(source), blocks[0][1]) || strings.Count(blocks[0][1], "\n") >= 60 {
		t.Errorf("code in README.md: %q", blocks)
	}
}
