package lobbywire_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/netip"
	"slices"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/sqp/sqpnet"
	"github.com/lobbywire/lobbywire/warzone"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
	"github.com/lobbywire/lobbywire/warzone/warzonenet"
)

// startSources starts a lobby with a game, and a server of another protocol.
func startSources() (sources []lobbywire.Source, stop func(), err error) {
	lobby := &warzonenet.Lobby{Games: new(warzonegames.Games)}
	if _, err := lobby.Games.Add(warzonegames.Entry{
		Key: netip.MustParseAddrPort("192.0.2.1:2100"),
		Game: warzone.Game{
			Version: warzone.Version4, Name: "Rush", Size: warzone.SizeOfGame, CurrentPlayers: 1, MaxPlayers: 4,
		},
	}); err != nil {
		return nil, nil, err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, nil, err
	}
	socket, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		listener.Close()
		return nil, nil, err
	}
	duel := sqpServer()
	go lobby.Serve(listener)
	go duel.Serve(socket)
	target := socket.LocalAddr().(*net.UDPAddr).AddrPort()
	return []lobbywire.Source{
		{List: lobbywire.List{Lister: new(warzonenet.Client), Addr: listener.Addr().String()}},
		{Scanner: new(sqpnet.Client), Targets: slices.Values([]netip.AddrPort{target})},
	}, func() { lobby.Close(); duel.Close() }, nil
}

// A launcher shows the games of a lobby and a server of another protocol, and a row for
// each of them as soon as it is known.
func ExampleBrowser() {
	sources, stop, err := startSources()
	if err != nil {
		fmt.Println(err)
		return
	}
	defer stop()
	browser := lobbywire.Browser{
		Sources: sources,
		Ended: func(end lobbywire.SourceEnd) {
			fmt.Println("the list of", end.Protocol, "is complete:", end.Err == nil && !end.Partial)
		},
	}
	for row := range browser.Browse(context.Background()) {
		players, places := row.View.Counts()
		switch {
		case row.Err != nil:
			fmt.Println(row.Seen[0].Protocol, row.Err)
		default:
			fmt.Printf("%s: %q at %s, %d of %d\n", row.Seen[0].Protocol, row.View.Name, row.Join, players, places)
		}
	}
	// Unordered output:
	// warzone: "Rush" at 192.0.2.1:2100, 1 of 4
	// the list of warzone is complete: true
	// sqp: "Duel" at 127.0.0.1:7777, 3 of 8
}

// A launcher keeps a table up to date and sorts it by ping. Servers that have not answered come
// last, and so do games that nobody can ask, such as those of a lobby.
func ExampleBrowser_Watch() {
	sources, stop, err := startSources()
	if err != nil {
		fmt.Println(err)
		return
	}
	defer stop()
	byPing := func(a, b lobbywire.Row) int {
		switch {
		case a.Answer != nil && b.Answer != nil:
			return cmp.Compare(a.Answer.RTT, b.Answer.RTT)
		case a.Answer != nil:
			return -1
		case b.Answer != nil:
			return 1
		}
		return cmp.Compare(a.Number, b.Number)
	}
	browser := lobbywire.Browser{Sources: sources}
	table := make(map[int]lobbywire.Row)
	for row := range browser.Watch(context.Background()) {
		table[row.Number] = row
		if row.Gone {
			delete(table, row.Number)
		}
		if len(table) == 2 {
			break // a launcher shows the table here, and goes on
		}
	}
	for _, row := range slices.SortedFunc(maps.Values(table), byPing) {
		ping := "not asked"
		switch {
		case row.Answer != nil:
			ping = "answered" // in row.Answer.RTT
		case errors.Is(row.Err, lobbywire.ErrTimeout):
			ping = "silent"
		}
		fmt.Printf("%q %s\n", row.View.Name, ping)
	}
	// Output:
	// "Duel" answered
	// "Rush" not asked
}
