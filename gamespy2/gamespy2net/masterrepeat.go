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
	m.servers.Lock(now)
	m.pending.due(now, func(p *pending) {
		server := pending{from: p.from, local: p.local, key: p.key, at: p.at, awaits: p.awaits}
		packets := m.repeatLocked(p, now)
		for _, b := range packets {
			again = append(again, datagram{server.local, server.from, b})
		}
		if server.awaits == awaitsLife && packets == nil {
			moved = append(moved, server)
		}
	})
	m.servers.Unlock()
	for _, d := range again {
		m.loop.Send(d.local, d.to, d.packet)
	}
	for _, server := range moved {
		m.removeMoved(server)
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
	case p.awaits == awaitsAnswer && known && m.servers.State(i) == registry.Hidden,
		p.awaits == awaitsLife && known && p.repeated < len(repeatAfter):
		return m.query(p.from, math.MaxInt, now, nil)
	}
	m.pending.answered(p.from)
	p.due = time.Time{}
	return nil
}

// An instance identifies a server whose port may change.
type instance struct{ ip, key [4]byte }

// instanceLocked returns the instance of server i.
func (m *listMaster) instanceLocked(i int) instance {
	return instance{m.servers.Key(i).Addr().As4(), m.servers.Value(i).key}
}

// keepInstanceLocked keeps the port of listed server i.
func (m *listMaster) keepInstanceLocked(i int) {
	if m.instances == nil {
		m.instances = make(map[instance]uint16)
	}
	m.instances[m.instanceLocked(i)] = m.servers.Key(i).Port()
}

// forgetInstanceLocked undoes keepInstanceLocked, unless another server has the same
// instance.
func (m *listMaster) forgetInstanceLocked(i int) {
	if of := m.instanceLocked(i); m.instances[of] == m.servers.Key(i).Port() {
		delete(m.instances, of)
	}
}

// checkMoved queries a listed server whose instance has just registered from another port,
// as after a restart of its NAT. The server is removed if it is silent. It is kept if it
// answers or sends something: another server may have the same instance key.
func (m *Master) checkMoved(of instance, to netip.AddrPort, game *gameTable, now time.Time) {
	m.servers.Lock(now)
	at := netip.AddrPortFrom(to.Addr(), m.instances[of])
	i, known := m.servers.Find(at)
	p := m.pending.find(at)
	isChecked := p != nil && !p.due.IsZero()
	checks := known && at != to && m.servers.Value(i).game == game && !isChecked
	var local netip.Addr
	if checks {
		local = m.servers.Value(i).local
	}
	m.servers.Unlock()
	if !checks {
		return
	}
	sent := false
	for _, b := range m.query(at, math.MaxInt, now, nil) {
		sent = m.loop.Send(local, at, b)
	}
	if sent {
		m.servers.Lock(now)
		m.pending.await(awaitsLife, local, at, of.key, now)
		m.servers.Unlock()
	}
}

// removeMoved removes a server that has been silent since it was first queried.
func (m *Master) removeMoved(p pending) {
	m.servers.Update(p.from, time.Now(), false, func(i int) registry.Outcome {
		heard := m.servers.Deadline(i).Add(-Expiry)
		if m.servers.Value(i).key != p.key || heard.After(p.at) {
			return registry.Ignore
		}
		return registry.Remove
	})
}
