package lobbywire_test

import (
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
