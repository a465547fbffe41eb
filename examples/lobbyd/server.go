package main

import (
	"context"
	"net"
)

// A server is a server of lobbyd, on any number of sockets.
type server struct {
	name    string // of its sockets; flagOf has that of its flag
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
