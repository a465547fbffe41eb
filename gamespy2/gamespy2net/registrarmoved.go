package gamespy2net

import (
	"math"
	"time"

	"github.com/lobbywire/lobbywire/internal/registry"
)

// checkMoved checks a listed server whose instance has just registered from another port,
// the source of p, as after a restart of its NAT. A silent server is removed. A server that
// answers or sends anything is kept: another server may have the same instance key.
func (r *registrar) checkMoved(p *packet, key [4]byte, game *gameTable) {
	old, ok := r.movedFrom(p, key, game)
	if !ok {
		return
	}
	sent := false
	for _, b := range r.appendCheck(nil, old.from, math.MaxInt, p.now) {
		sent = r.socket.Send(old.local, old.from, b)
	}
	if sent {
		r.whileLocked(p.now, func() { r.pending.await(awaitsLife, &old, key) })
	}
}

// movedFrom returns the addresses of another listed server with the IP address and the
// instance key of the sender of a packet, unless it is already being checked.
func (r *registrar) movedFrom(p *packet, key [4]byte, game *gameTable) (old packet, ok bool) {
	old.now = p.now
	r.catalogue.servers.Do(p.now, func(t *locked) {
		i, known := t.Find(p.from)
		if !known {
			return
		}
		for j := range t.Siblings(i) {
			s := t.Value(j)
			if s.key == key && s.game == game && t.State(j) == registry.Listed && !r.pending.isChecked(t.Key(j)) {
				old.from, old.local, ok = t.Key(j), s.local, true
				return
			}
		}
	})
	return old, ok
}

// removeMoved removes a server that has been silent since its first check.
func (r *registrar) removeMoved(p pending) {
	r.catalogue.servers.Update(p.from, time.Now(), false, func(t *locked, i int) registry.Outcome {
		if t.Value(i).key != p.key || lastSeen(t, i).After(p.at) {
			return registry.Ignore
		}
		return registry.Remove
	})
}
