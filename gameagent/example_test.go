package gameagent_test

import (
	"errors"
	"fmt"
	"net/netip"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent"
)

// A client parses the status of a server.
func ExampleParseStatus() {
	answer := []byte("0;players;8;maxplayers;16;level;Yodeller;gametype;Fragmatch;" +
		"version;1.10;gamename;serioussamse;sessionname;Sam; Serious")
	m, err := gameagent.ParseStatus(answer)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%q on %q: %d of %d players\n", m.SessionName, m.Level, *m.Players, *m.MaxPlayers)
	// Output: "Sam; Serious" on "Yodeller": 8 of 16 players
}

// A client joins the packets of a master's list and derives the address for
// queries from that of each game.
func ExampleListAssembler() {
	var a gameagent.ListAssembler
	for _, packet := range []string{
		"s\xc0\x00\x02\x01\x00\x64\xc0\x00\x02\x02\x00\x64",
		"s\xc6\x33\x64\x07\x64\x64",
	} {
		if _, err := a.Add([]byte(packet)); err != nil {
			fmt.Println(err)
			return
		}
	}
	list, err := a.ServerList()
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, game := range list.Servers {
		query, err := gameagent.QueryAddr(game)
		fmt.Println(game, query, err)
	}
	// Output:
	// 192.0.2.1:25600 192.0.2.1:25601 <nil>
	// 192.0.2.2:25600 192.0.2.2:25601 <nil>
	// 198.51.100.7:25700 198.51.100.7:25701 <nil>
}

// A game server answers datagrams from its own loop.
func ExampleParseToServer() {
	players := gameagent.Players{Count: 1, Players: []gameagent.Player{
		{Index: 0, Name: gameagent.WireName("Sam"), Frags: new(int32(14)), Ping: new(80)},
	}}
	respond := func(request, buf []byte) ([]byte, error) {
		req, err := gameagent.ParseToServer(request)
		if err != nil {
			return nil, err
		}
		switch req := req.(type) {
		case gameagent.Challenge: // goes to the master, wherever it came from
			return gameagent.Heartbeat{Challenge: req.Challenge, Players: new(1), MaxPlayers: new(16),
				Level: "Yodeller", Version: "1.10", Product: "serioussamse"}.AppendBinary(buf)
		case gameagent.PlayersRequest:
			return players.AppendBinary(buf)
		case gameagent.PingRequest:
			return gameagent.Ping{Players: 1}.AppendBinary(buf)
		}
		return nil, nil
	}
	for _, request := range []string{"\x01\x03\xd3\xe5\x33", "\x03", "\x04", "?"} {
		answer, err := respond([]byte(request), nil)
		fmt.Printf("%q %v\n", answer, err)
	}
	// Output:
	// "0;challenge;870699779;players;1;maxplayers;16;level;Yodeller;gametype;;version;1.10;product;serioussamse" <nil>
	// "\x01players\x021\x03player_0\x02^oSam^r\x03frags_0\x0214\x03ping_0\x0280\x03\x04" <nil>
	// "\x041" <nil>
	// "" <nil>
}

// A master parses datagrams from servers and clients.
func ExampleParseToMaster() {
	for _, datagram := range []string{"q", "0;challenge;5;players;0", "e", "zfoo", ""} {
		m, err := gameagent.ParseToMaster([]byte(datagram))
		fmt.Printf("%T %v\n", m, err)
	}
	// Output:
	// gameagent.Join <nil>
	// gameagent.Heartbeat <nil>
	// gameagent.ListRequest <nil>
	// gameagent.Unknown <nil>
	// <nil> gameagent: type at byte 0: truncated
}

// Appending fails if a value does not fit the wire form.
func ExampleStatus_AppendBinary() {
	_, err := gameagent.Status{Level: "Sand;storm"}.AppendBinary(nil)
	fmt.Println(err, errors.Is(err, lobbywire.ErrInvalid))
	// Output: gameagent: level: invalid value: contains a zero byte or the delimiter ; true
}

// A master sends a long list as several packets.
func ExampleServerList_Packets() {
	var list gameagent.ServerList
	for i := range 172 {
		addr := netip.AddrFrom4([4]byte{127, 0, 1, byte(i)})
		list.Servers = append(list.Servers, netip.AddrPortFrom(addr, gameagent.GamePort))
	}
	packets, err := list.Packets()
	for _, p := range packets {
		fmt.Println(len(p), "bytes")
	}
	fmt.Println(err)
	// Output:
	// 1021 bytes
	// 13 bytes
	// <nil>
}

// The packets of a long list of players may arrive in any order.
func ExampleAssembler() {
	first := []byte("\x01players\x022\x03player_0\x02^oSam^r\x03frags_0\x023\x03ping_0\x0220\x03")
	last := []byte("player_1\x02^oNetricsa^r\x03frags_1\x02-1\x03ping_1\x0230\x03\x04")
	var a gameagent.Assembler
	for _, b := range [][]byte{last, first} {
		done, err := a.Add(b)
		fmt.Println(done, err)
	}
	m, err := a.Players()
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, p := range m.Players {
		fmt.Println(p.Index, gameagent.PlainName(p.Name), *p.Frags)
	}
	// Output:
	// false <nil>
	// true <nil>
	// 0 Sam 3
	// 1 Netricsa -1
}

// Explain shows the meaning of each byte, and the position of an error.
func ExampleExplain() {
	packet := []byte("s\x7f\x00\x00\x01\x00\x64\x7f")
	fmt.Print(gameagent.Explain[gameagent.ServerList](packet).Annotate(packet))
	// Output:
	// 73                                              # 0+1 type = 115
	// 7f 00 00 01                                     # 1+4 servers[0].addr = 127.0.0.1
	// 00 64                                           # 5+2 servers[0].port = 25600
	// 7f                                              # 7+1 ignored = 7f
}
