package fuzzharness

import (
	"net"
	"net/netip"
)

// serve answers datagrams to conn until conn is closed.
func serve(conn *net.UDPConn, respond func(from netip.AddrPort, req []byte) []byte) error {
	buf := make([]byte, 2048)
	for {
		n, from, err := conn.ReadFromUDPAddrPort(buf)
		if err != nil {
			return err
		}
		if answer := respond(from, buf[:n]); answer != nil {
			_, _ = conn.WriteToUDPAddrPort(answer, from) // the client may be unreachable
		}
	}
}
