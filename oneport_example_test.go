package lobbywire_test

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"net/netip"
	"sync"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
	"github.com/lobbywire/lobbywire/sqp"
	"github.com/lobbywire/lobbywire/sqp/sqpnet"
)

// A game is played and answers queries of two protocols on one socket.
type game struct {
	gamespy gamespy2net.Server
	queries sqpnet.Server

	mu      sync.Mutex
	players []lobbywire.Player
}

// changed describes the game to its servers.
func (g *game) changed() {
	view := lobbywire.View{Name: "Duel", Game: "duel", Map: "Harbor", Port: 7777, Max: new(8), Roster: g.players}
	g.gamespy.SetView(view)
	g.queries.SetView(view)
}

// other receives what is not of gamespy: queries of SQP, and the players, who send JOIN.
func (g *game) other(_ netip.Addr, from netip.AddrPort, b []byte, dst [][]byte) ([][]byte, bool) {
	if answers, ok := g.queries.Respond(from, b, dst); ok {
		return answers, true
	}
	name, joins := bytes.CutPrefix(b, []byte("JOIN "))
	if !joins {
		return dst, false
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.players = append(g.players, lobbywire.Player{Name: string(name)})
	g.changed()
	return append(dst, []byte("WELCOME")), true
}

// A game is at one port with its queries. A gamespy2net.Registration with this Server, and with this
// socket as its Conn, registers it from there, too.
func Example_onePort() {
	socket, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		fmt.Println(err)
		return
	}
	var duel game
	duel.gamespy.Other = duel.other
	duel.changed()
	go duel.gamespy.Serve(socket)
	defer duel.gamespy.Close()

	addr := socket.LocalAddr().String()
	player, err := net.Dial("udp", addr)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer player.Close()
	fmt.Fprint(player, "JOIN Ada")
	welcome := make([]byte, 16)
	n, err := player.Read(welcome)
	fmt.Printf("%s %v\n", welcome[:n], err)

	ctx := context.Background()
	spy, err := new(gamespy2net.Client).Query(ctx, addr)
	fmt.Println(len(spy.View().Roster), err)
	unity, err := new(sqpnet.Client).Query(ctx, addr, sqp.ChunkServerInfo)
	fmt.Println(unity.Message.ServerInfo.CurrentPlayers, err)
	// Output:
	// WELCOME <nil>
	// 1 <nil>
	// 1 <nil>
}
