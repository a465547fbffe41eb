package warzonenet_test

import (
	"context"
	"fmt"
	"log"
	"net"
	"net/http"

	"github.com/lobbywire/lobbywire/warzone/warzonenet"
	"github.com/lobbywire/lobbywire/warzone/wzhttp"
)

// A lobby for all versions of the game since 2.2: HTTP beside other pages, and the
// protocol of earlier versions on a port of its own.
func ExampleHTTPLobby() {
	games := new(warzonenet.Games)
	lobby := &warzonenet.HTTPLobby{Games: games, MOTD: "Have fun"}
	earlier := &warzonenet.Lobby{Games: games, MOTD: "Have fun"}

	mux := http.NewServeMux()
	mux.Handle("/lobby/", lobby) // players set lobbyserver=http://HOST/lobby
	server := lobby.Server(mux)

	web, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	tcp, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go server.Serve(lobby.Limit(web))
	go earlier.Serve(tcp)
	defer lobby.Close()
	defer server.Close()
	defer earlier.Close()

	var client warzonenet.Client
	for _, addr := range []string{"http://" + web.Addr().String() + "/lobby", tcp.Addr().String()} {
		list, err := client.List(context.Background(), addr)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(len(list.Games), "games.", list.Status.Text)
	}
	// Output:
	// 0 games. Have fun
	// 0 games. Have fun
}

// A host announces its game, and a player gets its address and a token.
func ExampleHTTPHost() {
	lobby := new(warzonenet.HTTPLobby)
	web, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	server := lobby.Server(nil)
	go server.Serve(web)
	defer lobby.Close()
	defer server.Close()
	url := "http://" + web.Addr().String()

	port, err := net.Listen("tcp", "127.0.0.1:0") // of the game
	if err != nil {
		log.Fatal(err)
	}
	published := make(chan string, 16)
	host := &warzonenet.HTTPHost{
		Addr:   url,
		Port:   port.Addr().(*net.TCPAddr).AddrPort().Port(),
		NoIPv6: true,
		Changed: func(s warzonenet.HTTPHostState) {
			if s.Published {
				published <- s.GameID
			}
		},
	}
	if err := host.Set(wzhttp.Room{
		Name: "Chess", Host: wzhttp.Player{Name: "Anna"}, Map: wzhttp.Map{Name: "Sk-Rush"}, Players: wzhttp.Seats{Max: 4},
	}); err != nil {
		log.Fatal(err)
	}
	go host.ServeAlive(port) // a game that listens itself calls RespondAlive
	go host.Run(context.Background())
	defer host.Close()
	id := <-published

	var client warzonenet.Client
	targets, err := client.Join(context.Background(), url, id, wzhttp.JoinRequest{})
	if err != nil {
		log.Fatal(err)
	}
	for _, t := range targets {
		fmt.Println(t.Type, t.Host, t.Port == host.Port, t.Token != "")
	}
	// Output:
	// tcp:ip4 127.0.0.1 true true
}
