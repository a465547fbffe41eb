package main

import (
	"errors"
	"net"
	"net/netip"
	"os"
	"time"

	"github.com/lobbywire/lobbywire/gamespy2"
)

// Limits on the work for one socket in a frame, for floods.
const (
	maxPerFrame = 256 // datagrams
	patience    = 200 * time.Microsecond
)

// maxRequest is one more than the size of the longest request of all protocols. A
// longer request is cut to it, and then refused for its size.
const maxRequest = gamespy2.MaxRequest + 1

// poll calls answer with each datagram that has arrived. It fails if pc is closed;
// other errors concern a single datagram.
func poll(pc *net.UDPConn, b *buffers, answer func(from netip.AddrPort, req []byte)) error {
	// A read tries the socket before it waits, but not after its deadline.
	if err := pc.SetReadDeadline(time.Now().Add(patience)); err != nil {
		return err
	}
	for range maxPerFrame {
		n, from, err := pc.ReadFromUDPAddrPort(b.in[:])
		switch {
		case errors.Is(err, os.ErrDeadlineExceeded):
			return nil
		case errors.Is(err, net.ErrClosed):
			return err
		case err == nil:
			answer(from, b.in[:n])
		}
	}
	return nil
}

// send sends one datagram. On error the datagram is lost, as any datagram may be.
func send(pc *net.UDPConn, b []byte, to netip.AddrPort) { _, _ = pc.WriteToUDPAddrPort(b, to) }
