package wztext_test

import (
	"bufio"
	"errors"
	"fmt"
	"net/netip"
	"strings"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/warzone/wztext"
)

// A lobby answers requests line by line. This one lists games at one address.
func ExampleParseRequest() {
	games := map[uint16]wztext.Game{}
	respond := func(line []byte) wztext.Response {
		m, err := wztext.ParseRequest(line)
		if err != nil {
			return wztext.Error{Text: err.Error()}
		}
		switch m := m.(type) {
		case wztext.OpenGame:
			games[m.Port] = wztext.Game{
				IP: netip.MustParseAddr("192.0.2.17"), Port: m.Port,
				Name: m.Name, Map: m.Map, MaxPlayers: m.MaxPlayers,
				Status: wztext.StatusOpen,
			}
			return wztext.Done{}
		case wztext.CloseGame:
			delete(games, m.Port)
			return wztext.Done{}
		case wztext.List:
			var list wztext.GameList
			for _, g := range games {
				list.Games = append(list.Games, g)
			}
			return list
		}
		return wztext.Error{Text: "not known here"}
	}

	conn := strings.NewReader("OPENGAME\t2100\tBanana Game :-)\tSk-Rush\t4\nLIST\nOPENGAME\t0\n")
	sc := bufio.NewScanner(conn)
	sc.Split(wztext.SplitFrames)
	for sc.Scan() {
		answer, err := respond(sc.Bytes()).AppendBinary(nil)
		fmt.Printf("%q %v\n", answer, err)
	}
	// Output:
	// "DONE\n" <nil>
	// "COUNT\t1\n192.0.2.17\t2100\tBanana Game :-)\tSk-Rush\t4\topen\n" <nil>
	// "ERROR\twztext: port at byte 9: invalid value\n" <nil>
}

// A client takes answers off what has come so far.
func ExampleNextResponse() {
	var buf []byte
	for _, part := range []string{
		"COUNT\t2\n192.0.2.17\t2100\tBanana Game :-)\tSk-Rush\t4\topen\n198.51.1",
		"00.4\t9999\tThe Game!!\tSk-Rush\t4\tstarted\nDONE\n",
	} {
		buf = append(buf, part...)
		for {
			m, rest, err := wztext.NextResponse(buf)
			buf = rest
			if errors.Is(err, lobbywire.ErrTruncated) {
				break
			}
			if err != nil {
				fmt.Println(err)
				return
			}
			switch m := m.(type) {
			case wztext.GameList:
				for _, g := range m.Games {
					fmt.Printf("%q at %s is %s\n", g.Name, netip.AddrPortFrom(g.IP, g.Port), g.Status)
				}
			case wztext.Done:
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
	m := wztext.OpenGame{Port: 9999, Name: "The\tGame!!", Map: "Sk-Rush", MaxPlayers: 4}
	_, err := m.AppendBinary(nil)
	fmt.Println(err, errors.Is(err, lobbywire.ErrInvalid))

	m.Name = "The Game!!"
	b, err := m.AppendBinary(nil)
	fmt.Printf("%q %v\n", b, err)
	// Output:
	// wztext: name: invalid value true
	// "OPENGAME\t9999\tThe Game!!\tSk-Rush\t4\n" <nil>
}

// A sample that has lost its TABs can be read as a transcript.
func ExampleOptions() {
	sample := []byte(`
		< COUNT 1
		< // ip       port  game-name        map-name  max-players  status
		< 192.0.2.17  2100  Banana Game :-)  Sk-Rush   4            open
	`)
	m, _, err := wztext.Options{Transcript: true}.NextResponse(sample)
	fmt.Printf("%+v %v\n", m, err)
	// Output:
	// {Games:[{IP:192.0.2.17 Port:2100 Name:Banana Game :-) Map:Sk-Rush MaxPlayers:4 Status:open}]} <nil>
}

// Explain shows what each byte means and where a line breaks.
func ExampleExplainRequest() {
	request := []byte("STARTGAME 99999\n")
	fmt.Print(wztext.ExplainRequest(request).Annotate(request))
	// Output:
	// 53 54 41 52 54 47 41 4d 45 20                   # 0+10 command = "STARTGAME"
	// 39 39 39 39 39                                  # 10+5 port = "99999"
	// 0a                                              # 15+1 port
	// # wztext: port at byte 10: invalid value
}
