package soak

import (
	"context"
	"io"
	"math/rand/v2"
	"net"
	"net/netip"
	"slices"
	"time"

	"github.com/lobbywire/lobbywire/examples/internal/cli"
)

// Parameters of hostile peers.
const (
	hostilePeers = 24
	hostileEvery = 50 * time.Millisecond // of each peer, on average
)

// attack sends payloads until ctx is done.
func (s *Soak) attack(ctx context.Context, peer int) {
	r := s.random(-1 - peer)
	var servers []string
	for server := range s.Corpus {
		servers = append(servers, server)
	}
	slices.Sort(servers)
	for cli.Pause(ctx, about(r, hostileEvery)) {
		to, corpus := servers[r.IntN(len(servers))], servers[r.IntN(len(servers))]
		if r.IntN(4) != 0 {
			corpus = to
		}
		b := payload(r, s.Corpus[corpus])
		if opensNameless(b) {
			continue
		}
		s.counts.payloads.Add(1)
		network := "tcp"
		if to == string(GameAgent) {
			network = "udp"
		}
		// The outcome does not matter here: lists show faults.
		sendTo(ctx, r, network, hostile(peer), s.Addr[to], b)
	}
}

// payload returns an input of the corpus, often modified, or random bytes.
func payload(r *rand.Rand, corpus [][]byte) []byte {
	b := slices.Clone(corpus[r.IntN(len(corpus))])
	switch r.IntN(6) {
	case 0, 1:
	case 2:
		for range 1 + r.IntN(8) {
			if len(b) > 0 {
				b[r.IntN(len(b))] = byte(r.Uint32())
			}
		}
	case 3:
		b = b[:r.IntN(len(b)+1)]
	case 4:
		b = append(b, corpus[r.IntN(len(corpus))]...)
	case 5:
		b = make([]byte, r.IntN(2000))
		for i := range b {
			b[i] = byte(r.Uint32())
		}
	}
	return b
}

// sendTo sends a payload and ends the connection in a random way.
func sendTo(ctx context.Context, r *rand.Rand, network string, from netip.Addr, to string, b []byte) error {
	d := net.Dialer{LocalAddr: net.TCPAddrFromAddrPort(netip.AddrPortFrom(from, 0))}
	if network == "udp" {
		d.LocalAddr = net.UDPAddrFromAddrPort(netip.AddrPortFrom(from, 0))
	}
	c, err := d.DialContext(ctx, network, to)
	if err != nil {
		return err
	}
	defer c.Close()
	c.SetDeadline(time.Now().Add(time.Second))
	if _, err := c.Write(b); err != nil {
		return err
	}
	stream, ok := c.(*net.TCPConn)
	if !ok {
		return nil
	}
	switch r.IntN(4) {
	case 0:
	case 1:
		return stream.SetLinger(0)
	case 2:
		if err := stream.CloseWrite(); err != nil {
			return err
		}
		_, err = io.Copy(io.Discard, stream)
	case 3:
		cli.Pause(ctx, about(r, time.Second/2))
	}
	return err
}
