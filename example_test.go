package lobbywire_test

import (
	"encoding/json"
	"fmt"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/sqp"
)

// A rule's value keeps its type, and the name, which is not UTF-8, keeps its
// bytes.
func ExampleMarshalJSON() {
	answer := sqp.QueryResponse{
		Token:      7,
		Version:    1,
		ServerInfo: &sqp.ServerInfo{CurrentPlayers: 3, MaxPlayers: 8, ServerName: "M\xfcnchen"},
		ServerRules: []sqp.Rule{
			{Key: "mode", Value: sqp.String("ctf")},
			{Key: "limit", Value: sqp.Uint16(20)},
		},
	}
	text, err := lobbywire.MarshalJSON(answer)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(string(text))
	// Output:
	// {"token":7,"version":1,"serverInfo":{"currentPlayers":3,"maxPlayers":8,"serverName":"München","gameType":"","buildId":"","map":"","port":0},"serverRules":[{"key":"mode","type":"string","value":"ctf"},{"key":"limit","type":"uint16","value":20}],"latin1":["/serverInfo/serverName"]}
}

// The packet holds the same bytes as the message that the JSON came from.
func ExampleUnmarshalJSON() {
	text := []byte(`{"token":7,"version":1,"serverRules":[{"key":"limit","type":"uint16","value":20}]}`)
	var answer sqp.QueryResponse
	if err := lobbywire.UnmarshalJSON(text, &answer); err != nil {
		fmt.Println(err)
		return
	}
	packet, err := answer.AppendBinary(nil)
	fmt.Printf("%x %v\n", packet, err)
	// Output:
	// 010000000700010000000d00000009056c696d6974010014 <nil>
}

// The server has not told how many bots play, and says that nobody needs a
// password. It answers queries at another port than that of the game.
func ExampleView() {
	v := lobbywire.View{Name: "Duel", Map: "Rush", Port: 7777, Players: new(0), Max: new(8), Password: new(false)}
	if v.Bots == nil {
		fmt.Println("bots: unknown")
	}
	fmt.Println("join", v.Address("192.0.2.1"))
	text, err := json.Marshal(v)
	fmt.Println(string(text), err)
	// Output:
	// bots: unknown
	// join 192.0.2.1:7777
	// {"name":"Duel","map":"Rush","port":7777,"players":0,"max":8,"password":false} <nil>
}
