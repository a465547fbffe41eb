package warzonenet

import (
	"fmt"
	"io"
	"net"
	"testing"
	"time"

	"github.com/lobbywire/lobbywire/warzone"
)

func fullGames(b *testing.B, n int) (*Games, []uint32) {
	b.Helper()
	g := &Games{MaxPerPrefix: n, MaxListed: n}
	ids := make([]uint32, n)
	for i := range ids {
		ids[i] = addGame(b, g, gameAt(i)).ID
	}
	return g, ids
}

// A change costs the same with any number of games.
func BenchmarkGamesUpdate(b *testing.B) {
	for _, n := range []int{100, 10_000} {
		for _, listed := range []bool{false, true} {
			b.Run(fmt.Sprintf("games=%d/listed=%v", n, listed), func(b *testing.B) {
				g, ids := fullGames(b, n)
				b.ReportAllocs()
				for i := 0; b.Loop(); i++ {
					if listed { // so that the page must be copied
						g.list(warzone.LayoutVersioned)
					}
					if _, err := g.Update(ids[i%n], func(e *Entry) { e.Game.CurrentPlayers++ }); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// The cost of a Keep.
func BenchmarkGamesTouch(b *testing.B) {
	g, ids := fullGames(b, 10_000)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if !g.Touch(ids[i%len(ids)], time.Time{}) {
			b.Fatal("gone")
		}
	}
}

// A list over a socket, compared with a server that has the same bytes in memory.
func BenchmarkLobbyList(b *testing.B) {
	for _, n := range []int{100, 1024, 10_000} {
		g, _ := fullGames(b, n)
		l := &Lobby{Games: g}
		l.once.Do(l.init)
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
	request, _ := warzone.ListRequest{}.MarshalBinary()
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
	request, _ := warzone.ListRequest{}.MarshalBinary()
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
