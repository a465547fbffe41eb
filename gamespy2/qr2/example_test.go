package qr2_test

import (
	"fmt"
	"net/netip"

	"github.com/lobbywire/lobbywire/gamespy2"
	"github.com/lobbywire/lobbywire/gamespy2/qr2"
)

// A server registers and later stops.
func ExampleHeartbeat() {
	server := qr2.Identity{
		LocalAddrs: []netip.Addr{netip.MustParseAddr("192.0.2.7")},
		LocalPort:  6500,
		State:      qr2.StateStart,
		GameName:   "gmtest",
	}
	first := qr2.Heartbeat{Key: [4]byte{1, 2, 3, 4}, Info: server.AppendTo(nil)}
	first.Info = append(first.Info,
		gamespy2.KeyValue{Key: "hostname", Value: "Harbour"},
		gamespy2.KeyValue{Key: "numplayers", Value: "1"},
	)
	first.Players = &gamespy2.Table{Columns: []string{"player_"}, Rows: [][]string{{"Ann"}}}
	first.Teams = &gamespy2.Table{}
	b, err := first.AppendBinary(nil)
	fmt.Printf("%q %v\n", b, err)

	server.State = qr2.StateShutdown
	b, err = qr2.Heartbeat{Key: first.Key, Info: server.AppendTo(nil)}.AppendBinary(nil)
	fmt.Printf("%q %v\n", b, err)
	// Output:
	// "\x03\x01\x02\x03\x04localip0\x00192.0.2.7\x00localport\x006500\x00natneg\x000\x00statechanged\x003\x00gamename\x00gmtest\x00hostname\x00Harbour\x00numplayers\x001\x00\x00\x00\x01player_\x00\x00Ann\x00\x00\x00\x00" <nil>
	// "\x03\x01\x02\x03\x04localip0\x00192.0.2.7\x00localport\x006500\x00natneg\x000\x00statechanged\x002\x00gamename\x00gmtest\x00\x00" <nil>
}

// A master reads what a server reports about itself.
func ExampleHeartbeat_Identity() {
	m, err := qr2.ParseHeartbeat([]byte("\x03\x01\x02\x03\x04" +
		"localip0\x00192.0.2.7\x00localport\x006500\x00natneg\x000\x00statechanged\x003\x00gamename\x00gmtest\x00" +
		"hostname\x00Harbour\x00\x00"))
	if err != nil {
		fmt.Println(err)
		return
	}
	server := m.Identity()
	fmt.Println(server.GameName, server.LocalAddrs, server.LocalPort, server.State)
	fmt.Println(m.GameInfo())
	// Output:
	// gmtest [192.0.2.7] 6500 start
	// [{gamename gmtest} {hostname Harbour}]
}

// A master makes a challenge and checks the answer.
func ExampleAppendAnswer() {
	text := qr2.ChallengeText{Random: "AbCdEf", Addr: netip.MustParseAddrPort("127.0.0.1:11111")}.AppendTo(nil)
	challenge, err := qr2.Challenge{Key: [4]byte{1, 2, 3, 4}, Text: string(text)}.AppendBinary(nil)
	fmt.Printf("%q %v\n", challenge, err)

	answer, err := qr2.ParseChallengeAnswer([]byte("\x01\x01\x02\x03\x04llK/MDWETUR+CSRWNEsa8r5qOZUA\x00"))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("right:", answer.Text == string(qr2.AppendAnswer(nil, text, "HA6zkS")))
	// Output:
	// "\xfe\xfd\x01\x01\x02\x03\x04AbCdEf007F0000012B67\x00" <nil>
	// right: true
}

// A server reads what arrives from its master.
func ExampleParseToServer() {
	for _, datagram := range []string{
		"\xfe\xfd\x01\x01\x02\x03\x04AbCdEf007F0000012B67\x00",
		"\xfe\xfd\x0a\x01\x02\x03\x04",
		"\xfe\xfd\x04\x01\x02\x03\x04\x01No such game\x00",
		"\xfe\xfd\x06\x01\x02\x03\x04\x00\x00\x00\x05hello",
		"\xfe\xfd\x00\x01\x02\x03\x04\xff\x00\x00",
	} {
		m, err := qr2.ParseToServer([]byte(datagram))
		switch m := m.(type) {
		case qr2.Challenge:
			fmt.Println("answer", string(qr2.AppendAnswer(nil, m.Text, "HA6zkS")))
		case qr2.AddError:
			fmt.Println("not listed:", m.Text)
		default:
			fmt.Printf("%T %v\n", m, err)
		}
	}
	// Output:
	// answer llK/MDWETUR+CSRWNEsa8r5qOZUA
	// qr2.Registered <nil>
	// not listed: No such game
	// qr2.ClientMessage <nil>
	// qr2.Unknown <nil>
}

// Explain shows the meaning of each byte, and the position of an error.
func ExampleExplain() {
	packet := []byte("\x03\x01\x02\x03\x04gamename\x00gmtest\x00\x00\x00\x01player_\x00")
	fmt.Print(qr2.Explain[qr2.Heartbeat](packet).Annotate(packet))
	// Output:
	// 03                                              # 0+1 type = 3
	// 01 02 03 04                                     # 1+4 key = 01020304
	// 67 61 6d 65 6e 61 6d 65 00                      # 5+9 info[0].key = "gamename"
	// 67 6d 74 65 73 74 00                            # 14+7 info[0].value = "gmtest"
	// 00                                              # 21+1 info.end = 0
	// 00 01                                           # 22+2 players.count = 1
	// 70 6c 61 79 65 72 5f 00                         # 24+8 players.columns[0].name = "player_"
	// # qr2: players.end at byte 32: truncated
}
