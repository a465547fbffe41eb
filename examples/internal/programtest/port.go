package programtest

import (
	"math/rand/v2"
	"net"
	"strconv"
	"testing"
)

// UnusedAddr returns a loopback address whose port is unused at all addresses, which some
// programs listen on. Systems choose higher ports, so no connection takes it before the
// caller does.
func UnusedAddr(t testing.TB) string {
	t.Helper()
	for range 100 {
		port := strconv.Itoa(10000 + rand.IntN(20000))
		l, err := net.Listen("tcp", ":"+port)
		if err == nil {
			l.Close()
			return "127.0.0.1:" + port
		}
	}
	t.Fatal("no unused port")
	return ""
}
