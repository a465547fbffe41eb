//go:build unix

package fdstore

import (
	"net"
	"syscall"

	"golang.org/x/sys/unix"
)

// sendConn sends a message to systemd with a copy of conn.
func (s *Store) sendConn(text string, conn net.Conn) error {
	inner, ok := conn.(syscall.Conn)
	if !ok {
		return net.UnknownNetworkError(conn.RemoteAddr().Network())
	}
	raw, err := inner.SyscallConn()
	if err != nil {
		return err
	}
	var sent error
	err = raw.Control(func(fd uintptr) { sent = s.send(text, unix.UnixRights(int(fd))) })
	if err != nil {
		return err
	}
	return sent
}

// send sends a message to systemd. WriteMsgUnix refuses a socket that is connected.
func (s *Store) send(text string, rights []byte) error {
	raw, err := s.notify.SyscallConn()
	if err != nil {
		return err
	}
	var sent error
	err = raw.Write(func(fd uintptr) bool {
		sent = unix.Sendmsg(int(fd), []byte(text), rights, nil, unix.MSG_NOSIGNAL)
		return sent != unix.EAGAIN
	})
	if err != nil {
		return err
	}
	return sent
}
