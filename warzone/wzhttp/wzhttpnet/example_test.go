package wzhttpnet_test

import (
	"context"
	"fmt"
	"log"
	"net"
	"net/http"
	"net/netip"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
	"github.com/lobbywire/lobbywire/warzone/warzonenet"
	"github.com/lobbywire/lobbywire/warzone/wzhttp"
	"github.com/lobbywire/lobbywire/warzone/wzhttp/wzhttpnet"
)

// A lobby for all versions of the game since 2.2: HTTP beside other pages, and the
// protocol of earlier versions on a port of its own.
func ExampleLobby() {
	games := new(warzonegames.Games)
	lobby := &wzhttpnet.Lobby{Games: games, MOTD: "Have fun"}
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

	client := wzhttpnet.Client{Earlier: new(warzonenet.Client)} // of every lobby
	for _, addr := range []string{"http://" + web.Addr().String() + "/lobby", tcp.Addr().String()} {
		list := client.ListViews(context.Background(), addr)
		fmt.Println(list.Protocol, len(list.Servers), list.Err)
	}
	// Output:
	// wzhttp 0 <nil>
	// warzone 0 <nil>
}

// A host announces its game.
func ExampleHost() {
	lobby := &wzhttpnet.Lobby{MOTD: "Have fun"}
	web, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	server := lobby.Server(nil)
	go server.Serve(web)
	defer lobby.Close()
	defer server.Close()

	port, err := net.Listen("tcp", "127.0.0.1:0") // of the game
	if err != nil {
		log.Fatal(err)
	}
	status := make(chan lobbywire.RegistrationStatus, 2)
	host := &wzhttpnet.Host{
		Addr:    "http://" + web.Addr().String(),
		Port:    port.Addr().(*net.TCPAddr).AddrPort().Port(),
		NoIPv6:  true,
		Changed: func(s lobbywire.RegistrationStatus) { status <- s },
	}
	if err := host.Set(wzhttp.Room{
		Name: "Chess", Host: wzhttp.Player{Name: "Anna"}, Map: wzhttp.Map{Name: "Sk-Rush"},
		Players: wzhttp.Seats{Max: 4},
	}); err != nil {
		log.Fatal(err)
	}
	go host.ServeAlive(port) // a game that listens itself calls RespondAlive
	go host.Run(context.Background())
	defer host.Close()

	fmt.Println(<-status) // once the lobby has reached the game
	// Output: listed
}

// A player chooses a game from the list, and gets its address and a token.
func ExampleClient_Join() {
	lobby := &wzhttpnet.Lobby{Games: new(warzonegames.Games)}
	web, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	server := lobby.Server(nil)
	go server.Serve(web)
	defer lobby.Close()
	defer server.Close()
	if _, err := lobby.Games.Add(warzonegames.Entry{
		Key:    netip.MustParseAddrPort("192.0.2.7:2100"),
		Source: warzonegames.SourceHTTP,
		Game:   wzhttpnet.GameOf(wzhttp.Room{Version: "4.7.0", Name: "Chess"}),
	}); err != nil {
		log.Fatal(err)
	}

	ctx, url := context.Background(), "http://"+web.Addr().String()
	var client wzhttpnet.Client
	list, err := client.List(ctx, url)
	if err != nil {
		log.Fatal(err)
	}
	targets, err := client.Join(ctx, url, list.Games[0].ID, wzhttp.JoinRequest{})
	if err != nil {
		log.Fatal(err)
	}
	for _, t := range targets {
		fmt.Println(t.Type, t.Host, t.Port, t.Token != "")
	}
	// Output: tcp:ip4 192.0.2.7 2100 true
}
