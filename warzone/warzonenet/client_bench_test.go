package warzonenet

import (
	"context"
	"fmt"
	"io"
	"math"
	"net"
	"testing"
	"time"

	"github.com/lobbywire/lobbywire/internal/stream"
	"github.com/lobbywire/lobbywire/warzone"
)

// A segmented conn delivers a reply in pieces of one size.
type segmented struct {
	net.Conn
	left []byte
	size int
}

func (c *segmented) Read(b []byte) (int, error) {
	n := copy(b, c.left[:min(c.size, len(c.left))])
	c.left = c.left[n:]
	if n == 0 {
		return 0, io.EOF
	}
	return n, nil
}

func (c *segmented) Write(b []byte) (int, error)      { return len(b), nil }
func (c *segmented) Close() error                     { return nil }
func (c *segmented) RemoteAddr() net.Addr             { return net.TCPAddrFromAddrPort(scriptedAddr) }
func (c *segmented) SetReadDeadline(time.Time) error  { return nil }
func (c *segmented) SetWriteDeadline(time.Time) error { return nil }

// The time per byte does not grow with the list: compare the lengths. In practice
// each segment also costs a system call.
func BenchmarkClientReadsSegments(b *testing.B) {
	limits := stream.Limits{First: time.Minute, Frame: time.Hour, Idle: time.Minute, Write: time.Minute,
		MaxFrame: math.MaxInt, Buffer: listBuffer}
	for _, games := range []int{16, 128, 1024} {
		_, reply := replyOf(b, games)
		for _, size := range []int{64, 1460, 64 << 10} {
			b.Run(fmt.Sprintf("%d-games/%d-bytes", games, size), func(b *testing.B) {
				b.ReportAllocs()
				b.SetBytes(int64(len(reply)))
				for b.Loop() {
					conn := stream.NewConn(&segmented{left: reply, size: size}, limits)
					if got, partial, err := new(Client).readReply(conn, time.Minute); len(got) != len(reply) ||
						partial || err != nil {
						b.Fatal(len(got), partial, err)
					}
				}
			})
		}
	}
}

// List without a network, and a cached List.
func BenchmarkClientList(b *testing.B) {
	_, reply := replyOf(b, warzone.MaxGames)
	dial := func(context.Context, string, string) (net.Conn, error) {
		return &segmented{left: reply, size: 64 << 10}, nil
	}
	for name, every := range map[string]time.Duration{"fetched": -1, "cached": time.Hour} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			c := Client{Dial: dial, ListEvery: every}
			for b.Loop() {
				if l, err := c.List(b.Context(), scriptedAddr.String()); err != nil ||
					len(l.Games) != warzone.MaxGames {
					b.Fatal(len(l.Games), err)
				}
			}
		})
	}
}
