package wzbin_test

import (
	"bufio"
	"errors"
	"fmt"
	"net/netip"
	"strings"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/warzone/wzbin"
)

// A lobby answers requests frame by frame.
func ExampleParseRequest() {
	respond := func(frame []byte) wzbin.Response {
		m, err := wzbin.ParseRequest(frame)
		if err != nil {
			return wzbin.Error{Text: err.Error()}
		}
		switch m.(type) {
		case wzbin.OpenGame, wzbin.StartGame, wzbin.CloseGame:
			return wzbin.Done{}
		case wzbin.List:
			return wzbin.GameList{}
		}
		return wzbin.Error{Text: "not known here"}
	}

	conn := strings.NewReader("\x01\x02\x01*" + "\x03\x05\x042100" + "\x03\x02\x010" + "\xc8\x00")
	sc := bufio.NewScanner(conn)
	sc.Split(wzbin.SplitFrames)
	for sc.Scan() {
		answer, err := respond(sc.Bytes()).AppendBinary(nil)
		fmt.Printf("%q %v\n", answer, err)
	}
	// Output:
	// "\x05\x02\x010" <nil>
	// "\a\x00" <nil>
	// "\b%$wzbin: port at byte 2: invalid value" <nil>
	// "\b\x0f\x0enot known here" <nil>
}

// A client takes answers off what has come so far.
func ExampleNextResponse() {
	var buf []byte
	for _, part := range []string{
		"\x05\x02\x011\x06\x2f\x0a192.0.2.17\x042100\x0fBanana Ga",
		"me :-)\x07Sk-Rush\x014\x04open\x07\x00",
	} {
		buf = append(buf, part...)
		for {
			m, rest, err := wzbin.NextResponse(buf)
			buf = rest
			if errors.Is(err, lobbywire.ErrTruncated) {
				break
			}
			if err != nil {
				fmt.Println(err)
				return
			}
			switch m := m.(type) {
			case wzbin.GameList:
				for _, g := range m.Games {
					fmt.Printf("%q at %s is %s\n", g.Name, netip.AddrPortFrom(g.IP, g.Port), g.Status)
				}
			case wzbin.Done:
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

// Encoding refuses what does not fit a frame.
func ExampleOpenGame_AppendBinary() {
	m := wzbin.OpenGame{Port: 9999, Name: strings.Repeat("long ", 60), Map: "Sk-Rush", MaxPlayers: 4}
	_, err := m.AppendBinary(nil)
	fmt.Println(err, errors.Is(err, lobbywire.ErrTooLarge))

	m.Name = "The Game!!"
	b, err := m.AppendBinary(nil)
	fmt.Printf("%q %v\n", b, err)
	// Output:
	// wzbin: name: limit exceeded true
	// "\x02\x1a\x049999\nThe Game!!\aSk-Rush\x014" <nil>
}

// Who reads the proposal in another way sends payloads of his own.
func ExampleAppendFrame() {
	b, err := wzbin.AppendFrame(nil, 9, []byte{0x27, 0x0f}, []byte("Player One"))
	fmt.Printf("%q %v\n", b, err)
	m, err := wzbin.ParseFrame(b)
	fmt.Println(m.Command, len(m.Payloads), err)
	// Output:
	// "\t\x0e\x02'\x0f\nPlayer One" <nil>
	// command(9) 2 <nil>
}

// Explain shows what each byte means and where a frame breaks.
func ExampleExplainRequest() {
	request := []byte("\x03\x06\x0599999")
	fmt.Print(wzbin.ExplainRequest(request).Annotate(request))
	// Output:
	// 03                                              # 0+1 command = 3
	// 06                                              # 1+1 size = 6
	// 05 39 39 39 39 39                               # 2+6 port = "99999"
	// # wzbin: port at byte 2: invalid value
}
