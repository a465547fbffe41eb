package nettest

import (
	"errors"
	"net"
	"os"
	"testing"
	"time"
)

func TestClosedPortsRefuse(t *testing.T) {
	if conn, err := net.Dial("tcp4", ClosedTCP(t)); err == nil {
		t.Error("TCP: connected")
		conn.Close()
	}
	conn, err := net.Dial("udp4", ClosedUDP(t))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(10 * time.Second))
	if _, err := conn.Write([]byte("x")); err != nil {
		t.Fatal(err)
	}
	if _, err := conn.Read(make([]byte, 1)); err == nil || errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("UDP: %v", err)
	}
}
