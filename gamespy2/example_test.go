package gamespy2_test

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gamespy2"
)

// A client reads a response of one datagram.
func ExampleParseResponse() {
	datagram := []byte("\x00\x10\x20\x30\x40splitnum\x00\x80" +
		"\x00hostname\x00Harbour\x00numplayers\x002\x00\x00" +
		"\x01player_\x00\x00 Ann\x00 Bo\x00\x00score_\x00\x0012\x00-3\x00\x00\x00" +
		"\x02\x00")
	m, err := gamespy2.ParseResponse(datagram)
	if err != nil {
		fmt.Println(err)
		return
	}
	name, _ := m.Lookup("hostname")
	fmt.Println(name)
	score := m.Players.Column("score_")
	for _, row := range m.Players.Rows {
		fmt.Printf("%q has %s\n", row[0], row[score])
	}
	// Output:
	// Harbour
	// " Ann" has 12
	// " Bo" has -3
}

// A server without challenges answers requests in its own loop. A server with
// challenges parses with Options.Challenge and compares the number.
func ExampleParseRequest() {
	state := gamespy2.Response{
		Info: []gamespy2.KeyValue{
			{Key: "hostname", Value: "Harbour"},
			{Key: "gametype", Value: "ctf"},
			{Key: "maxplayers", Value: "16"},
		},
	}
	respond := func(request []byte) ([]byte, error) {
		req, err := gamespy2.ParseRequest(request)
		if err != nil {
			return nil, err
		}
		switch {
		case req.Type == gamespy2.TypeChallenge:
			return gamespy2.ChallengeResponse{ID: req.ID}.AppendBinary(nil)
		case req.Type == gamespy2.TypeEcho:
			return gamespy2.EchoResponse{ID: req.ID, Data: req.Data}.AppendBinary(nil)
		case !req.Split() && req.Info.Len() > 0:
			values := state.Values(req.Info)
			values.ID = req.ID
			return values.AppendBinary(nil)
		}
		answer := state
		answer.ID = req.ID
		answer.Split = req.Split()
		answer.Sections = req.Sections()
		if answer.Sections&gamespy2.SectionInfo == 0 {
			answer.Info = nil
		}
		return answer.AppendBinary(nil)
	}
	for _, request := range []string{
		"\xfe\xfd\x09\x00\x00\x00\x01",
		"\xfe\xfd\x00\x00\x00\x00\x02\x02\x01\x0a\x00\x00",
		"\xfe\xfd\x00\x00\x00\x00\x03\xff\x00\x00",
		"\xfe\xfd\x00\x00\x00\x00\x04\xff\xff\xff\x01",
	} {
		answer, err := respond([]byte(request))
		fmt.Printf("%q %v\n", answer, err)
	}
	// Output:
	// "\t\x00\x00\x00\x010\x00" <nil>
	// "\x00\x00\x00\x00\x02Harbour\x0016\x00" <nil>
	// "\x00\x00\x00\x00\x03hostname\x00Harbour\x00gametype\x00ctf\x00maxplayers\x0016\x00\x00" <nil>
	// "\x00\x00\x00\x00\x04splitnum\x00\x80\x00hostname\x00Harbour\x00gametype\x00ctf\x00maxplayers\x0016\x00\x00\x01\x00\x02\x00" <nil>
}

// A query has the number of the challenge response, unless the number is 0.
func ExampleChallengeResponse() {
	datagram := []byte("\x09\x10\x20\x30\x40-1287574694\x00")
	challenge, err := gamespy2.ParseChallengeResponse(datagram)
	if err != nil {
		fmt.Println(err)
		return
	}
	query := gamespy2.Request{
		ID:           challenge.ID,
		HasChallenge: challenge.Number != 0,
		Challenge:    challenge.Number,
		Info:         gamespy2.All(),
		Players:      gamespy2.All(),
		Teams:        gamespy2.All(),
		Flags:        gamespy2.FlagSplit,
	}
	b, err := query.AppendBinary(nil)
	fmt.Printf("% x %v\n", b, err)
	// Output: fe fd 00 10 20 30 40 b3 41 2b 5a ff ff ff 01 <nil>
}

// A server sends the response about many players in several packets.
func ExampleResponse_Packets() {
	server := gamespy2.BF2{
		HostName: "Harbour", MaxPlayers: new(64), NumPlayers: new(64),
		Teams: []gamespy2.BF2Team{{Name: "MEC"}, {Name: "US"}},
	}
	for i := range 64 {
		server.Players = append(server.Players,
			gamespy2.BF2Player{Name: fmt.Sprintf(" Sailor%02d", i), Team: new(1 + i%2), PID: new(4000000 + i)})
	}
	packets, err := server.Response([4]byte{1, 2, 3, 4}).Packets()
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, packet := range packets {
		fmt.Println(len(packet))
	}
	// Output:
	// 1281
	// 690
}

// The packets of a split response may arrive in any order. A client can show the
// part that it has while other packets are missing.
func ExampleAssembler() {
	first := []byte("\x00\x10\x20\x30\x40splitnum\x00\x00" +
		"\x00hostname\x00Harbour\x00\x00\x01player_\x00\x00 Ann\x00 B\x00")
	second := []byte("\x00\x10\x20\x30\x40splitnum\x00\x81" +
		"\x01player_\x00\x01 Bo\x00\x00\x00\x02\x00")
	var a gamespy2.Assembler
	for _, datagram := range [][]byte{second, first} {
		done, err := a.Add(datagram)
		fmt.Println(done, err, a.Missing())
		m, err := a.Response()
		fmt.Printf("%q, partial %v, %v\n", m.Players.Rows, m.Partial, err)
	}
	// Output:
	// false <nil> [0]
	// [[""] [" Bo"]], partial true, <nil>
	// true <nil> []
	// [[" Ann"] [" Bo"]], partial false, <nil>
}

// Older games send info in one response, players and teams in another. An
// Assembler recognises them.
func ExampleAssembler_plainAnswers() {
	tables := []byte("\x00CORX\x00\x01player_\x00score_\x00\x00Ann\x0012\x00\x00\x00\x00")
	info := []byte("\x00CORYhostname\x00Harbour\x00\x00")
	a := gamespy2.Assembler{Options: gamespy2.Options{Sections: gamespy2.AllSections}}
	for _, datagram := range [][]byte{tables, info} {
		done, err := a.Add(datagram)
		fmt.Println(done, err)
	}
	m, err := a.Response()
	fmt.Println(m.Info, m.Players.Rows, err)
	// Output:
	// false <nil>
	// true <nil>
	// [{hostname Harbour}] [[Ann 12]] <nil>
}

// Encoding refuses what clients misread. In split form, an empty value looks like
// the end of the column.
func ExampleResponse_AppendBinary() {
	m := gamespy2.Response{
		Split:   true,
		Players: gamespy2.Table{Columns: []string{"player_"}, Rows: [][]string{{"Ann"}, {""}}},
	}
	_, err := m.AppendBinary(nil)
	fmt.Println(err, errors.Is(err, lobbywire.ErrInvalid))
	// Output: gamespy2: players.rows[1].value: invalid value: column 0 is empty true
}

// Explain shows the meaning of each byte and the place of an error.
func ExampleExplain() {
	datagram := []byte("\x00\x10\x20\x30\x40hostname\x00Reef\x00mapna")
	fmt.Print(gamespy2.Explain[gamespy2.Response](datagram).Annotate(datagram))
	// Output:
	// 00                                              # 0+1 type = 0
	// 10 20 30 40                                     # 1+4 id = 10203040
	// 68 6f 73 74 6e 61 6d 65 00                      # 5+9 info[0].key = "hostname"
	// 52 65 65 66 00                                  # 14+5 info[0].value = "Reef"
	// 6d 61 70 6e 61                                  # 19+5 info[1].key
	// # gamespy2: info[1].key at byte 19: truncated
}

// A proxy sends again what a server has sent, also the empty values of bots that Packets refuses.
func ExampleResponse_PacketsCut() {
	received := []byte("\x00\x01\x02\x03\x04splitnum\x00\x80" +
		"\x00hostname\x00Reef\x00\x00" +
		"\x01player_\x00\x00Ann\x00\x00\x00score_\x00\x007\x00\x00\x00\x00" +
		"\x02\x00")
	response, err := gamespy2.ParseResponse(received)
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = response.Packets()
	fmt.Println(err)
	packets, err := response.PacketsCut(gamespy2.CutAsRead)
	fmt.Println(bytes.Equal(received, packets[0]), err)
	// Output:
	// gamespy2: players.rows[1].value: invalid value: column 0 is empty
	// true <nil>
}
