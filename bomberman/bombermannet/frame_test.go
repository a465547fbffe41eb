package bombermannet

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// A trickle is a connection whose input arrives in parts of 8 bytes.
type trickle struct {
	net.Conn // takes what is sent
	in       io.Reader
}

func (c trickle) Read(b []byte) (int, error)       { return c.in.Read(b[:min(8, len(b))]) }
func (c trickle) Write(b []byte) (int, error)      { return len(b), nil }
func (c trickle) SetReadDeadline(time.Time) error  { return nil }
func (c trickle) SetWriteDeadline(time.Time) error { return nil }
func (c trickle) Close() error                     { return nil }
func (c trickle) RemoteAddr() net.Addr             { return nil }

// The time for a list that counts units of UTF-16 and arrives in parts of 8 bytes
// grows with its size, not with the square of it: for 32 times the size, it is far
// less than 1024 times as long, even on a busy machine.
func TestClientReadsInTime(t *testing.T) {
	const small, times = 30 << 10, 32
	took := func(size int) time.Duration {
		list := `{"command":"msRQueryGameServers","content":{"servers":[]},"x":"` + strings.Repeat("é", size/2) + `"}`
		frame := fmt.Appendf(nil, "%d%s\n", utf8.RuneCountInString(list)+1, list)
		best := time.Hour
		for range 5 {
			c := Client{Dial: func(context.Context, string, string) (net.Conn, error) {
				return trickle{in: bytes.NewReader(frame)}, nil
			}}
			start := time.Now()
			if _, err := c.List(t.Context(), "192.0.2.1:51963"); err != nil {
				t.Fatal(err)
			}
			best = min(best, time.Since(start))
		}
		return best
	}
	one, many := took(small), took(small*times)
	t.Logf("%d KiB take %v, %d KiB %v", small>>10, one, small*times>>10, many)
	if many > 8*times*one {
		t.Errorf("%d KiB take %v, %d KiB %v", small>>10, one, small*times>>10, many)
	}
}
