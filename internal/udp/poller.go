package udp

import (
	"net"
	"time"
)

// A Poller waits for datagrams on any of several sockets, so that one goroutine can
// read them all. Only Linux has it.
type Poller interface {
	// Add adds a socket under a number.
	Add(pc net.PacketConn, n int) error

	// Wait returns the numbers of sockets that have datagrams, none at the deadline.
	// The slice is valid until the next call.
	Wait() ([]int, error)

	// Read reads from a socket that Wait has named. It does not wait, so it may read
	// nothing.
	Read(c Conn) (int, error)

	// SetDeadline ends a Wait at t, also a pending one.
	SetDeadline(t time.Time) error

	Close() error
}
