package sb2_test

import (
	"fmt"
	"io"
	"net/netip"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gamespy2/sb2"
)

// exampleRequest is a request with a challenge that is always the same. Use 8 random
// bytes.
func exampleRequest() sb2.ListRequest {
	return sb2.ListRequest{
		ForGame:   "gmtest",
		FromGame:  "gmtest",
		Challenge: sb2.MakeChallenge([8]byte{1, 2, 3, 4, 5, 6, 7, 8}),
		Filter:    "numplayers > 0",
		Fields:    sb2.MakeFieldList("hostname", "numplayers"),
	}
}

// exampleAnswer returns an answer to the request.
func exampleAnswer(request sb2.ListRequest) []byte {
	list := sb2.List{
		ClientIP: netip.MustParseAddr("192.0.2.7"), DefaultPort: 6500,
		Keys: []sb2.Key{{Name: "hostname"}, {Name: "numplayers", Type: sb2.KeyByte}},
	}
	for i, name := range []string{"Harbour", "Reef"} {
		list.Servers = append(list.Servers, sb2.Server{
			Flags:  sb2.FlagUnsolicitedUDP | sb2.FlagFields,
			IP:     netip.AddrFrom4([4]byte{192, 0, 2, byte(1 + i)}),
			Fields: []sb2.KeyValue{{Key: "hostname", Value: name}, {Key: "numplayers", Value: fmt.Sprint(5 - i)}},
		})
	}
	b, err := sb2.Answer{
		Secret: "HA6zkS", Challenge: request.Challenge,
		Head: sb2.Head{Challenge: []byte("25 random bytes of master")},
		List: list,
	}.AppendBinary(nil)
	if err != nil {
		panic(err)
	}
	return b
}

// A client reads servers as they arrive. connection is a net.Conn to which it has
// written the request.
func ExampleMasterStream() {
	request := exampleRequest()
	connection := io.Reader(&pieces{b: exampleAnswer(request), size: 20})

	stream := sb2.MasterStream{Secret: "HA6zkS", Request: request}
	buffer := make([]byte, 4096)
	for unread := buffer[:0]; ; {
		server, rest, err := stream.NextServer(unread)
		unread = rest
		switch err {
		case nil:
			_, list, _ := stream.Start()
			name, _ := server.Lookup("hostname")
			fmt.Println(server.AddrPort(list.DefaultPort), name)
		case lobbywire.ErrTruncated:
			n, err := connection.Read(buffer)
			if err != nil {
				fmt.Println(err)
				return
			}
			unread = buffer[:n]
		case sb2.ErrEndOfList:
			fmt.Println("end")
			return
		default:
			fmt.Println(err)
			return
		}
	}
	// Output:
	// 192.0.2.1:6500 Harbour
	// 192.0.2.2:6500 Reef
	// end
}

// pieces is a connection that delivers few bytes at a time.
type pieces struct {
	b    []byte
	size int
}

func (p *pieces) Read(b []byte) (n int, err error) {
	if len(p.b) == 0 {
		return 0, io.EOF
	}
	n = copy(b, p.b[:min(p.size, len(p.b))])
	p.b = p.b[n:]
	return n, nil
}

// A master reads a request and appends its answer part by part.
func ExampleListAppender() {
	received, err := exampleRequest().AppendBinary(nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	request, err := sb2.ParseListRequest(received)
	if err != nil {
		fmt.Println(err)
		return
	}
	var keys []sb2.Key
	for name := range request.Fields.All() {
		keys = append(keys, sb2.Key{Name: name})
	}
	head := sb2.Head{Challenge: []byte("25 random bytes of master")}
	cipher, err := sb2.NewCipher("HA6zkS", request.Challenge, head.Challenge)
	if err != nil {
		fmt.Println(err)
		return
	}
	answer, err := head.AppendBinary(nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	start := len(answer)

	list := sb2.NewListAppender(keys, nil)
	answer, err = list.AppendStart(answer, sb2.List{ClientIP: netip.MustParseAddr("192.0.2.7"), DefaultPort: 6500})
	if err != nil {
		fmt.Println(err)
		return
	}
	answer, err = list.AppendServer(answer, &sb2.Server{
		Flags: sb2.FlagUnsolicitedUDP | sb2.FlagFields, IP: netip.MustParseAddr("192.0.2.1"),
		Fields: []sb2.KeyValue{{Key: "hostname", Value: "Harbour"}, {Key: "numplayers", Value: "5"}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	answer = list.AppendEnd(answer)
	cipher.Encrypt(answer[start:], answer[start:])
	// The same cipher encrypts pushed messages later.

	m, err := sb2.ParseAnswer(answer, "HA6zkS", request)
	fmt.Println(m.List.Servers[0].IP, m.List.Servers[0].Fields, err)
	// Output: 192.0.2.1 [{hostname Harbour} {numplayers 5}] <nil>
}

// A master cuts requests off a connection and reads each by its type.
func ExampleParseRequest() {
	received := []byte("\x00\x09\x01\xc0\x00\x02\x01\x19\x64" + "\x00\x03\x03" + "\x00\x09")
	for {
		frame, rest, err := sb2.NextFrame(received, sb2.MaxRequest)
		if err != nil {
			fmt.Println(err)
			return
		}
		received = rest
		m, err := sb2.ParseRequest(frame)
		switch m := m.(type) {
		case sb2.RulesRequest:
			fmt.Println("rules of", m.Addr)
		case sb2.Keepalive:
			fmt.Println("the client is there")
		default:
			fmt.Println(m, err)
		}
	}
	// Output:
	// rules of 192.0.2.1:6500
	// the client is there
	// truncated
}

// ExplainAnswer shows the encrypted bytes and what they mean.
func ExampleExplainAnswer() {
	request := exampleRequest()
	answer := exampleAnswer(request)
	e := sb2.ExplainAnswer(answer, "HA6zkS", request)
	for _, f := range e.Fields[3:7] {
		fmt.Println(f.Offset, f.Length, f.Name, f.Value)
	}
	// Output:
	// 4 25 challenge 32352072616e646f6d206279746573206f66206d6173746572
	// 29 4 clientIp 192.0.2.7
	// 33 2 defaultPort 6500
	// 35 1 keyCount 2
}

// A master that pushes sends changes after the list.
func ExampleParsePush() {
	decrypted := []byte("\x00\x09\x04\xc0\x00\x02\x01\x19\x64")
	m, err := sb2.ParsePush(decrypted)
	if err != nil {
		fmt.Println(err)
		return
	}
	if deleted, ok := m.(sb2.DeleteServer); ok {
		fmt.Println(deleted.Addr, "left the list")
	}
	// Output: 192.0.2.1:6500 left the list
}
