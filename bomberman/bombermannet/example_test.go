package bombermannet_test

import (
	"context"
	"fmt"
	"net"

	"github.com/lobbywire/lobbywire/bomberman"
	"github.com/lobbywire/lobbywire/bomberman/bombermannet"
)

// listen returns a listener at a free port. A management server is at port
// 51963.
func listen() net.Listener {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	return l
}

// A management server, a game server that is in its list, and a client.
func Example() {
	master := bombermannet.ManagementServer{HideUntilStats: true} // or it lists servers without players first
	l := listen()
	go master.Serve(l)
	defer master.Close()

	// The game server sends its state, again with each call of Set.
	registrar := bombermannet.Registrar{Addr: l.Addr().String()}
	if err := registrar.Set(bomberman.Server{
		Name: "Bömber", Address: "192.0.2.7", Port: 4000,
		Players:     bomberman.PlayerCount{Current: 1, Max: 4},
		IsLobbyOpen: true, GameplayMode: bomberman.GameplayModeStandardA,
	}); err != nil {
		fmt.Println(err)
		return
	}
	go registrar.Run(context.Background())
	defer registrar.Close()

	// By default, a client fetches the list every two seconds at most.
	client := bombermannet.Client{ListEvery: -1} // fetches the list on every call
	for {
		list, err := client.List(context.Background(), l.Addr().String())
		if err != nil {
			fmt.Println(err)
			return
		}
		if len(list.Servers) == 0 {
			continue // not registered yet
		}
		for _, s := range list.Servers {
			fmt.Printf("%q at %s, %d of %d\n", s.Name, s.Address, s.Players.Current, s.Players.Max)
		}
		return
	}
	// Output:
	// "Bömber" at 192.0.2.7, 1 of 4
}

// A game server rejects a player.
func ExampleGameConn() {
	l := listen()
	defer l.Close()
	go func() {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		player := bombermannet.GameConn{Conn: conn}
		for {
			m, err := player.Receive()
			if err != nil {
				break
			}
			if r, ok := m.(bomberman.RegisterPlayer); ok {
				player.Send(bomberman.RegisterPlayerResponse{Rejected: r.Name == "Eve"})
				break
			}
		}
		player.Shutdown(context.Background())
	}()

	conn, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		fmt.Println(err)
		return
	}
	game := bombermannet.GameConn{Conn: conn}
	defer game.Close()
	if err := game.Send(bomberman.RegisterPlayer{Name: "Eve"}); err != nil {
		fmt.Println(err)
		return
	}
	m, err := game.Receive()
	fmt.Printf("%+v %v\n", m, err)
	_, err = game.Receive()
	fmt.Println(err)
	// Output:
	// {Rejected:true AdaptedName: Envelope:{Extra:map[] EnvelopeExtra:map[]}} <nil>
	// EOF
}
