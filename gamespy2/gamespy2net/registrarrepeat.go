package gamespy2net

import (
	"math"
	"net/netip"
	"slices"
	"time"

	"github.com/lobbywire/lobbywire/internal/registry"
)

// A repetition is a datagram that is sent again.
type repetition struct {
	local netip.Addr // to send from
	to    netip.AddrPort
	b     []byte
}

// repeat sends unanswered challenges and checks again: they or the answer may be lost, and
// the server would send its next heartbeat only after 10 or 60 s. It removes servers that
// have moved.
func (r *registrar) repeat() {
	now := time.Now()
	var again []repetition
	var moved []pending
	r.catalogue.servers.Do(now, func(t *locked) {
		r.pending.due(now, func(p *pending) {
			server := pending{from: p.from, local: p.local, key: p.key, at: p.at, awaits: p.awaits}
			datagrams := r.again(t, p, now)
			for _, b := range datagrams {
				again = append(again, repetition{server.local, server.from, b})
			}
			if server.awaits == awaitsLife && datagrams == nil {
				moved = append(moved, server)
			}
		})
	})
	for _, d := range again {
		r.socket.Send(d.local, d.to, d.b)
	}
	for _, server := range moved {
		r.removeMoved(server)
	}
}

// headers is the size of the headers of IPv4 and UDP.
const headers = 28

// again returns the datagrams to repeat, or nil if the wait is over. The source of a
// heartbeat may be forged, so the challenges, with headers, have a total of no more bytes
// than the heartbeat.
func (r *registrar) again(t *locked, p *pending, now time.Time) [][]byte {
	i, known := t.Find(p.from)
	switch {
	case p.awaits == awaitsProof && (p.repeated+1)*(headers+len(p.challenge)) <= headers+len(p.heartbeat):
		return [][]byte{slices.Clone(p.challenge)}
	case p.awaits == awaitsAnswer && known && t.State(i) == registry.Hidden,
		p.awaits == awaitsLife && known && p.repeated < len(repeatAfter):
		return r.appendCheck(nil, p.from, math.MaxInt, now)
	}
	r.pending.answered(p.from)
	p.due = time.Time{}
	return nil
}
