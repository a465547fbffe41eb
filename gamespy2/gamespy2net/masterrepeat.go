package gamespy2net

import (
	"math"
	"net/netip"
	"slices"
	"time"

	"github.com/lobbywire/lobbywire/internal/registry"
)

// headers are the bytes of the headers of IPv4 and UDP.
const headers = 28

// A datagram is to be sent to a server.
type datagram struct {
	to     netip.AddrPort
	packet []byte
}

// repeat sends the challenges and queries again that their servers have not answered: either
// of them or the answer may be lost, and the server would next send a heartbeat after 10 or
// 60 s.
func (m *Master) repeat() {
	now := time.Now()
	var again []datagram
	m.servers.Lock(now)
	m.pending.due(now, func(p *pending) {
		to := p.from
		for _, b := range m.repeatLocked(p, now) {
			again = append(again, datagram{to, b})
		}
	})
	m.servers.Unlock()
	for _, d := range again {
		m.loop.Send(d.to, d.packet)
	}
}

// repeatLocked returns the datagrams to send again, or nil if there is nothing more to wait
// for. The source of a heartbeat may be forged: with headers, the challenges have no more
// bytes than the heartbeat.
func (m *Master) repeatLocked(p *pending, now time.Time) [][]byte {
	i, known := m.servers.Find(p.from)
	switch {
	case p.awaits == awaitsProof && (p.repeated+1)*(headers+len(p.challenge)) <= headers+len(p.heartbeat):
		return [][]byte{slices.Clone(p.challenge)}
	case p.awaits == awaitsAnswer && known && m.servers.State(i) == registry.Hidden:
		return m.query(p.from, math.MaxInt, now, nil)
	}
	m.pending.answered(p.from)
	p.due = time.Time{}
	return nil
}
