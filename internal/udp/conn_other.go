//go:build !linux

package udp

import "net"

// NewConn returns a Conn of pc. Only Linux sends many datagrams in one call and counts
// dropped ones.
func NewConn(pc net.PacketConn, maxDatagram int) Conn { return newSingle(pc, maxDatagram) }

func newServerConn(pc net.PacketConn, maxDatagram int) Conn { return newSingleServer(pc, maxDatagram) }

// NewPoller returns a Poller for sockets like pc, or nil if there is none.
func NewPoller(net.PacketConn) Poller { return nil }
