package scan

import (
	"errors"
	"net"
	"time"

	"github.com/lobbywire/lobbywire/internal/udp"
)

// A socket carries all conversations of one attempt. Its reader and the engine
// take turns: what one call has read is handled before the next.
type socket struct {
	attempt int
	pc      net.PacketConn
	conn    udp.Conn
	dropped uint64 // by the system, as of what was handled last

	n       int       // datagrams of the last read
	at      time.Time // when they were read
	handled chan struct{}
	ended   chan struct{}
}

func newSocket(pc net.PacketConn, attempt, maxDatagram int) *socket {
	return &socket{
		attempt: attempt,
		pc:      pc,
		conn:    udp.NewConn(pc, maxDatagram),
		handled: make(chan struct{}),
		ended:   make(chan struct{}),
	}
}

// maxErrors is how many errors in a row mean that a socket is broken. One
// error, if it is not of closing, is about one peer.
const maxErrors = 100

// read hands the socket over each time that datagrams have come, until it is
// closed.
func (s *socket) read(to chan<- *socket, stop <-chan struct{}) {
	defer close(s.ended)
	for failures := 0; failures < maxErrors; {
		var err error
		s.n, err = s.conn.Read()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil {
			failures++
			continue
		}
		failures = 0
		s.at = time.Now()
		select {
		case to <- s:
			<-s.handled
		case <-stop:
			return
		}
	}
}

// release gives the socket back to its reader.
func (s *socket) release() {
	s.dropped = s.conn.Dropped()
	s.handled <- struct{}{}
}
