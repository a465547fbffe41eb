package main_test

import (
	"context"
	"log"
	"net"
	"net/netip"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent/gameagentnet"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1/gamespy1net"
	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
	"github.com/lobbywire/lobbywire/sqp"
	"github.com/lobbywire/lobbywire/sqp/sqpnet"
)

// answer answers queries for a game until ctx is done. It receives a view of the game
// first, and a new one whenever something changes.
func answer(ctx context.Context, host string, gamePort int, views <-chan lobbywire.View) error {
	servers := []interface {
		SetView(view lobbywire.View) (changed []string)
		Serve(socket net.PacketConn) error
		Close() error
	}{
		new(gameagentnet.Server), // at the port after the game's; its Other can share that
		new(gamespy1net.Server),  // with this one
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
				if changed := server.SetView(view); changed != nil {
					log.Printf("%T has changed %q to report it", server, changed)
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

// A game with this code answers queries in all four protocols, whatever the names and
// number of its players.
func TestAnswersAllProtocols(t *testing.T) {
	log.SetOutput(t.Output())
	defer log.SetOutput(os.Stderr)
	crowd := make([]string, 300)
	for i := range crowd {
		crowd[i] = strings.Repeat("é", 200)
	}
	impossible := describe("Ada")
	impossible.Name, impossible.Map = strings.Repeat("\xff", 1000), "a\x00b\\c;d"
	impossible.Players, impossible.Max = new(41), new(-1)
	for _, tt := range []struct {
		name        string
		view        lobbywire.View
		wantPlayers int
		wantPlaces  int
	}{
		{"usual", describe("Ada", "Bob"), 2, 8},
		{"hostile names", describe("x\xffy", strings.Repeat("é", 1000), "a\x00b", "a\x03b", `a\b`, ""), 6, 8},
		{"300 players", describe(crowd...), 300, 8},
		{"impossible", impossible, 41, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			queries, views, stop := answering(t)
			views <- tt.view
			views <- tt.view // all servers have the former by now
			for i, query := range queries {
				v, err := query()
				players, places := v.Counts()
				if err != nil || v.Name == "" || v.Map == "" || players != tt.wantPlayers || places != tt.wantPlaces {
					t.Errorf("query %d: %+v, %v", i, v, err)
				}
			}
			if err := stop(); err != nil {
				t.Error(err)
			}
		})
	}
}

// answering runs answer on ports that are free. It returns a query in each protocol.
func answering(t *testing.T) (queries []func() (lobbywire.View, error), views chan lobbywire.View, stop func() error) {
	t.Helper()
	for {
		free, err := net.ListenPacket("udp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		first := free.LocalAddr().(*net.UDPAddr).AddrPort()
		free.Close()
		ctx, cancel := context.WithCancel(t.Context())
		views, ended := make(chan lobbywire.View), make(chan error, 1)
		go func() { ended <- answer(ctx, "127.0.0.1", int(first.Port())-1, views) }()
		select {
		case err := <-ended:
			cancel()
			t.Logf("%v; trying other ports", err)
			continue
		case views <- describe("Ada"):
		}
		at := func(i uint16) string { return netip.AddrPortFrom(first.Addr(), first.Port()+i).String() }
		queries := []func() (lobbywire.View, error){
			func() (lobbywire.View, error) {
				r, err := new(gameagentnet.Client).Status(ctx, at(0))
				return r.Message.View(), err
			},
			func() (lobbywire.View, error) {
				r, err := new(gamespy1net.Client).Status(ctx, at(1))
				return r.Message.View(), err
			},
			func() (lobbywire.View, error) {
				r, err := new(gamespy2net.Client).Query(ctx, at(2))
				return r.View(), err
			},
			func() (lobbywire.View, error) {
				r, err := new(sqpnet.Client).Query(ctx, at(3), sqp.ChunkServerInfo|sqp.ChunkPlayerInfo)
				return r.Message.View(), err
			},
		}
		stop := func() error {
			cancel()
			return <-ended
		}
		return queries, views, stop
	}
}

// The Go code of README.md is the code above.
func TestReadmeShowsTheCode(t *testing.T) {
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
