package wzjson_test

import (
	"bufio"
	"fmt"
	"net/netip"
	"strings"

	"github.com/lobbywire/lobbywire/warzone/wzjson"
)

// A host announces its game and changes the map.
func ExampleAppendMessage() {
	tropical := "Sk-Tropical"
	for _, m := range []wzjson.Message{
		wzjson.Add{Name: "Banana Game :-)", Map: "Sk-Rush", Tech: wzjson.TechT1, MaxPlayers: 4},
		wzjson.Update{ID: "5f0c", Fields: wzjson.Fields{Map: &tropical}},
	} {
		b, err := wzjson.AppendMessage(nil, m)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Print(string(b))
	}
	// Output:
	// {"lobbyquery":{"version":1,"query":{"command":"add","name":"Banana Game :-)","map":"Sk-Rush","tech":"T1","players":4}}}
	// {"lobbyquery":{"version":1,"query":{"command":"update","id":"5f0c","map":"Sk-Tropical"}}}
}

// A lobby reads what a connection sends.
func ExampleFramer_Split() {
	connection := strings.NewReader(
		`{"lobbyquery": {"version": 1, "query": {"command": "list", "filter": [{"tech": "T1"}]}}}
		{"lobbyquery": {"version": 1, "query": {"command": "heartbeat"}}}
		{"lobbyquery": {"version": 1, "query": {"command": "launch"}}}`)
	game := wzjson.Add{Name: "Duel", Map: "Sk-Rush", Tech: wzjson.TechT1, MaxPlayers: 2}.Game()
	game.Host = netip.MustParseAddr("192.0.2.7")

	sc := bufio.NewScanner(connection)
	sc.Buffer(nil, wzjson.MaxFrame)
	sc.Split(new(wzjson.Framer).Split)
	for sc.Scan() {
		m, err := wzjson.ParseMessage(sc.Bytes())
		switch m := m.(type) {
		case nil:
			fmt.Println("refused:", err)
		case wzjson.List:
			var answer wzjson.ListAck
			if m.Match(game) {
				answer.Games = append(answer.Games, game)
			}
			b, err := wzjson.AppendMessage(nil, answer)
			fmt.Print(string(b), err, "\n")
		default:
			fmt.Printf("%T\n", m)
		}
	}
	if err := sc.Err(); err != nil {
		fmt.Println("closed:", err)
	}
	// Output:
	// {"lobbyquery":{"version":1,"query":{"command":"list-ack","games":[{"host":"192.0.2.7","name":"Duel","map":"Sk-Rush","tech":"T1","players":2}]}}}
	// <nil>
	// refused: wzjson: lobbyquery.query.id at byte 62: invalid value: missing
	// wzjson.Unknown
}

// A lobby applies an update: fields that are not there stay as they are.
func ExampleFields_Apply() {
	game := wzjson.Game{Name: "Duel", Map: "Sk-Rush", Tech: wzjson.TechT1, MaxPlayers: 2}
	m, err := wzjson.ParseUpdate([]byte(`{"lobbyquery":{"version":1,"query":{"command":"update","id":"5f0c",` +
		`"tech":"T3"}}}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	game = m.Fields.Apply(game)
	fmt.Println(game.Name, game.Map, game.Tech, game.MaxPlayers)
	// Output: Duel Sk-Rush T3 2
}

// Explain shows what each byte means and where a message breaks.
func ExampleExplainMessage() {
	b := []byte(`{"lobbyquery":{"version":1,"query":{"command":"heartbeat","id":7}}}`)
	fmt.Print(wzjson.ExplainMessage(b).Annotate(b))
	// Output:
	// 7b 22 6c 6f 62 62 79 71 75 65 72 79 22 3a 7b 22 # 0+25 json = "{\"lobbyquery\":{\"version\":"
	// 76 65 72 73 69 6f 6e 22 3a
	// 31                                              # 25+1 lobbyquery.version = 1
	// 2c 22 71 75 65 72 79 22 3a 7b 22 63 6f 6d 6d 61 # 26+20 json = ",\"query\":{\"command\":"
	// 6e 64 22 3a
	// 22 68 65 61 72 74 62 65 61 74 22                # 46+11 lobbyquery.query.command = "heartbeat"
	// 2c 22 69 64 22 3a                               # 57+6 json = ",\"id\":"
	// 37 7d 7d 7d                                     # 63+4 lobbyquery.query.id
	// # wzjson: lobbyquery.query.id at byte 63: invalid value: is not a string
}
