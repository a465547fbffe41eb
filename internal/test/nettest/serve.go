package nettest

import (
	"context"
	"math/rand/v2"
	"net"
	"net/netip"
	"sync"
	"testing"
	"time"
)

// A Respond returns the answers to a request.
type Respond func(from netip.AddrPort, req []byte) [][]byte

// Answers returns the answers that a server's Respond returns.
func Answers(answers [][]byte, _ bool) [][]byte { return answers }

// By returns the Respond of a server.
func By(s interface {
	Respond(from netip.AddrPort, req []byte, dst [][]byte) (answers [][]byte, ok bool)
}) Respond {
	return func(from netip.AddrPort, req []byte) [][]byte { return Answers(s.Respond(from, req, nil)) }
}

// Serve answers the requests that arrive at addr until the test ends.
func (n *Network) Serve(t testing.TB, addr netip.AddrPort, respond Respond) {
	t.Helper()
	pc, err := n.Listen(addr)
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		buf := make([]byte, 2048)
		for {
			n, from, err := pc.ReadFrom(buf)
			if err != nil {
				return
			}
			for _, b := range respond(from.(*net.UDPAddr).AddrPort(), buf[:n]) {
				pc.WriteTo(b, from)
			}
		}
	}()
	t.Cleanup(func() {
		pc.Close()
		<-done
	})
}

// ListenAny returns a connection at a new port of 127.0.0.1, for clients that scan.
func (n *Network) ListenAny(context.Context) (net.PacketConn, error) {
	return n.Listen(netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 0, 0, 1}), 0))
}

// Faulty returns a Route that drops, repeats, delays, reorders and forges packets, and cuts
// them if cut is set.
func Faulty(seed uint64, cut bool) func(p Packet) []Packet {
	r := rand.New(rand.NewPCG(seed, 1))
	var mu sync.Mutex
	return func(p Packet) []Packet {
		mu.Lock()
		defer mu.Unlock()
		p.Delay = time.Duration(r.IntN(50)) * time.Millisecond
		switch r.IntN(12) {
		case 0:
			return nil
		case 1:
			late := p
			late.Delay += 3 * time.Second
			return []Packet{p, late, p}
		case 2:
			if cut {
				p.Data = p.Data[:r.IntN(len(p.Data)+1)]
			}
		case 3:
			forged := p
			forged.From = netip.MustParseAddrPort("192.0.2.2:5000")
			return []Packet{forged, p}
		case 4:
			noise := p
			noise.Data = make([]byte, 1+r.IntN(64))
			for i := range noise.Data {
				noise.Data[i] = byte(r.Uint32())
			}
			return []Packet{noise, p}
		}
		return []Packet{p}
	}
}
