package main

import (
	"errors"
	"net"
	"net/netip"
	"os"
	"time"

	"github.com/lobbywire/lobbywire/gamespy2"
)

// Bounds of what one socket takes of a frame, also in a flood.
const (
	maxPerFrame = 256 // datagrams
	patience    = 200 * time.Microsecond
)

// maxRequest is one more than the longest request of all protocols. What is
// longer is cut here, and then refused for its length.
const maxRequest = gamespy2.MaxRequest + 1

// poll calls answer with each datagram that has come in. It fails when pc is
// closed; what else goes wrong is about one datagram.
func poll(pc *net.UDPConn, b *buffers, answer func(from netip.AddrPort, req []byte)) error {
	// A read looks into the socket before it waits, but not when time is up.
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

// send sends one datagram. If that fails it is lost, as it may be on its way.
func send(pc *net.UDPConn, b []byte, to netip.AddrPort) { _, _ = pc.WriteToUDPAddrPort(b, to) }

func sendAll(pc *net.UDPConn, all [][]byte, to netip.AddrPort) {
	for _, b := range all {
		send(pc, b, to)
	}
}
