package gamespy2net_test

import (
	"fmt"
	"io"
	"net"
	"testing"

	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
	"github.com/lobbywire/lobbywire/gamespy2/sb2"
)

// benchListed is the number of servers in the lists of benchmarks.
const benchListed = 10_000

// benchListMaster returns a master with n servers.
func benchListMaster(t testing.TB, n int) *gamespy2net.Master {
	m := newListMaster()
	m.Unchecked = true
	for i := range n {
		enlist(t, m, manyServers(i), fullBeat(t, i, i%64))
	}
	return m
}

// fullBeat returns a heartbeat of server i with some players.
func fullBeat(t testing.TB, i, players int) []byte {
	return beat{pairs: []string{
		"hostname", fmt.Sprintf("Harbour server %d", i), "gametype", []string{"arena", "ctf"}[i%2], "mapname",
		fmt.Sprintf("map%d", i%30),
		"numplayers", fmt.Sprint(players), "maxplayers", "64",
	}}.wire(t)
}

// fullRequest requests five fields of all servers.
func fullRequest() sb2.ListRequest {
	request := requestFor("hostname", "gametype", "mapname", "numplayers", "maxplayers")
	request.Options = sb2.OptionAllFields
	return request
}

// overLoopback serves connections on loopback with serve, and returns the address.
func overLoopback(b *testing.B, serve func(l net.Listener) error) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Skip(err)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		serve(l)
	}()
	b.Cleanup(func() {
		l.Close()
		<-ended
	})
	return l.Addr().String()
}

// fetch requests a list and reads size bytes of the answer.
func fetch(b *testing.B, addr string, request []byte, size int64) {
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		b.Fatal(err)
	}
	defer conn.Close()
	if _, err := conn.Write(request); err != nil {
		b.Fatal(err)
	}
	if n, err := io.CopyN(io.Discard, conn, size); err != nil {
		b.Fatal(n, err)
	}
}

// answerSize returns the size of an answer, and the answer without its head, decrypted.
func answerSize(b *testing.B, addr string, request sb2.ListRequest) (size int64, plain []byte) {
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		b.Fatal(err)
	}
	defer conn.Close()
	c := &listClient{Conn: conn, t: b, stream: sb2.MasterStream{Secret: gmtest.Key, Request: request}}
	if _, err := conn.Write(wireBytes(b, request)); err != nil {
		b.Fatal(err)
	}
	list := c.list()
	if len(list.Servers) != benchListed {
		b.Fatalf("%d servers", len(list.Servers))
	}
	head, _, _ := c.stream.Start()
	plain = wireBytes(b, list)
	return int64(len(wireBytes(b, head)) + len(plain)), plain
}

// BenchmarkMasterList fetches lists of 10 000 servers over loopback: unchanged, with a
// filter that all pass, and with a change before each. The floor is a server that
// writes the same bytes through the same cipher.
func BenchmarkMasterList(b *testing.B) {
	m := benchListMaster(b, benchListed)
	addr := overLoopback(b, m.ServeLists)
	b.Cleanup(func() { m.Close() })
	request := fullRequest()
	size, plain := answerSize(b, addr, request)
	b.Run("unchanged", func(b *testing.B) {
		b.SetBytes(size)
		in := wireBytes(b, request)
		for b.Loop() {
			fetch(b, addr, in, size)
		}
	})
	b.Run("floor", func(b *testing.B) {
		floor := overLoopback(b, func(l net.Listener) error { return serveFloor(l, plain) })
		b.SetBytes(size)
		in := wireBytes(b, request)
		for b.Loop() {
			fetch(b, floor, in, size)
		}
	})
	b.Run("filter", func(b *testing.B) {
		b.SetBytes(size)
		request := request
		request.Filter = "numplayers < 100 and hostname like '%server%'"
		in := wireBytes(b, request)
		for b.Loop() {
			fetch(b, addr, in, size)
		}
	})
	b.Run("changed", func(b *testing.B) {
		b.SetBytes(size)
		in := wireBytes(b, request)
		for i := 0; b.Loop(); i++ {
			n := i * 7 % benchListed
			m.Respond(manyServers(n), fullBeat(b, n, 10+i%2), nil)
			fetch(b, addr, in, size-1) // numbers may have another length
		}
	})
}

// serveFloor answers each request with a head and the same bytes, encrypted.
func serveFloor(l net.Listener, plain []byte) error {
	for {
		conn, err := l.Accept()
		if err != nil {
			return err
		}
		go func() {
			defer conn.Close()
			in := make([]byte, sb2.MaxRequest)
			if _, err := conn.Read(in); err != nil {
				return
			}
			head := sb2.Head{Random: make([]byte, 6), Challenge: make([]byte, 25)}
			out, err := head.AppendBinary(nil)
			if err != nil {
				return
			}
			if _, err := conn.Write(out); err != nil {
				return
			}
			c, _ := sb2.NewCipher("secret", sb2.Challenge{}, nil)
			buffer := make([]byte, 32<<10)
			for rest := plain; len(rest) > 0; {
				n := min(len(buffer), len(rest))
				c.Encrypt(buffer[:n], rest[:n])
				if _, err := conn.Write(buffer[:n]); err != nil {
					return
				}
				rest = rest[n:]
			}
			io.Copy(io.Discard, conn)
		}()
	}
}
