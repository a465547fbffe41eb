//go:build unix

package udp

import (
	"net"
	"net/netip"
	"testing"
	"time"
)

// Serve requests a large receive buffer.
func TestServeRequestsReceiveBuffer(t *testing.T) {
	large, small := sockets(t, "127.0.0.1:0")
	granted := ReceiveBuffer(large)
	if granted == receiveBuffer(small.(*net.UDPConn)) {
		t.Skip("the system grants no more than it gives by default")
	}
	sizes := make(chan int)
	s := &Server{
		Handler: func(time.Time, netip.Addr, netip.AddrPort, []byte, [][]byte) ([][]byte, Outcome) {
			sizes <- receiveBuffer(small.(*net.UDPConn))
			return nil, Handled
		},
		MaxRequest: 100,
	}
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(small) }()
	if _, err := large.WriteTo([]byte("x"), small.LocalAddr()); err != nil {
		t.Fatal(err)
	}
	if got := <-sizes; got != granted {
		t.Errorf("%d bytes, want %d", got, granted)
	}
	s.Close()
	<-ended
}
