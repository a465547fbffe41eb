package wzproposal_test

import (
	"bufio"
	"errors"
	"fmt"
	"net/netip"
	"strings"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/warzone/wzproposal"
)

// A lobby answers requests line by line. This one lists games at one address.
func ExampleParseRequest() {
	games := map[uint16]wzproposal.Game{}
	respond := func(line []byte) wzproposal.Response {
		m, err := wzproposal.ParseRequest(line)
		if err != nil {
			return wzproposal.Error{Text: err.Error()}
		}
		switch m := m.(type) {
		case wzproposal.OpenGame:
			games[m.Port] = wzproposal.Game{
				IP: netip.MustParseAddr("192.0.2.17"), Port: m.Port,
				Name: m.Name, Map: m.Map, MaxPlayers: m.MaxPlayers,
				Status: wzproposal.StatusOpen,
			}
			return wzproposal.Done{}
		case wzproposal.CloseGame:
			delete(games, m.Port)
			return wzproposal.Done{}
		case wzproposal.List:
			var list wzproposal.GameList
			for _, g := range games {
				list.Games = append(list.Games, g)
			}
			return list
		}
		return wzproposal.Error{Text: "not known here"}
	}

	conn := strings.NewReader("OPENGAME\t2100\tBanana Game :-)\tSk-Rush\t4\nLIST\nOPENGAME\t0\n")
	sc := bufio.NewScanner(conn)
	sc.Split(new(wzproposal.Framer).Split)
	for sc.Scan() {
		answer, err := respond(sc.Bytes()).AppendBinary(nil)
		fmt.Printf("%q %v\n", answer, err)
	}
	// Output:
	// "DONE\n" <nil>
	// "COUNT\t1\n192.0.2.17\t2100\tBanana Game :-)\tSk-Rush\t4\topen\n" <nil>
	// "ERROR\twzproposal: port at byte 9: invalid value: is not from 1 to 65535\n" <nil>
}

// A client cuts responses off the data received so far.
func ExampleFramer_NextResponse() {
	var framer wzproposal.Framer
	var buf []byte
	for _, part := range []string{
		"COUNT\t2\n192.0.2.17\t2100\tBanana Game :-)\tSk-Rush\t4\topen\n198.51.1",
		"00.4\t9999\tThe Game!!\tSk-Rush\t4\tstarted\nDONE\n",
	} {
		buf = append(buf, part...)
		for {
			m, rest, err := framer.NextResponse(buf)
			buf = rest
			if errors.Is(err, lobbywire.ErrTruncated) {
				break
			}
			if err != nil {
				fmt.Println(err)
				return
			}
			switch m := m.(type) {
			case wzproposal.GameList:
				for _, g := range m.Games {
					fmt.Printf("%q at %s is %s\n", g.Name, netip.AddrPortFrom(g.IP, g.Port), g.Status)
				}
			case wzproposal.Done:
				fmt.Println("done")
			default:
				fmt.Println("refused")
			}
		}
	}
	// Output:
	// "Banana Game :-)" at 192.0.2.17:2100 is open
	// "The Game!!" at 198.51.100.4:9999 is started
	// done
}

// Encoding refuses what would break the line.
func ExampleOpenGame_AppendBinary() {
	m := wzproposal.OpenGame{Port: 9999, Name: "The\tGame!!", Map: "Sk-Rush", MaxPlayers: 4}
	_, err := m.AppendBinary(nil)
	fmt.Println(err, errors.Is(err, lobbywire.ErrInvalid))

	m.Name = "The Game!!"
	b, err := m.AppendBinary(nil)
	fmt.Printf("%q %v\n", b, err)
	// Output:
	// wzproposal: name: invalid value: is not UTF-8, or has a TAB, a line break or a zero byte true
	// "OPENGAME\t9999\tThe Game!!\tSk-Rush\t4\n" <nil>
}

// A sample that has lost its TABs can be read as a transcript.
func ExampleOptions() {
	sample := []byte(`
		< COUNT 1
		< // ip       port  game-name        map-name  max-players  status
		< 192.0.2.17  2100  Banana Game :-)  Sk-Rush   4            open
	`)
	framer := wzproposal.Framer{Options: wzproposal.Options{Transcript: true}}
	m, _, err := framer.NextResponse(sample)
	fmt.Printf("%+v %v\n", m, err)
	// Output:
	// {Games:[{IP:192.0.2.17 Port:2100 Name:Banana Game :-) Map:Sk-Rush MaxPlayers:4 Status:open}] Skipped:0} <nil>
}

// Explain shows what each byte means and where a line breaks.
func ExampleExplainRequest() {
	request := []byte("STARTGAME 99999\n")
	fmt.Print(wzproposal.ExplainRequest(request).Annotate(request))
	// Output:
	// 53 54 41 52 54 47 41 4d 45 20                   # 0+10 command = "STARTGAME"
	// 39 39 39 39 39                                  # 10+5 port = "99999"
	// 0a                                              # 15+1 port
	// # wzproposal: port at byte 10: invalid value: is not from 1 to 65535
}

// The same lobby in the binary encoding.
func ExampleOptions_binary() {
	options := wzproposal.Options{Encoding: wzproposal.Binary}
	respond := func(frame []byte) wzproposal.Response {
		m, err := options.ParseRequest(frame)
		if err != nil {
			return wzproposal.Error{Text: err.Error()}
		}
		switch m.(type) {
		case wzproposal.OpenGame, wzproposal.StartGame, wzproposal.CloseGame:
			return wzproposal.Done{}
		case wzproposal.List:
			return wzproposal.GameList{}
		}
		return wzproposal.Error{Text: "not known here"}
	}

	conn := strings.NewReader("\x01\x02\x01*" + "\x03\x05\x042100" + "\x03\x02\x010" + "\xc8\x00")
	sc := bufio.NewScanner(conn)
	framer := wzproposal.Framer{Options: options}
	sc.Split(framer.Split)
	for sc.Scan() {
		answer, err := wzproposal.Binary.Append(nil, respond(sc.Bytes()))
		fmt.Printf("%q %v\n", answer, err)
	}
	// Output:
	// "\x05\x02\x010" <nil>
	// "\a\x00" <nil>
	// "\bBAwzproposal: port at byte 2: invalid value: is not from 1 to 65535" <nil>
	// "\b\x0f\x0enot known here" <nil>
}

// A client of the binary encoding cuts responses off the data received so far.
func ExampleFramer_binary() {
	framer := wzproposal.Framer{Options: wzproposal.Options{Encoding: wzproposal.Binary}}
	var buf []byte
	for _, part := range []string{
		"\x05\x02\x011\x06\x2f\x0a192.0.2.17\x042100\x0fBanana Ga",
		"me :-)\x07Sk-Rush\x014\x04open\x07\x00",
	} {
		buf = append(buf, part...)
		for {
			m, rest, err := framer.NextResponse(buf)
			buf = rest
			if errors.Is(err, lobbywire.ErrTruncated) {
				break
			}
			if err != nil {
				fmt.Println(err)
				return
			}
			switch m := m.(type) {
			case wzproposal.GameList:
				for _, g := range m.Games {
					fmt.Printf("%q at %s is %s\n", g.Name, netip.AddrPortFrom(g.IP, g.Port), g.Status)
				}
			case wzproposal.Done:
				fmt.Println("done")
			default:
				fmt.Println("refused")
			}
		}
	}
	// Output:
	// "Banana Game :-)" at 192.0.2.17:2100 is open
	// done
}

// The binary encoding also refuses what does not fit a frame.
func ExampleEncoding_Append() {
	m := wzproposal.OpenGame{Port: 9999, Name: strings.Repeat("long ", 60), Map: "Sk-Rush", MaxPlayers: 4}
	_, err := wzproposal.Binary.Append(nil, m)
	fmt.Println(err, errors.Is(err, lobbywire.ErrTooLarge))

	m.Name = "The Game!!"
	b, err := wzproposal.Binary.Append(nil, m)
	fmt.Printf("%q %v\n", b, err)
	// Output:
	// wzproposal: name: limit exceeded: 300, at most 254 true
	// "\x02\x1a\x049999\nThe Game!!\aSk-Rush\x014" <nil>
}

// A program that reads the proposal in another way sends its own payloads.
func ExampleFrame() {
	b, err := wzproposal.Binary.Append(nil, wzproposal.Frame{Command: "9", Fields: []string{"\x27\x0f", "Player One"}})
	fmt.Printf("%q %v\n", b, err)
	m, err := wzproposal.Options{Encoding: wzproposal.Binary}.ParseFrame(b)
	fmt.Println(m.Command, len(m.Fields), err)
	// Output:
	// "\t\x0e\x02'\x0f\nPlayer One" <nil>
	// 9 2 <nil>
}

// ExplainWith shows what each byte of a frame means and where it breaks.
func ExampleExplainWith() {
	request := []byte("\x03\x06\x0599999")
	options := wzproposal.Options{Encoding: wzproposal.Binary}
	fmt.Print(wzproposal.ExplainWith[wzproposal.StartGame](options, request).Annotate(request))
	// Output:
	// 03                                              # 0+1 command = 3
	// 06                                              # 1+1 size = 6
	// 05 39 39 39 39 39                               # 2+6 port = "99999"
	// # wzproposal: port at byte 2: invalid value: is not from 1 to 65535
}
