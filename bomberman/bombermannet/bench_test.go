package bombermannet_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/bomberman"
	"github.com/lobbywire/lobbywire/bomberman/bombermannet"
)

// roomy returns a management server for very many connections from one address.
func roomy() *bombermannet.ManagementServer {
	return &bombermannet.ManagementServer{Limits: bombermannet.ManagementServerLimits{
		ConnLimits: lobbywire.ConnLimits{MaxPerAddress: 1 << 20, MaxPerPrefix: 1 << 20},
		QueryRate:  1 << 30,
		Rate:       1 << 30,
	}}
}

// on starts a management server on loopback and returns its address.
func on(b testing.TB, m *bombermannet.ManagementServer) string {
	b.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Skip(err)
	}
	serve(b, m, l)
	return l.Addr().String()
}

func dial(b testing.TB, addr string) *line {
	b.Helper()
	c, err := net.Dial("tcp", addr)
	if err != nil {
		b.Fatal(err)
	}
	return newLine(b, c)
}

// fill connects n game servers.
func fill(b testing.TB, addr string, n int) []*line {
	b.Helper()
	servers := make([]*line, n)
	for i := range servers {
		servers[i] = dial(b, addr)
		servers[i].raw(frame(register(fmt.Sprintf("Game server number %d", i), 1+i)) + frame(update(1, 4, true, 1)))
	}
	for _, s := range servers {
		s.send(query)
		if _, err := s.payload(); err != nil { // after all that was sent before
			b.Fatal(err)
		}
	}
	return servers
}

// BenchmarkList fetches a list of 400 game servers over loopback. The floor is a loop
// that answers with the same bytes from memory.
func BenchmarkList(b *testing.B) {
	addr := on(b, roomy())
	fill(b, addr, 400)
	client := dial(b, addr)
	client.send(query)
	payload, err := client.payload()
	if err != nil {
		b.Fatal(err)
	}
	answer, err := bomberman.AppendFrame(nil, payload)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("server", func(b *testing.B) { ask(b, addr, len(answer)) })
	b.Run("floor", func(b *testing.B) {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			b.Fatal(err)
		}
		defer l.Close()
		go func() {
			c, err := l.Accept()
			if err != nil {
				return
			}
			defer c.Close()
			for requests := bufio.NewReader(c); ; {
				if _, err := requests.ReadSlice('\n'); err != nil {
					return
				}
				if _, err := c.Write(answer); err != nil {
					return
				}
			}
		}()
		ask(b, l.Addr().String(), len(answer))
	})
}

// ask sends queries and reads answers of a size.
func ask(b *testing.B, addr string, size int) {
	c, err := net.Dial("tcp", addr)
	if err != nil {
		b.Fatal(err)
	}
	defer c.Close()
	request, answer := []byte(frame(query)), make([]byte, size)
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := c.Write(request); err != nil {
			b.Fatal(err)
		}
		if _, err := io.ReadFull(c, answer); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkUpdate sends changing stats of one of 1000 game servers.
func BenchmarkUpdate(b *testing.B) {
	addr := on(b, roomy())
	server := fill(b, addr, 1000)[500]
	const atOnce = 100
	var all strings.Builder
	for i := range atOnce {
		all.WriteString(frame(update(i, 4, i%2 == 0, 1)))
	}
	updates := all.String()
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		if n%atOnce == 0 {
			server.raw(updates)
		}
		n++
	}
	server.list()
}
