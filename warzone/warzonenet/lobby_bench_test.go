package warzonenet

import (
	"fmt"
	"io"
	"net"
	"testing"

	"github.com/lobbywire/lobbywire/warzone"
	"github.com/lobbywire/lobbywire/warzone/internal/gamestest"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
)

func fullGames(b *testing.B, n int) (*warzonegames.Games, []uint32) {
	b.Helper()
	g := &warzonegames.Games{Limits: warzonegames.Limits{MaxPerPrefix: n}, MaxListed: n}
	ids := make([]uint32, n)
	for i := range ids {
		ids[i] = gamestest.Add(b, g, gamestest.At(i)).ID
	}
	return g, ids
}

// A list over a socket, compared with a server that has the same bytes in memory.
func BenchmarkLobbyList(b *testing.B) {
	for _, n := range []int{100, 1024, 10_000} {
		g, _ := fullGames(b, n)
		l := &Lobby{Games: g}
		l.server.Once.Do(l.init)
		var all []byte
		for _, part := range l.reply() {
			all = append(all, part...)
		}
		b.Run(fmt.Sprintf("games=%d/lobby", n), func(b *testing.B) {
			l := &Lobby{Games: g} // for each run: they do not serve again once closed
			benchList(b, len(all), l.Serve)
			if err := l.Close(); err != nil {
				b.Error(err)
			}
		})
		b.Run(fmt.Sprintf("games=%d/memory", n), func(b *testing.B) {
			benchList(b, len(all), func(listener net.Listener) error {
				for {
					c, err := listener.Accept()
					if err != nil {
						return err
					}
					go serveBytes(c, all)
				}
			})
		})
	}
}

// serveBytes sends b after a request.
func serveBytes(c net.Conn, b []byte) {
	defer c.Close()
	request, _ := warzone.ListRequest{}.AppendBinary(nil)
	if _, err := io.ReadFull(c, request); err != nil {
		return
	}
	if _, err := c.Write(b); err != nil {
		return
	}
	if c.(*net.TCPConn).CloseWrite() == nil {
		io.Copy(io.Discard, c)
	}
}

// benchList measures requests for a list of size bytes.
func benchList(b *testing.B, size int, serve func(net.Listener) error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- serve(listener) }()
	request, _ := warzone.ListRequest{}.AppendBinary(nil)
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		c, err := net.Dial("tcp", listener.Addr().String())
		if err != nil {
			b.Fatal(err)
		}
		if _, err := c.Write(request); err != nil {
			b.Fatal(err)
		}
		if n, err := io.Copy(io.Discard, c); err != nil || n != int64(size) {
			b.Fatalf("%d bytes, %v, want %d", n, err, size)
		}
		c.Close()
	}
	b.StopTimer()
	listener.Close()
	<-ended
}
