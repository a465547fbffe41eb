package udp

import (
	"net"
	"testing"
	"time"
)

// Linux counts dropped datagrams.
func TestConnCountsDrops(t *testing.T) {
	pa, pb := sockets(t, "127.0.0.1:0")
	if countDrops(pb.(*net.UDPConn)) == 0 {
		t.Skip("this kernel does not count") // or an emulator does not pass the option on
	}
	if err := pb.(*net.UDPConn).SetReadBuffer(1); err != nil {
		t.Fatal(err)
	}
	b := NewConn(pb, 2000)
	const n = 500
	for range n {
		if _, err := pa.WriteTo(make([]byte, 1000), pb.LocalAddr()); err != nil {
			t.Fatal(err)
		}
	}
	read := 0
	drain := func() {
		pb.SetReadDeadline(time.Now().Add(100 * time.Millisecond))
		for {
			k, err := b.Read()
			if err != nil {
				return
			}
			read += k
		}
	}
	drain()
	// The count comes with the next packet that finds room.
	if _, err := pa.WriteTo(nil, pb.LocalAddr()); err != nil {
		t.Fatal(err)
	}
	drain()
	if got := int(b.Dropped()); got == 0 || got != n+1-read {
		t.Errorf("%d dropped, want %d", got, n+1-read)
	}
}
