package nettest

import (
	"net"
	"testing"
)

// ClosedUDP returns an address of this machine at which no UDP socket receives. A connected
// socket has the port until the test ends, so no other program gets it.
func ClosedUDP(t testing.TB) string {
	t.Helper()
	return localOf(t, "udp4", "127.0.0.1:9")
}

// ClosedTCP returns an address of this machine at which nobody accepts connections. A
// connection has the port until the test ends, so no other program gets it.
func ClosedTCP(t testing.TB) string {
	t.Helper()
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return localOf(t, "tcp4", l.Addr().String())
}

// localOf returns the local address of a socket that is connected to peer.
func localOf(t testing.TB, network, peer string) string {
	t.Helper()
	conn, err := net.Dial(network, peer)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn.LocalAddr().String()
}
