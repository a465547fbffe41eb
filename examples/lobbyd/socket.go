package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"syscall"
	"time"

	"github.com/lobbywire/lobbywire/examples/internal/admission"
	"github.com/lobbywire/lobbywire/examples/internal/files"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/ban"
)

// A socket is a socket of a server.
type socket struct {
	packets  net.PacketConn // over UDP, or
	listener net.Listener
}

func (at socket) addr() net.Addr {
	if at.packets != nil {
		return at.packets.LocalAddr()
	}
	return at.listener.Addr()
}

func (at socket) close() {
	if at.packets != nil {
		at.packets.Close()
		return
	}
	at.listener.Close()
}

// open opens the sockets of a server: inherited sockets with its name or, if there are
// none, a socket at its address, unless the address is off.
func (s *server) open(ctx context.Context, inherited []*os.File) error {
	switch {
	case len(inherited) > 0:
		for _, f := range inherited {
			at, err := s.adopt(f)
			if err != nil {
				return fmt.Errorf("inherited socket %s: %w", s.name, err)
			}
			s.sockets = append(s.sockets, at)
		}
	case !s.at.off() || s.path != "":
		at, err := s.listen(ctx)
		if err != nil {
			what := "address"
			if s.path != "" {
				what = "path"
			}
			return fmt.Errorf("%w; choose another %s with -%s, or none with -%[3]s off", err, what, flagOf(s.name))
		}
		s.sockets = append(s.sockets, at)
	}
	return nil
}

// adopt takes over a socket that another process has opened.
func (s *server) adopt(f *os.File) (at socket, err error) {
	defer f.Close() // the server has its own copy
	if s.udp != nil {
		at.packets, err = net.FilePacketConn(f)
	} else {
		at.listener, err = net.FileListener(f)
	}
	return at, err
}

func (s *server) listen(ctx context.Context) (at socket, err error) {
	var l net.ListenConfig
	if s.udp != nil {
		at.packets, err = l.ListenPacket(ctx, "udp", s.at.hostPort)
	} else if s.path != "" {
		at.listener, err = files.Listen(s.path)
	} else {
		at.listener, err = l.Listen(ctx, "tcp", s.at.hostPort)
	}
	return at, err
}

// guard protects at from banned addresses. A listener waits when there are no file descriptors.
func (at *socket) guard(gate *ban.Gate, warnings *admission.Warnings) (err error) {
	if at.packets != nil {
		at.packets, err = gate.PacketConn(at.packets)
		return err
	}
	at.listener = gate.Listener(waitingListener{at.listener, warnings})
	return nil
}

// acceptEvery is how often a waitingListener tries to accept a connection.
const acceptEvery = 100 * time.Millisecond

// A waitingListener waits until there is a file descriptor for a connection. All of them log one
// warning, while each server would log its own.
type waitingListener struct {
	net.Listener
	warnings *admission.Warnings
}

func (l waitingListener) Accept() (net.Conn, error) {
	for {
		c, err := l.Listener.Accept()
		if !errors.Is(err, syscall.EMFILE) && !errors.Is(err, syscall.ENFILE) {
			return c, err
		}
		l.warnings.Warn("connections have to wait: raise LimitNOFILE of the service, or ulimit -n",
			"out of file descriptors", netip.Addr{}, "error", err)
		time.Sleep(acceptEvery)
	}
}

// A server is a server of lobbyd, on any number of sockets.
type server struct {
	name    string // of its sockets; flagOf returns the name of its flag
	at      address
	path    string       // of a unix socket, instead of at
	udp     packetServer // over UDP, or
	tcp     streamServer // over TCP
	sockets []socket

	optional bool // it need not listen
}

type packetServer interface {
	Serve(pc net.PacketConn) error
	Shutdown(ctx context.Context) error
}

type streamServer interface {
	Serve(l net.Listener) error
	Shutdown(ctx context.Context) error
}

// serve serves until shutdown. It owns at.
func (s *server) serve(at socket) error {
	if s.udp != nil {
		return s.udp.Serve(at.packets)
	}
	return s.tcp.Serve(at.listener)
}

func (s *server) shutdown(ctx context.Context) error {
	if s.udp != nil {
		return s.udp.Shutdown(ctx)
	}
	return s.tcp.Shutdown(ctx)
}
