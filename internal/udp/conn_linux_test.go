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
	sent, read := 500, 0
	for range sent {
		if _, err := pa.WriteTo(make([]byte, 1000), pb.LocalAddr()); err != nil {
			t.Fatal(err)
		}
	}
	for end := time.Now().Add(time.Minute); ; sent++ {
		pb.SetReadDeadline(time.Now().Add(10 * time.Millisecond))
		for {
			k, err := b.Read()
			if err != nil {
				break
			}
			read += k
		}
		got := int(b.Dropped())
		if got > 0 && got == sent-read {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("%d dropped, want %d", got, sent-read)
		}
		// The count comes with the next packet that finds room.
		if _, err := pa.WriteTo(nil, pb.LocalAddr()); err != nil {
			t.Fatal(err)
		}
	}
}
