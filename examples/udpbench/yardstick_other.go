//go:build !linux

package main

import (
	"net"

	"golang.org/x/net/ipv4"
)

// segments returns a message for each datagram, since the system cannot cut one.
func segments(answer [][]byte) []ipv4.Message { return datagrams(answer) }

// serveRaw is serveEcho, since the system has no calls for batches.
func serveRaw(conn *net.UDPConn, byLength [maxRequest + 1][]ipv4.Message) error {
	return serveEcho(conn, byLength)
}
