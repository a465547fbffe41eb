package gamespy1net_test

import (
	"io"
	"net"
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1"
)

// listedServers is the number of servers in the lists of benchmarks.
const listedServers = 10_000

// fetchList fetches a list over loopback. list is the form of the list. It
// returns the list.
func fetchList(b *testing.B, addr, list string, buf []byte) []byte {
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		b.Fatal(err)
	}
	defer conn.Close()
	greeting := buf[:benchGreeting]
	if _, err := io.ReadFull(conn, greeting); err != nil {
		b.Fatal(err)
	}
	g, err := gamespy1.ParseGreeting(greeting)
	if err != nil {
		b.Fatal(err)
	}
	request, err := gamespy1.ListRequest{
		GameName: "serioussamse", Validate: gamespy1.Validate(g.Secure, gamespy1.SeriousSamKey),
		QueryID: "1.1", List: list, ListName: "serioussamse",
	}.AppendBinary(nil)
	if err != nil {
		b.Fatal(err)
	}
	if _, err := conn.Write(request); err != nil {
		b.Fatal(err)
	}
	for n := 0; ; {
		k, err := conn.Read(buf[n:])
		n += k
		if err == io.EOF {
			return buf[:n]
		}
		if err != nil {
			b.Fatal(err)
		}
	}
}

// benchGreeting is the size of a greeting.
const benchGreeting = len(`\basic\\secure\ABCDEF`)

// BenchmarkGameSpyList fetches the list of 10 000 servers over loopback, compact
// and as text. The floor is a server that greets, reads a request and writes the same
// bytes.
func BenchmarkGameSpyList(b *testing.B) {
	m := newMaster()
	m.Limits.Conns = lobbywire.ConnLimits{MaxPerAddress: 4096, MaxPerPrefix: 4096}
	for i := range listedServers {
		enlistProduct(b, m, manyServers(i<<4))
	}
	master := listenLists(b, func(l net.Listener) { m.ServeLists(l) })
	b.Cleanup(func() { m.Close() })
	for name, list := range map[string]string{"compact": gamespy1.ListCompact, "text": ""} {
		buf := make([]byte, 1<<20)
		want := append([]byte(nil), fetchList(b, master, list, buf)...)
		floor := listenLists(b, func(l net.Listener) { serveListFloor(l, want) })
		for _, server := range []struct{ name, addr string }{{"master", master}, {"floor", floor}} {
			b.Run(name+"/"+server.name, func(b *testing.B) {
				b.SetBytes(int64(len(want)))
				for b.Loop() {
					if got := fetchList(b, server.addr, list, buf); len(got) != len(want) {
						b.Fatalf("%d bytes, want %d", len(got), len(want))
					}
				}
			})
		}
	}
}

// listenLists serves connections on loopback until the end of the benchmark.
func listenLists(b *testing.B, serve func(l net.Listener)) (addr string) {
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

func serveListFloor(l net.Listener, list []byte) {
	for {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		go func() {
			defer conn.Close()
			in := make([]byte, 1024)
			if _, err := io.WriteString(conn, `\basic\\secure\ABCDEF`); err != nil {
				return
			}
			if _, err := conn.Read(in); err != nil {
				return
			}
			if _, err := conn.Write(list); err != nil {
				return
			}
			if err := conn.(*net.TCPConn).CloseWrite(); err != nil {
				return
			}
			io.Copy(io.Discard, conn)
		}()
	}
}
