package gamespy2net_test

import (
	"context"
	"fmt"
	"net"

	"github.com/lobbywire/lobbywire/gamespy2"
	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
	"github.com/lobbywire/lobbywire/gamespy2/sb2"
)

// A launcher fetches the list of a master and queries its servers. The list has the
// names of the servers too.
func ExampleClient_List() {
	master, stop, err := serveMaster()
	if err != nil {
		fmt.Println(err)
		return
	}
	defer stop()

	var client gamespy2net.Client
	query := gamespy2net.ListQuery{
		Game: "gmtest", Key: "HA6zkS",
		Fields: sb2.MakeFieldList("hostname"), Options: sb2.OptionAllFields,
	}
	listing, err := client.List(context.Background(), master, query)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, view := range listing.Views() {
		fmt.Println(view.Name, "is listed")
	}
	targets, _ := listing.Targets(context.Background())
	for _, result := range client.Scan(context.Background(), targets) {
		fmt.Println(result.View().Name, "answers:", len(result.Message.Players.Rows), "players", result.Err)
	}
	// Output:
	// Duel is listed
	// Duel answers: 2 players <nil>
}

// serveMaster starts a master on free ports, with one server in its list. It returns
// its address for clients.
func serveMaster() (addr string, stop func(), err error) {
	listed := make(chan struct{})
	master := &gamespy2net.Master{
		Games: []gamespy2net.Game{{Name: "gmtest", Key: "HA6zkS"}},
		Admit: func(gamespy2net.Entry) bool { // the only server
			close(listed)
			return true
		},
	}
	heartbeats, err := net.ListenPacket("udp4", "127.0.0.1:0") // usually port 27900
	if err != nil {
		return "", nil, err
	}
	lists, err := net.Listen("tcp", "127.0.0.1:0") // usually port 28910
	if err != nil {
		return "", nil, err
	}
	go master.Serve(heartbeats)
	go master.ServeLists(lists)

	queries, err := net.ListenPacket("udp4", "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	server := new(gamespy2net.Server)
	go server.Serve(queries)
	registration := gamespy2net.Registration{
		Server: server, Conn: queries,
		Addr: heartbeats.LocalAddr().String(), Game: "gmtest", Key: "HA6zkS",
	}
	err = registration.Set(gamespy2net.State{
		Info: []gamespy2.KeyValue{{Key: "hostname", Value: "Duel"}, {Key: "numplayers", Value: "2"}},
		Players: gamespy2.Table{
			Columns: []string{"player_", "score_"},
			Rows:    [][]string{{"Ada", "7"}, {"Grace", "9"}},
		},
	})
	if err != nil {
		return "", nil, err
	}
	go registration.Run(context.Background())
	<-listed
	return lists.Addr().String(), func() { server.Close(); master.Close() }, nil
}
