//go:build linux

package safety_test

import (
	"context"
	"math/rand/v2"
	"net"
	"net/netip"
	"slices"
	"sync/atomic"
	"time"
)

// attacker returns an address of loopback in another prefix than honest clients.
func attacker(n int) net.IP { return net.IPv4(127, 0, 7, byte(1+n%250)) }

// malformed returns a message, often with some of its bytes changed.
func malformed(messages [][]byte) []byte {
	b := slices.Clone(messages[rand.IntN(len(messages))])
	for range rand.IntN(4) {
		if len(b) > 0 {
			b[rand.IntN(len(b))] = byte(rand.Uint32())
		}
	}
	return b
}

// flood sends datagrams over sockets, about 5000 a second.
func flood(addr netip.AddrPort, messages [][]byte) func(ctx context.Context, sent *atomic.Int64) {
	return func(ctx context.Context, sent *atomic.Int64) {
		conn, err := net.DialUDP("udp4", &net.UDPAddr{IP: attacker(0)}, net.UDPAddrFromAddrPort(addr))
		if err != nil {
			return
		}
		defer conn.Close()
		for every(ctx, 10*time.Millisecond) {
			for range 50 {
				if _, err := conn.Write(malformed(messages)); err == nil {
					sent.Add(1)
				}
			}
		}
	}
}

// forge calls Respond with sources of 16 prefixes, about 20 000 times a second.
func forge(s server, messages [][]byte) func(ctx context.Context, sent *atomic.Int64) {
	return func(ctx context.Context, sent *atomic.Int64) {
		var dst [][]byte
		for every(ctx, 10*time.Millisecond) {
			for range 200 {
				from := netip.AddrPortFrom(netip.AddrFrom4([4]byte{198, 51, byte(rand.IntN(16)), byte(rand.Uint32())}),
					5000)
				dst, _ = s.Respond(from, malformed(messages), dst[:0])
				sent.Add(1)
			}
		}
	}
}

// A peer is what an attacker does with a connection.
type peer func(ctx context.Context, conn net.Conn, messages [][]byte, sent *atomic.Int64)

// connect attacks with connections, one after another.
func connect(n int, addr string, messages [][]byte, do peer) func(ctx context.Context, sent *atomic.Int64) {
	return func(ctx context.Context, sent *atomic.Int64) {
		dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: attacker(n)}}
		for every(ctx, 5*time.Millisecond) {
			conn, err := dialer.DialContext(ctx, "tcp4", addr)
			if err != nil {
				continue
			}
			stop := context.AfterFunc(ctx, func() { conn.Close() })
			do(ctx, conn, messages, sent)
			stop()
			conn.Close()
		}
	}
}

// slow sends a byte now and then.
func slow(ctx context.Context, conn net.Conn, messages [][]byte, sent *atomic.Int64) {
	for _, c := range malformed(messages) {
		if _, err := conn.Write([]byte{c}); err != nil || !every(ctx, 100*time.Millisecond) {
			return
		}
		sent.Add(1)
	}
}

// garbage sends a few malformed messages and reads a little.
func garbage(_ context.Context, conn net.Conn, messages [][]byte, sent *atomic.Int64) {
	conn.SetDeadline(time.Now().Add(50 * time.Millisecond))
	for range 1 + rand.IntN(4) {
		if _, err := conn.Write(malformed(messages)); err != nil {
			return
		}
		sent.Add(1)
	}
	_, _ = conn.Read(make([]byte, 64))
}

// deaf keeps sending and reads nothing.
func deaf(ctx context.Context, conn net.Conn, messages [][]byte, sent *atomic.Int64) {
	for every(ctx, time.Millisecond) {
		if _, err := conn.Write(messages[rand.IntN(len(messages))]); err != nil {
			return
		}
		sent.Add(1)
	}
}
