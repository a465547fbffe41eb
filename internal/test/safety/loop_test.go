package safety_test

import (
	"net"
	"net/netip"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire/gamespy2"
	"github.com/lobbywire/lobbywire/internal/test/nettest"
)

// The addresses of a pair, and how long a datagram takes between them.
var (
	firstAddr  = netip.MustParseAddrPort("192.0.2.1:25601")
	secondAddr = netip.MustParseAddrPort("198.51.100.2:25601")
)

const delay = 15 * time.Millisecond

// No datagram that is sent to one server in the name of another makes the two exchange
// more than one answer. Nor does a datagram that is sent in the name of a service that
// returns every datagram.
func TestServersDoNotAnswerEachOther(t *testing.T) {
	all := datagrams(t)
	for _, first := range kinds {
		answered := answeredBy(t, first, all)
		t.Logf("%s answers %d of %d datagrams", first.name, len(answered), len(all))
		for _, second := range append(kinds[:len(kinds):len(kinds)], kind{name: "echo service"}) {
			t.Run(first.name+", "+second.name, func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					if exchange(t, first, second, answered) == 0 {
						t.Error("no answers")
					}
				})
			})
		}
	}
}

// answeredBy returns the datagrams that a server answers.
func answeredBy(t *testing.T, k kind, all [][]byte) (answered [][]byte) {
	s := k.make(t, unlimited)
	for _, b := range all {
		if len(nettest.Answers(s.Respond(secondAddr, b, nil))) > 0 {
			answered = append(answered, b)
		}
	}
	return answered
}

// exchange sends datagrams to the first server in the name of the second, and
// returns the number of answers.
func exchange(t *testing.T, first, second kind, all [][]byte) (answers int) {
	type sent struct {
		nettest.Packet
		at time.Time
	}
	var mu sync.Mutex
	var packets []sent
	network := &nettest.Network{Route: func(p nettest.Packet) []nettest.Packet {
		mu.Lock()
		defer mu.Unlock()
		packets = append(packets, sent{p, time.Now()})
		p.Delay = delay
		return []nettest.Packet{p}
	}}
	defer serve(t, network, firstAddr, first)()
	if second.make != nil {
		defer serve(t, network, secondAddr, second)()
	} else {
		defer echo(t, network, secondAddr)()
	}
	const batch = 500
	for len(all) > 0 {
		now := all[:min(batch, len(all))]
		all = all[len(now):]
		start := time.Now()
		for _, b := range now {
			network.Inject(nettest.Packet{From: secondAddr, To: firstAddr, Data: b})
		}
		time.Sleep(20 * delay)
		mu.Lock()
		seen := packets
		packets = nil
		mu.Unlock()
		for _, p := range seen {
			if p.From == firstAddr && p.at.Equal(start) {
				answers++
				continue
			}
			if p.From == secondAddr && second.make == nil || first.name == gameSpyMaster &&
				isAvailabilityAnswered(p.Data) {
				continue
			}
			t.Fatalf("%v later, %v sends %x: an answer to an answer", p.at.Sub(start), p.From, p.Data)
		}
	}
	return answers
}

// isAvailabilityAnswered reports whether b is the answer of a game server to a master
// that has said that a game is available: to a game server this is a challenge request
// without an id. The master does not answer again.
func isAvailabilityAnswered(b []byte) bool {
	m, err := gamespy2.ParseChallengeResponse(b)
	return err == nil && m.ID == [4]byte{}
}

// serve runs a server of a kind. The result stops it.
func serve(t *testing.T, network *nettest.Network, addr netip.AddrPort, k kind) (stop func()) {
	pc, err := network.Listen(addr)
	must(t, err)
	s := k.make(t, unlimited)
	done := make(chan struct{})
	go func() {
		s.Serve(pc)
		close(done)
	}()
	return func() {
		s.Close()
		<-done
	}
}

// echo returns every datagram to its sender.
func echo(t *testing.T, network *nettest.Network, addr netip.AddrPort) (stop func()) {
	pc, err := network.Listen(addr)
	must(t, err)
	done := make(chan struct{})
	go func() {
		defer close(done)
		b := make([]byte, 1<<16)
		for {
			n, from, err := pc.ReadFrom(b)
			if err != nil {
				return
			}
			if _, err := pc.WriteTo(b[:n], net.UDPAddrFromAddrPort(from.(*net.UDPAddr).AddrPort())); err != nil {
				return
			}
		}
	}()
	return func() {
		pc.Close()
		<-done
	}
}
