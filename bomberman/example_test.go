package bomberman_test

import (
	"bufio"
	"fmt"
	"strings"

	"github.com/lobbywire/lobbywire/bomberman"
)

// A game server registers and reports how full it is.
func ExampleAppendMessage() {
	var stream []byte
	for _, m := range []bomberman.Message{
		bomberman.RegisterGameServer{ServerName: "Bösewicht", ServerAddress: "192.0.2.7", ServerPort: 20000},
		bomberman.UpdateGameServerStats{
			Players:      bomberman.PlayerCount{Current: 1, Max: 4},
			IsLobbyOpen:  true,
			GameplayMode: bomberman.GameplayModeStandardA,
		},
	} {
		var err error
		stream, err = bomberman.AppendMessage(stream, m)
		if err != nil {
			fmt.Println(err)
			return
		}
	}
	fmt.Print(string(stream))
	// Output:
	// 120{"command":"msRegisterGameServer","content":{"serverName":"Bösewicht","serverAddress":"192.0.2.7","serverPort":20000}}
	// 118{"command":"msUpdateGameServerStats","content":{"players":{"current":1,"max":4},"isLobbyOpen":true,"gameplayMode":1}}
}

// A management server reads the messages of a connection. It drops an invalid
// message and keeps the connection.
func ExampleFramer_Split() {
	connection := strings.NewReader("33{\"command\":\"msQueryGameServers\"}\n" +
		"48{\"command\":\"msRegisterGameServer\",\"content\":{}}\n" +
		"37{\"command\":\"msUnregisterGameServer\"}\n" +
		"30{\"command\":\"gsBuyIngredient\"}\n")
	sc := bufio.NewScanner(connection)
	sc.Buffer(nil, bomberman.MaxFrame)
	sc.Split(new(bomberman.Framer).Split)
	for sc.Scan() {
		m, err := bomberman.ParseMessage(sc.Bytes())
		switch m := m.(type) {
		case nil:
			fmt.Println("dropped:", err)
		case bomberman.QueryGameServers:
			answer, err := bomberman.AppendMessage(nil, bomberman.QueryGameServersResponse{})
			fmt.Printf("answered: %q %v\n", answer, err)
		case bomberman.Unknown:
			fmt.Println("ignored:", m.Command)
		default:
			fmt.Printf("%T\n", m)
		}
	}
	if err := sc.Err(); err != nil {
		fmt.Println("closed:", err)
	}
	// Output:
	// answered: "59{\"command\":\"msRQueryGameServers\",\"content\":{\"servers\":[]}}\n" <nil>
	// dropped: bomberman: content.serverName at byte 45: invalid value: missing
	// bomberman.UnregisterGameServer
	// ignored: gsBuyIngredient
}

// A client reads a list. Servers that break the rules are kept; Check finds them.
func ExampleParseQueryGameServersResponse() {
	m, err := bomberman.ParseQueryGameServersResponse([]byte(`{"command":"msRQueryGameServers","content":{"servers":[
		{"name":"Feuerland","address":"192.0.2.10","port":20000,"players":{"current":"1","max":4},"isLobbyOpen":true,"gameplayMode":1},
		{"name":"Odd","address":"192.0.2.256","port":0,"players":{"current":0,"max":4},"isLobbyOpen":true,"gameplayMode":2}]}}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, s := range m.Servers {
		if err := s.Check(); err != nil {
			fmt.Printf("%q: %v\n", s.Name, err)
			continue
		}
		fmt.Printf("%q: %d of %d players, %v\n", s.Name, s.Players.Current, s.Players.Max, s.GameplayMode)
	}
	// Output:
	// "Feuerland": 1 of 4 players, Standard A
	// "Odd": bomberman: address: invalid value: is neither an IP address nor a host name
}

// A client reads the changes in the arena.
func ExampleFieldID_Bomb() {
	m, err := bomberman.ParseArenaUpdated([]byte(`{"command":"cArenaUpdated","content":{"players":[],
		"updatedFields":[{"x":5,"y":9,"id":72},{"x":7,"y":9,"id":23}]}}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, f := range m.UpdatedFields {
		if player, state, ok := f.ID.Bomb(); ok {
			fmt.Printf("%d,%d: player %d has a bomb there, state %d\n", f.X, f.Y, player, state)
			continue
		}
		fmt.Printf("%d,%d: %v\n", f.X, f.Y, f.ID)
	}
	// Output:
	// 5,9: player 2 has a bomb there, state 2
	// 7,9: power-up armor
}

// Explain shows what each byte means and where a frame breaks.
func ExampleExplainFrame() {
	frame := []byte("52{\"command\":\"gsPlayerAction\",\"content\":{\"action\":9}}\n")
	fmt.Print(bomberman.ExplainFrame(frame).Annotate(frame))
	// Output:
	// 35 32                                           # 0+2 length = "52"
	// 7b 22 63 6f 6d 6d 61 6e 64 22 3a                # 2+11 json = "{\"command\":"
	// 22 67 73 50 6c 61 79 65 72 41 63 74 69 6f 6e 22 # 13+16 command = "gsPlayerAction"
	// 2c 22 63 6f 6e 74 65 6e 74 22 3a 7b 22 61 63 74 # 29+21 json = ",\"content\":{\"action\":"
	// 69 6f 6e 22 3a
	// 39 7d 7d 0a                                     # 50+4 content.action
	// # bomberman: content.action at byte 50: invalid value: is not from 0 to 4
}
