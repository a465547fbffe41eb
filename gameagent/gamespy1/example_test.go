package gamespy1_test

import (
	"fmt"
	"maps"
	"net/netip"

	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1"
)

// A client of a master proves that it has the key of its game.
func ExampleValidate() {
	greeting, err := gamespy1.ParseGreeting([]byte(`\basic\\secure\ABCDEF`))
	if err != nil {
		fmt.Println(err)
		return
	}
	request, err := gamespy1.ListRequest{
		GameName:    "serioussamse",
		Validate:    gamespy1.Validate(greeting.Secure, gamespy1.SeriousSamKey),
		QueryID:     "1.1",
		List:        "cmp",
		ListName:    "serioussamse",
		GameVersion: "1.05",
	}.AppendBinary(nil)
	fmt.Printf("%s %v\n", request, err)
	// Output:
	// \gamename\serioussamse\enctype\0\validate\zbGgINC8\final\\queryid\1.1\list\cmp\gamename\serioussamse\gamever\1.05\final\ <nil>
}

// A master checks that a client has the key of its game, and lists servers.
func ExampleParseToListPort() {
	greeting := gamespy1.Greeting{Secure: "ABCDEF"}
	received := []byte(`\gamename\serioussamse\enctype\0\validate\zbGgINC8\final\\queryid\1.1` +
		`\list\cmp\gamename\serioussamse\gamever\1.05\final\`)
	m, err := gamespy1.ParseToListPort(received)
	if err != nil {
		fmt.Println(err)
		return
	}
	request, ok := m.(gamespy1.ListRequest)
	if !ok || request.Validate != gamespy1.Validate(greeting.Secure, gamespy1.SeriousSamKey) {
		fmt.Println("not a client of Serious Sam")
		return
	}
	list := gamespy1.ServerList{Servers: []netip.AddrPort{netip.MustParseAddrPort("192.0.2.1:25601")}}
	answer, err := list.AppendBinary(nil)
	fmt.Printf("%s, %s: %q %v\n", request.List, request.ListName, answer, err)
	// Output: cmp, serioussamse: "\xc0\x00\x02\x01d\x01\\final\\" <nil>
}

// A server of Serious Sam answers both protocols at one port, from its own loop.
func Example_onePort() {
	respond := func(datagram []byte) (any, error) {
		if gameagent.IsToServer(datagram) {
			return gameagent.ParseToServer(datagram)
		}
		return gamespy1.ParseToServer(datagram)
	}
	for _, datagram := range []string{"\x02", `\status\`, `\echo\ABCDEF`, "x"} {
		m, err := respond([]byte(datagram))
		fmt.Printf("%T %v\n", m, err)
	}
	// Output:
	// gameagent.StatusRequest <nil>
	// gamespy1.Request <nil>
	// gamespy1.Echo <nil>
	// gamespy1.Unknown <nil>
}

// A program finds keys by their names on the wire, whether they have a field or not.
func ExampleStatus_Lookup() {
	datagram := []byte(`\gamename\ut\mapname\Deck16\mutators\None\player_0\Ann\frags_0\7\deaths_0\2\final\`)
	m, err := gamespy1.ParseStatus(datagram)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, key := range []string{"mapname", "mutators", "frags_0"} {
		value, _ := m.Lookup(key)
		fmt.Println(key, value)
	}
	fmt.Println(maps.Collect(m.Players[0].Pairs()))
	// Output:
	// mapname Deck16
	// mutators None
	// frags_0 7
	// map[deaths:2 frags:7 player:Ann]
}
