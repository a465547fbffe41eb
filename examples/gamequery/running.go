package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"time"
)

// A gameServer is a server or master of any protocol.
type gameServer struct {
	serve    func(pc net.PacketConn) error // over UDP, or
	accept   func(l net.Listener) error    // over TCP, or both
	shutdown func(ctx context.Context) error
	stats    func() string
	register func(ctx context.Context, pc net.PacketConn) error // nil, or runs beside serve
	note     string                                             // printed when it starts
}

// shutdownTime is the time limit for the last answers.
const shutdownTime = 5 * time.Second

// A running is a gameServer with its socket, between start and stop.
type running struct {
	gameServer
	socket
	list net.Listener // for accept beside serve, nil if there is none

	leave              context.CancelFunc // cancels register
	served, registered <-chan error       // results of serve and register; registered may be nil
	listed             <-chan error       // result of accept beside serve; may be nil
}

// open opens a socket and creates the server for its port. Unless list is empty, it
// also opens a socket for lists over TCP.
func open(ctx context.Context, p protocol, addr, list string, make func(port uint16) (gameServer, error)) (*running, error) {
	at, err := listen(ctx, p, addr)
	if err != nil {
		return nil, err
	}
	r := &running{socket: at}
	if list != "" {
		if r.list, err = new(net.ListenConfig).Listen(ctx, "tcp", list); err != nil {
			at.Close()
			return nil, badListen(err)
		}
	}
	if r.gameServer, err = make(at.local.Port()); err != nil {
		at.Close()
		if r.list != nil {
			r.list.Close()
		}
		return nil, err
	}
	return r, nil
}

func (r *running) start(ctx context.Context) {
	r.served = inBackground(func() error { return r.socket.serve(r.gameServer) })
	if r.list != nil {
		r.listed = inBackground(func() error { return r.accept(r.list) })
	}
	ctx, r.leave = context.WithCancel(ctx)
	if r.register == nil {
		return
	}
	r.registered = inBackground(func() error {
		err := r.register(ctx, r.pc)
		if ctx.Err() != nil {
			return nil // registrations end this way
		}
		return err
	})
}

// wait returns nil when ctx is done, or the error that has ended r.
func (r *running) wait(ctx context.Context) (err error) {
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

// stop takes r off its master's list and finishes pending answers.
func (r *running) stop(ctx context.Context) error {
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

// A socket is the socket of a gameServer.
type socket struct {
	io.Closer
	pc       net.PacketConn // over UDP, or
	listener net.Listener   // over TCP
	local    netip.AddrPort
}

func listen(ctx context.Context, p protocol, addr string) (socket, error) {
	if p.network == "tcp" {
		l, err := new(net.ListenConfig).Listen(ctx, p.network, addr)
		if err != nil {
			return socket{}, badListen(err)
		}
		return socket{Closer: l, listener: l, local: l.Addr().(*net.TCPAddr).AddrPort()}, nil
	}
	pc, err := new(net.ListenConfig).ListenPacket(ctx, "udp", addr)
	if err != nil {
		return socket{}, badListen(err)
	}
	return socket{Closer: pc, pc: pc, local: pc.LocalAddr().(*net.UDPAddr).AddrPort()}, nil
}

func badListen(err error) error {
	return fmt.Errorf("%w; choose another address, or port 0 for any that is free", err)
}

func (at socket) serve(s gameServer) error {
	if at.listener != nil {
		return s.accept(at.listener)
	}
	return s.serve(at.pc)
}

// inBackground runs f and sends its result.
func inBackground(f func() error) <-chan error {
	done := make(chan error, 1)
	go func() { done <- f() }()
	return done
}
