package check

import (
	"net"
	"testing"
	"time"
)

// A pausedConn is a socket of a process that the machine stops before the first reads for longer
// than any answer may take.
type pausedConn struct {
	net.PacketConn
	pauses int
}

func (c *pausedConn) ReadFrom(b []byte) (int, net.Addr, error) {
	if c.pauses > 0 {
		c.pauses--
		<-time.After(50 * time.Millisecond)
	}
	return c.PacketConn.ReadFrom(b)
}

func TestAskReadsAnswersThatWaited(t *testing.T) {
	server, err := net.ListenPacket("udp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	go func() {
		b := make([]byte, 100)
		for {
			size, from, err := server.ReadFrom(b)
			if err != nil {
				return
			}
			_, _ = server.WriteTo(b[:size], from)
		}
	}()
	n := NewNetwork(t.Context(), addrPort(server.LocalAddr()), 10*time.Second)
	defer n.Close()
	if answers, err := n.Ask(0, []byte("first"), One, true); len(answers) != 1 || err != nil {
		t.Fatal(answers, err)
	}
	n.Renew()
	n.wrap = func(_ int, c net.PacketConn) net.PacketConn { return &pausedConn{c, 3} }
	if answers, err := n.Ask(0, []byte("second"), One, false); len(answers) != 1 || err != nil {
		t.Errorf("%q, %v", answers, err)
	}
}
