package udp

import (
	"errors"
	"net"
	"net/netip"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/test/nettest"
)

// A failing socket fails its first reads.
type failing struct {
	net.PacketConn
	reads int
	err   error
}

func (c *failing) ReadFrom(b []byte) (int, net.Addr, error) {
	if c.reads > 0 {
		c.reads--
		return 0, nil, &net.OpError{Op: "read", Net: "udp", Err: c.err}
	}
	return c.PacketConn.ReadFrom(b)
}

// Errors about one datagram, such as a datagram longer than the buffer on Windows,
// neither delay the next answer nor end Serve.
func TestServeOutlivesErrorsAboutDatagrams(t *testing.T) {
	for _, failure := range datagramErrors {
		synctest.Test(t, func(t *testing.T) {
			var network nettest.Network
			home, client := netip.MustParseAddrPort("192.0.2.1:7"), netip.MustParseAddrPort("192.0.2.2:7")
			pc, err := network.Listen(home)
			if err != nil {
				t.Fatal(err)
			}
			asking, err := network.Listen(client)
			if err != nil {
				t.Fatal(err)
			}
			s := &Server{MaxRequest: 8,
				Handler: func(_ time.Time, _ netip.Addr, _ netip.AddrPort, req []byte, dst [][]byte) ([][]byte, Outcome) {
					return append(dst, req), Handled
				}}
			ended := make(chan error, 1)
			go func() { ended <- s.Serve(&failing{pc, 1000, failure}) }()
			start := time.Now()
			if _, err := asking.WriteTo([]byte("hello"), net.UDPAddrFromAddrPort(home)); err != nil {
				t.Fatal(err)
			}
			buf := make([]byte, 8)
			if n, _, err := asking.ReadFrom(buf); err != nil || string(buf[:n]) != "hello" || time.Since(start) != 0 {
				t.Errorf("after 1000 times %v: %q, %v, %v later", failure, buf[:n], err, time.Since(start))
			}
			s.Close()
			if err := <-ended; !errors.Is(err, lobbywire.ErrClosed) {
				t.Error(err)
			}
			asking.Close()
		})
	}
}

// A socket that only fails is broken.
func TestServeEndsWithABrokenSocket(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		broken := errors.New("broken")
		s := &Server{MaxRequest: 8}
		if err := s.Serve(&failing{reads: 1 << 30, err: broken, PacketConn: closable{}}); !errors.Is(err, broken) {
			t.Errorf("Serve returned %v", err)
		}
	})
}

type closable struct{ net.PacketConn }

func (closable) Close() error { return nil }

func (closable) LocalAddr() net.Addr { return nil }
