package warzonenet_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/netip"
	"time"

	"github.com/lobbywire/lobbywire/warzone"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
	"github.com/lobbywire/lobbywire/warzone/warzonenet"
)

// A lobby with one game, added by its operator, and a client that lists it.
func ExampleLobby() {
	games := new(warzonegames.Games)
	lobby := &warzonenet.Lobby{Games: games, MOTD: "Welcome"}
	listener, err := net.Listen("tcp", "127.0.0.1:0") // its port is 9990
	if err != nil {
		fmt.Println(err)
		return
	}
	done := make(chan error, 1)
	go func() { done <- lobby.Serve(listener) }()

	_, err = games.Add(warzonegames.Entry{
		Key:  netip.MustParseAddrPort("192.0.2.1:2100"),
		Game: warzone.Game{Name: "The Game", MapName: "Rush", MaxPlayers: 4},
	})
	if err != nil {
		fmt.Println(err)
		return
	}

	c, err := net.Dial("tcp", listener.Addr().String())
	if err != nil {
		fmt.Println(err)
		return
	}
	defer c.Close()
	request, _ := warzone.ListRequest{}.AppendBinary(nil)
	if _, err := c.Write(request); err != nil {
		fmt.Println(err)
		return
	}
	b, err := io.ReadAll(c) // the lobby closes the connection
	if err != nil {
		fmt.Println(err)
		return
	}
	list, err := warzone.ParseListReply(b)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(list.Status.Text)
	for _, game := range list.Games {
		fmt.Println(game.JoinAddr(), game.Name, game.MapName)
	}

	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	fmt.Println(lobby.Shutdown(ctx), <-done)
	// Output:
	// Welcome
	// 192.0.2.1:2100 The Game Rush
	// <nil> lobbywire: closed
}

// Games without a connection expire unless their hosts send something.
func ExampleGames() {
	var games warzonegames.Games
	e, err := games.Add(warzonegames.Entry{
		Key:     netip.MustParseAddrPort("[2001:db8::1]:2100"),
		Source:  warzonegames.SourceJSON,
		Game:    warzone.Game{Name: "The Game", MaxPlayers: 4},
		Expires: time.Now().Add(time.Minute),
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	if _, err := games.Update(e.ID, func(e *warzonegames.Entry) {
		e.Game.Name, e.Expires = "Another Name", time.Now().Add(2*time.Minute)
	}); err != nil {
		fmt.Println(err)
		return
	}
	for e := range games.All() {
		fmt.Println(e.Key, e.Source, e.Game.Name)
	}
	fmt.Println(games.Remove(e.ID), games.Stats().Listed)
	// Output:
	// [2001:db8::1]:2100 json Another Name
	// true 0
}
