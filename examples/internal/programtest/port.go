package programtest

import (
	"net"
	"strconv"
	"sync"
	"testing"

	"github.com/lobbywire/lobbywire"
)

// Each process that calls UnusedAddr has a block of ports. Systems choose higher ports
// for connections.
const (
	firstBlock = 10000
	blocks     = 200
	blockPorts = 100
)

// taken is the block of this process. Its listener holds the first port, which keeps other
// processes from taking the block, until the process ends.
var taken struct {
	sync.Mutex
	holder net.Listener
	port   int // the last port that was returned, or the first of the block
}

// UnusedAddr returns a loopback address whose port is unused at all addresses, which some
// programs listen on. The next 90 calls and all other processes get other ports.
func UnusedAddr(t testing.TB) string {
	t.Helper()
	taken.Lock()
	defer taken.Unlock()
	for block := 0; taken.holder == nil; block++ {
		if block == blocks {
			t.Fatal("no unused block of ports")
		}
		taken.port = firstBlock + block*blockPorts
		taken.holder = listen(taken.port)
	}
	for range blockPorts {
		taken.port++
		if taken.port%blockPorts == 0 {
			taken.port -= blockPorts - 1 // again, after tests that have ended
		}
		if lobbywire.IsServicePort(uint16(taken.port)) {
			continue
		}
		if l := listen(taken.port); l != nil {
			l.Close()
			return "127.0.0.1:" + strconv.Itoa(taken.port)
		}
	}
	t.Fatal("no unused port")
	return ""
}

// listen listens on a port of all addresses. It returns nil if the port is in use.
func listen(port int) net.Listener {
	l, err := net.Listen("tcp", ":"+strconv.Itoa(port))
	if err != nil {
		return nil
	}
	return l
}
