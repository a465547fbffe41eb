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
	local  netip.Addr // to send from
	to     netip.AddrPort
	packet []byte
}

// repeat sends the challenges and queries again that their servers have not answered: either
// of them or the answer may be lost, and the server would next send a heartbeat after 10 or
// 60 s. It removes servers that have moved.
func (m *Master) repeat() {
	now := time.Now()
	var again []datagram
	var moved []pending
	m.servers.Do(now, func(t *locked) {
		m.pending.due(now, func(p *pending) {
			server := pending{from: p.from, local: p.local, key: p.key, at: p.at, awaits: p.awaits}
			packets := m.again(t, p, now)
			for _, b := range packets {
				again = append(again, datagram{server.local, server.from, b})
			}
			if server.awaits == awaitsLife && packets == nil {
				moved = append(moved, server)
			}
		})
	})
	for _, d := range again {
		m.loop.Send(d.local, d.to, d.packet)
	}
	for _, server := range moved {
		m.removeMoved(server)
	}
}

// again returns the datagrams to send again, or nil if there is nothing more to wait
// for. The source of a heartbeat may be forged: with headers, the challenges have no more
// bytes than the heartbeat.
func (m *Master) again(t *locked, p *pending, now time.Time) [][]byte {
	i, known := t.Find(p.from)
	switch {
	case p.awaits == awaitsProof && (p.repeated+1)*(headers+len(p.challenge)) <= headers+len(p.heartbeat):
		return [][]byte{slices.Clone(p.challenge)}
	case p.awaits == awaitsAnswer && known && t.State(i) == registry.Hidden,
		p.awaits == awaitsLife && known && p.repeated < len(repeatAfter):
		return m.query(p.from, math.MaxInt, now, nil)
	}
	m.pending.answered(p.from)
	p.due = time.Time{}
	return nil
}

// An instance identifies a server whose port may change.
type instance struct{ ip, key [4]byte }

// instance returns the instance of server i.
func (m *listMaster) instance(t *locked, i int) instance {
	return instance{t.Key(i).Addr().As4(), t.Value(i).key}
}

// keepInstance keeps the port of listed server i.
func (m *listMaster) keepInstance(t *locked, i int) {
	if m.instances == nil {
		m.instances = make(map[instance]uint16)
	}
	m.instances[m.instance(t, i)] = t.Key(i).Port()
}

// forgetInstance undoes keepInstance, unless another server has the same
// instance.
func (m *listMaster) forgetInstance(t *locked, i int) {
	if of := m.instance(t, i); m.instances[of] == t.Key(i).Port() {
		delete(m.instances, of)
	}
}

// checkMoved queries a listed server whose instance has just registered from another port,
// as after a restart of its NAT. The server is removed if it is silent. It is kept if it
// answers or sends something: another server may have the same instance key.
func (m *Master) checkMoved(of instance, to netip.AddrPort, game *gameTable, now time.Time) {
	var at netip.AddrPort
	var local netip.Addr
	checks := false
	m.servers.Do(now, func(t *locked) {
		at = netip.AddrPortFrom(to.Addr(), m.instances[of])
		i, known := t.Find(at)
		p := m.pending.find(at)
		isChecked := p != nil && !p.due.IsZero()
		checks = known && at != to && t.Value(i).game == game && !isChecked
		if checks {
			local = t.Value(i).local
		}
	})
	if !checks {
		return
	}
	sent := false
	for _, b := range m.query(at, math.MaxInt, now, nil) {
		sent = m.loop.Send(local, at, b)
	}
	if sent {
		m.servers.Do(now, func(*locked) { m.pending.await(awaitsLife, local, at, of.key, now) })
	}
}

// removeMoved removes a server that has been silent since it was first queried.
func (m *Master) removeMoved(p pending) {
	m.servers.Update(p.from, time.Now(), false, func(t *locked, i int) registry.Outcome {
		heard := t.Deadline(i).Add(-Expiry)
		if t.Value(i).key != p.key || heard.After(p.at) {
			return registry.Ignore
		}
		return registry.Remove
	})
}
