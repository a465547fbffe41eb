package fuzzharness

import (
	"bytes"
	"encoding"
	"fmt"
	"io"
	"net"
	"net/netip"
	"runtime"
	"testing"
	"time"

	"github.com/lobbywire/lobbywire"
)

// An ask sends a datagram to a server and returns all answers.
type ask func(request []byte) (answers [][]byte, err error)

// clients ask a server from three addresses: two ports of one host, and another host.
type clients [3]ask

// addresses are the addresses of the clients of a server in this process.
var addresses = [len(clients{})]netip.AddrPort{
	netip.MustParseAddrPort("192.0.2.7:50000"),
	netip.MustParseAddrPort("192.0.2.7:50001"),
	netip.MustParseAddrPort("198.51.100.8:50000"),
}

// A server is a server under test.
type server struct {
	respond func(from netip.AddrPort, req []byte) []byte // answers a datagram; nil is no answer
	set     func(v lobbywire.View)                       // sets the state of the game
}

// clients send to the server by function calls.
func (s server) clients() (all clients) {
	for i, from := range addresses {
		all[i] = func(request []byte) ([][]byte, error) {
			if answer := s.respond(from, request); answer != nil {
				return [][]byte{answer}, nil
			}
			return nil, nil
		}
	}
	return all
}

// patience is how long a server may take to answer on a busy machine.
const patience = 20 * time.Second

// A mark is a request that a server answers with a datagram of one kind.
type mark struct {
	request encoding.BinaryAppender
	answer  byte // the first byte of the datagram
}

// marks returns two marks for a client, which it can ask for a challenge.
type marks func(ask) ([2]mark, error)

// listen serves on a UDP socket on loopback and sends to it.
func listen(t testing.TB, serve func(*net.UDPConn) error, m marks) (all clients) {
	t.Helper()
	conn, err := net.ListenUDP("udp", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- serve(conn) }()
	t.Cleanup(func() {
		conn.Close()
		<-done
	})
	for i := range all {
		all[i] = dial(t, conn.LocalAddr().(*net.UDPAddr), i, m)
	}
	return all
}

// loopback returns the address of client i. The last client is another host if programs can
// use all of 127.0.0.0/8, and otherwise a third port.
func loopback(i int) net.IP {
	hasMany := runtime.GOOS == "linux" || runtime.GOOS == "windows"
	if i == len(clients{})-1 && hasMany {
		return net.IPv4(127, 0, 0, 2)
	}
	return net.IPv4(127, 0, 0, 1)
}

// dial returns client i of a server. Two marks follow each request. When both have been
// answered, in this order, all answers to the request have arrived, and the server is
// still running. So there is no need to wait for a timeout.
func dial(t testing.TB, server *net.UDPAddr, i int, m marks) ask {
	t.Helper()
	client, err := net.DialUDP("udp", &net.UDPAddr{IP: loopback(i)}, server)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { client.Close() })
	a := overUDP{conn: client, buf: make([]byte, 1<<16)}
	marks, err := m(a.one)
	if err != nil {
		t.Fatal(err)
	}
	var requests [2][]byte
	for i := range marks {
		requests[i], err = marks[i].request.AppendBinary(nil)
		if err != nil {
			t.Fatal(err)
		}
	}
	return func(request []byte) (answers [][]byte, err error) {
		if err := a.send(request, requests[0], requests[1]); err != nil {
			return nil, err
		}
		for {
			answer, err := a.read()
			if err != nil {
				return nil, err
			}
			answers = append(answers, answer)
			k := len(answers) - 2
			if k >= 0 && starts(answers[k], marks[0].answer) && starts(answers[k+1], marks[1].answer) {
				return answers[:k], nil
			}
		}
	}
}

func starts(b []byte, with byte) bool { return len(b) > 0 && b[0] == with }

// overUDP is the client of a server at the other end of conn.
type overUDP struct {
	conn net.Conn
	buf  []byte
}

func (a overUDP) send(requests ...[]byte) error {
	if err := a.conn.SetDeadline(time.Now().Add(patience)); err != nil {
		return err
	}
	for _, b := range requests {
		if _, err := a.conn.Write(b); err != nil {
			return err
		}
	}
	return nil
}

func (a overUDP) read() ([]byte, error) {
	n, err := a.conn.Read(a.buf)
	if err != nil {
		return nil, fmt.Errorf("the server is gone, or a packet was lost: %w", err)
	}
	return bytes.Clone(a.buf[:n]), nil
}

// one sends a request that has exactly one answer, and returns it.
func (a overUDP) one(request []byte) ([][]byte, error) {
	if err := a.send(request); err != nil {
		return nil, err
	}
	answer, err := a.read()
	return [][]byte{answer}, err
}

// challenge sends a request for a challenge to a server and parses its only answer.
func challenge[T any](
	a ask, request encoding.BinaryAppender, parse func([]byte) (T, error), explain func([]byte) lobbywire.Explanation,
) (c T, err error) {
	b, err := request.AppendBinary(nil)
	if err != nil {
		return c, err
	}
	answers, err := a(b)
	if err != nil {
		return c, err
	}
	if len(answers) != 1 {
		return c, fmt.Errorf("%d answers to a challenge request", len(answers))
	}
	c, err = parse(answers[0])
	if err != nil {
		return c, explained(err, explain(answers[0]), answers[0])
	}
	return c, nil
}

// A talk sends a server the bytes of one connection and returns all bytes that
// it sends back.
type talk func(stream []byte) (answers []byte, err error)

// overTCP sends to the server at an address. At the end it closes its side, and
// the server then closes the connection, so there is no need to wait for a
// timeout.
func overTCP(addr string) talk {
	return func(stream []byte) ([]byte, error) {
		conn, err := net.DialTimeout("tcp", addr, patience)
		if err != nil {
			return nil, fmt.Errorf("the server is gone: %w", err)
		}
		defer conn.Close()
		if err := conn.SetDeadline(time.Now().Add(patience)); err != nil {
			return nil, err
		}
		if _, err := conn.Write(stream); err != nil {
			return nil, err
		}
		if err := conn.(*net.TCPConn).CloseWrite(); err != nil {
			return nil, err
		}
		return io.ReadAll(conn)
	}
}

// A variant is a request made from an input.
type variant struct {
	how     string // it was made
	request []byte
}

// fuzz fuzzes try with the given seeds.
func fuzz(f *testing.F, seeds [][]byte, try func(input []byte) error) {
	for _, seed := range seeds {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, input []byte) {
		if err := try(input); err != nil {
			t.Fatal(err)
		}
	})
}

// converse sends a stream to a server in this process and returns the answers.
func converse(server func(io.Reader, io.Writer) error) talk {
	return func(stream []byte) ([]byte, error) {
		var answers bytes.Buffer
		_ = server(bytes.NewReader(stream), &answers) // its error does not matter
		return answers.Bytes(), nil
	}
}

// listenTCP serves on a TCP port on loopback and sends to it.
func listenTCP(t testing.TB, serve func(net.Listener) error) talk {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- serve(l) }()
	t.Cleanup(func() {
		l.Close()
		<-done
	})
	return overTCP(l.Addr().String())
}

// changed is a talk with a server whose answers are changed.
func (t talk) changed(change func(answers []byte) []byte) talk {
	return func(stream []byte) ([]byte, error) {
		answers, err := t(stream)
		return change(answers), err
	}
}

// tryAll sends streams to a server, one after the other, and checks the answers to each.
func (t talk) tryAll(judge func(stream, answers []byte) error, streams ...[]byte) error {
	for _, sent := range streams {
		answers, err := t(sent)
		if err == nil {
			err = judge(sent, answers)
		}
		if err != nil {
			return fmt.Errorf("%w\nsent: %q", err, sent)
		}
	}
	return nil
}
