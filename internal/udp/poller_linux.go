package udp

import (
	"errors"
	"net"
	"os"
	"syscall"
	"time"
)

// epoll is a Poller that itself waits in the poller of the Go runtime.
type epoll struct {
	fd     int
	file   *os.File
	raw    syscall.RawConn
	events [batchSize]syscall.EpollEvent
	ready  []int
}

// NewPoller returns a Poller for sockets like pc, or nil if there is none.
func NewPoller(pc net.PacketConn) Poller {
	if _, ok := pc.(*net.UDPConn); !ok {
		return nil
	}
	fd, err := syscall.EpollCreate1(syscall.EPOLL_CLOEXEC)
	if err != nil {
		return nil
	}
	if err := syscall.SetNonblock(fd, true); err != nil {
		syscall.Close(fd)
		return nil
	}
	file := os.NewFile(uintptr(fd), "epoll")
	raw, err := file.SyscallConn()
	if err != nil || file.SetReadDeadline(time.Time{}) != nil {
		file.Close()
		return nil
	}
	return &epoll{fd: fd, file: file, raw: raw}
}

func (p *epoll) Add(pc net.PacketConn, n int) error {
	c, ok := pc.(*net.UDPConn)
	if !ok {
		return errors.ErrUnsupported
	}
	return control(c, func(fd int) error {
		event := syscall.EpollEvent{Events: syscall.EPOLLIN, Fd: int32(n)}
		return syscall.EpollCtl(p.fd, syscall.EPOLL_CTL_ADD, fd, &event)
	})
}

func (p *epoll) Wait() ([]int, error) {
	p.ready = p.ready[:0]
	var waitErr error
	err := p.raw.Read(func(fd uintptr) bool {
		n, err := syscall.EpollWait(int(fd), p.events[:], 0)
		for err == syscall.EINTR {
			n, err = syscall.EpollWait(int(fd), p.events[:], 0)
		}
		for _, event := range p.events[:max(n, 0)] {
			p.ready = append(p.ready, int(event.Fd))
		}
		waitErr = err
		return n != 0
	})
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return nil, nil
	}
	return p.ready, errors.Join(err, waitErr)
}

func (p *epoll) Read(c Conn) (int, error) {
	b := c.(*batch) // as all Conns of UDP sockets are
	n, err := b.read(b.in, syscall.MSG_DONTWAIT)
	if errors.Is(err, syscall.EAGAIN) { // the checksum of the only datagram was wrong
		return 0, nil
	}
	return n, err
}

func (p *epoll) SetDeadline(t time.Time) error { return p.file.SetReadDeadline(t) }

func (p *epoll) Close() error { return p.file.Close() }
