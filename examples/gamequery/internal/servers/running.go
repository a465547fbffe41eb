// Package servers runs servers and masters for testing.
package servers

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"time"
)

// A Server is a server or master of any protocol.
type Server struct {
	serve    func(pc net.PacketConn) error // over UDP, or
	accept   func(l net.Listener) error    // over TCP, or both
	shutdown func(ctx context.Context) error
	Stats    func() string
	register func(ctx context.Context, pc net.PacketConn) error // nil, or runs beside serve
	Note     string                                             // printed when it starts
}

// shutdownTime is the time limit for the last answers.
const shutdownTime = 5 * time.Second

// A Running is a Server with its socket, between start and stop.
type Running struct {
	Server
	socket
	List net.Listener // for accept beside serve, nil if there is none

	leave              context.CancelFunc // cancels register
	served, registered <-chan error       // results of serve and register; registered may be nil
	listed             <-chan error       // result of accept beside serve; may be nil
}

// Open opens a socket and creates the server for its address. Unless list is empty, it
// also opens a socket for lists over TCP.
func Open(
	ctx context.Context, network, addr, list string, make func(at netip.AddrPort) (Server, error),
) (*Running, error) {
	at, err := listen(ctx, network, addr)
	if err != nil {
		return nil, err
	}
	r := &Running{socket: at}
	if list != "" {
		r.List, err = new(net.ListenConfig).Listen(ctx, "tcp", list)
		if err != nil {
			at.Close()
			return nil, BadListen(err)
		}
	}
	r.Server, err = make(at.Local)
	if err != nil {
		at.Close()
		if r.List != nil {
			r.List.Close()
		}
		return nil, err
	}
	return r, nil
}

// Start starts the server, and its list and registrations if it has any. Registrations
// end when ctx is done.
func (r *Running) Start(ctx context.Context) {
	r.served = InBackground(func() error { return r.socket.serve(r.Server) })
	if r.List != nil {
		r.listed = InBackground(func() error { return r.accept(r.List) })
	}
	ctx, r.leave = context.WithCancel(ctx)
	if r.register == nil {
		return
	}
	r.registered = InBackground(func() error {
		err := r.register(ctx, r.pc)
		if ctx.Err() != nil {
			return nil // registrations end this way
		}
		return err
	})
}

// Wait returns nil when ctx is done, or the error that has ended r.
func (r *Running) Wait(ctx context.Context) (err error) {
	select {
	case <-ctx.Done():
	case err = <-r.served:
		r.served = nil
	case err = <-r.listed:
		r.listed = nil
	case err = <-r.registered:
		r.registered = nil
	}
	return err
}

// Stop takes r off its master's list and finishes pending answers.
func (r *Running) Stop(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownTime)
	defer cancel()
	r.leave()
	var failed error
	if r.registered != nil {
		failed = <-r.registered
	}
	failed = errors.Join(failed, r.shutdown(ctx))
	r.Close() // most servers have closed it already
	if r.served != nil {
		<-r.served // always reports that it was closed
	}
	if r.listed != nil {
		<-r.listed
	}
	return failed
}

// A socket is the socket of a Server.
type socket struct {
	io.Closer
	pc       net.PacketConn // over UDP, or
	listener net.Listener   // over TCP
	Local    netip.AddrPort
}

func listen(ctx context.Context, network, addr string) (socket, error) {
	if network == "tcp" {
		l, err := new(net.ListenConfig).Listen(ctx, network, addr)
		if err != nil {
			return socket{}, BadListen(err)
		}
		return socket{Closer: l, listener: l, Local: l.Addr().(*net.TCPAddr).AddrPort()}, nil
	}
	pc, err := new(net.ListenConfig).ListenPacket(ctx, "udp", addr)
	if err != nil {
		return socket{}, BadListen(err)
	}
	return socket{Closer: pc, pc: pc, Local: pc.LocalAddr().(*net.UDPAddr).AddrPort()}, nil
}

// BadListen adds advice to an error of listening.
func BadListen(err error) error {
	return fmt.Errorf("%w; choose another address, or port 0 for any that is free", err)
}

func (at socket) serve(s Server) error {
	if at.listener != nil {
		return s.accept(at.listener)
	}
	return s.serve(at.pc)
}

// InBackground runs f and sends its result.
func InBackground(f func() error) <-chan error {
	done := make(chan error, 1)
	go func() { done <- f() }()
	return done
}
