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
// grows with its size, not with the square of it: a list takes about as long as many
// small ones of the same total size, and not as many times as long, even on a busy
// machine.
func TestClientReadsInTime(t *testing.T) {
	const small, times = 8 << 10, 120
	took := func(lists, size int) time.Duration {
		list := `{"command":"msRQueryGameServers","content":{"servers":[]},"x":"` + strings.Repeat("é", size/2) + `"}`
		frame := fmt.Appendf(nil, "%d%s\n", utf8.RuneCountInString(list)+1, list)
		start := time.Now()
		for range lists {
			c := Client{Dial: func(context.Context, string, string) (net.Conn, error) {
				return trickle{in: bytes.NewReader(frame)}, nil
			}}
			if _, err := c.List(t.Context(), "192.0.2.1:51963"); err != nil {
				t.Fatal(err)
			}
		}
		return time.Since(start)
	}
	all, one := time.Hour, time.Hour
	for range 5 {
		all, one = min(all, took(times, small)), min(one, took(1, times*small))
	}
	t.Logf("%d lists of %d KiB take %v, one of %d KiB %v", times, small>>10, all, small*times>>10, one)
	if one > times/3*all {
		t.Error("the time grows with the square of the size")
	}
}
