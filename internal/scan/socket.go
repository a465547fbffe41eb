package scan

import (
	"errors"
	"net"
	"time"

	"github.com/lobbywire/lobbywire/internal/udp"
)

// A socket sends and receives for flights. If a goroutine reads it, the engine handles
// the datagrams of a read before the next read.
type socket struct {
	pc      net.PacketConn
	conn    udp.Conn
	dropped uint64 // datagrams dropped by the system before the last that was handled

	n        int       // datagrams of the last read
	at       time.Time // when they were read
	failures udp.Failures
	err      error // why the socket cannot be read any more
	handled  chan struct{}
	ended    chan struct{} // closed when the reader ends; nil without a reader
}

// note records the results of a read of conn. It reports whether there are datagrams, or
// err is set.
func (s *socket) note(n int, err error) bool {
	s.n, s.at = n, time.Now()
	if s.failures.Add(err) || errors.Is(err, net.ErrClosed) {
		s.err = err
	}
	return err == nil || s.err != nil
}

// read passes the socket to the engine whenever datagrams have arrived, until it is
// closed or broken.
func (s *socket) read(to chan<- *socket, stop <-chan struct{}) {
	defer close(s.ended)
	for s.err == nil {
		if !s.note(s.conn.Read()) {
			continue
		}
		select {
		case to <- s:
			<-s.handled
		case <-stop:
			return
		}
	}
}

// release returns the socket to its reader.
func (s *socket) release() {
	if s.ended != nil {
		s.handled <- struct{}{}
	}
}

// close ends the reader and waits for it.
func (s *socket) close() {
	s.pc.Close()
	if s.ended != nil {
		<-s.ended
	}
}
