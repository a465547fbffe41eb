package warzone_test

import (
	"fmt"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/warzone"
)

// A host describes its game to the lobby.
func ExampleGame_AppendBinary() {
	game := warzone.Game{
		Version:      warzone.Version4,
		Name:         "Banana Game :-)",
		Size:         warzone.SizeOfGame,
		MaxPlayers:   4,
		HostPort:     warzone.GamePort,
		MapName:      "Sk-Rush",
		HostName:     "Ada",
		NetcodeMajor: 0x4000,
		NetcodeMinor: 79,
		GameID:       7,
	}
	b, err := warzone.AddGame{Game: game}.AppendBinary(nil)
	fmt.Println(len(b), err)

	game.MapName = "a name that is longer than forty bytes can hold"
	_, err = game.AppendBinary(nil)
	fmt.Println(err)
	fmt.Println(game.Fit().MapName)
	// Output:
	// 819 <nil>
	// warzone: mapName: limit exceeded: 47, at most 39
	// a name that is longer than forty bytes
}

// A lobby reads the requests of a host from parts of any size, and answers them.
func ExampleHostStream() {
	var sent []byte
	for _, m := range []warzone.Request{
		warzone.GameIDRequest{},
		warzone.AddGame{Game: warzone.Game{Version: 4, Name: "Duel", Size: 72, MaxPlayers: 2}},
		warzone.Keep{},
	} {
		var err error
		sent, err = m.AppendBinary(sent)
		if err != nil {
			fmt.Println(err)
			return
		}
	}

	var stream warzone.HostStream
	var buf []byte
	for len(sent) > 0 {
		n := min(len(sent), 300) // as a read from the connection
		buf = append(buf, sent[:n]...)
		sent = sent[n:]
		for {
			m, rest, err := stream.NextRequest(buf)
			buf = rest
			if err == lobbywire.ErrTruncated {
				break
			}
			if err != nil {
				fmt.Println(err)
				return
			}
			switch m := m.(type) {
			case warzone.GameIDRequest:
				answer, err := warzone.GameIDReply{GameID: 1}.AppendBinary(nil)
				fmt.Printf("id: answer %x, %v\n", answer, err)
			case warzone.AddGame:
				answer, err := warzone.Status{Code: warzone.StatusOK, Text: "Welcome"}.AppendBinary(nil)
				fmt.Printf("%q for %d: answer %q, %v\n", m.Game.Name, m.Game.MaxPlayers, answer, err)
			case warzone.Keep:
				fmt.Println("keep")
			}
		}
	}
	// Output:
	// id: answer 00000001, <nil>
	// "Duel" for 2: answer "\x00\x00\x00\xc8\x00\x00\x00\aWelcome", <nil>
	// keep
}

// A lobby lists its games for all clients from 2.2 to 4.6.
func ExampleListReply() {
	games := make([]warzone.Game, 14)
	for i := range games {
		games[i] = warzone.Game{Version: 4, Name: fmt.Sprint("Game ", i), Size: warzone.SizeOfGame}
	}
	b, err := warzone.ListReply{
		Games:   games,
		Status:  &warzone.Status{Code: warzone.StatusOK},
		Batches: &warzone.Batches{Parameters: warzone.IgnoreFirstBatch, First: min(len(games), warzone.MaxFirstBatch)},
	}.AppendBinary(nil)
	fmt.Println(len(b), err)
	// Output: 20370 <nil>
}

// A browser shows the games as soon as the reply is complete.
func ExampleListReplyEnd() {
	games := []warzone.Game{{Version: 4, Name: "Duel", Size: 72, Host: "192.0.2.7", HostPort: 2101}}
	received, err := warzone.ListReply{
		Games:   games,
		Status:  &warzone.Status{Code: warzone.StatusOK},
		Batches: &warzone.Batches{Parameters: warzone.IgnoreFirstBatch, First: 1},
	}.AppendBinary(nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, n := range []int{500, 826, len(received)} {
		end, whole, err := warzone.ListReplyEnd(received[:n])
		fmt.Println(n, end, whole, err)
	}
	list, err := warzone.ParseListReply(received)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, g := range list.Games {
		fmt.Printf("%q at %v\n", g.Name, g.JoinAddr())
	}
	// Output:
	// 500 0 false truncated
	// 826 826 false <nil>
	// 1648 1648 true <nil>
	// "Duel" at 192.0.2.7:2101
}

// ExplainRequest shows every byte of a request.
func ExampleExplainRequest() {
	b := []byte("LIST\n\r")
	fmt.Print(warzone.ExplainRequest(b).Annotate(b))
	// Output:
	// 4c 49 53 54                                     # 0+4 command = "LIST"
	// 0a                                              # 4+1 commandEnd = 10
	// 0d                                              # 5+1 ignored = 0d
}
