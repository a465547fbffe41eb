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
	broken   bool // too many reads in a row have failed
	handled  chan struct{}
	ended    chan struct{} // closed when the reader ends; nil without a reader
}

func newSocket(pc net.PacketConn, conn udp.Conn) *socket {
	return &socket{pc: pc, conn: conn, handled: make(chan struct{})}
}

// note records the results of a read of conn.
func (s *socket) note(n int, err error) error {
	s.n, s.at = n, time.Now()
	s.broken = s.failures.Add(err)
	return err
}

// received returns the socket if a read of conn has returned datagrams, and the error
// if it cannot be read any more.
func (s *socket) received(n int, err error) (*socket, error) {
	switch err := s.note(n, err); {
	case err == nil:
		return s, nil
	case s.isBroken(err):
		return nil, err
	}
	return nil, nil
}

// isBroken reports whether the socket cannot be read any more after err.
func (s *socket) isBroken(err error) bool {
	return errors.Is(err, net.ErrClosed) || s.broken
}

// read passes the socket to the engine whenever datagrams have arrived, until it is
// closed. Its only deadline is the one that ends the scan.
func (s *socket) read(to chan<- *socket, stop <-chan struct{}) {
	defer close(s.ended)
	for {
		if err := s.note(s.conn.Read()); s.isBroken(err) {
			return
		} else if err != nil {
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

// wake ends a read.
func (s *socket) wake() { _ = s.pc.SetReadDeadline(time.Unix(1, 0)) }

// close ends the reader and waits for it.
func (s *socket) close() {
	s.pc.Close()
	if s.ended != nil {
		<-s.ended
	}
}
