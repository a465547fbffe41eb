package bombermannet

import (
	"net/netip"
	"slices"
)

// An endpoint is where a game server is. It has another ID on each connection, so one that
// connects to another node, or returns after a restart, has two entries until the old one
// expires or its node notices.
type endpoint struct {
	from    netip.Addr
	address string
	port    int
}

func (s *registered) endpoint() endpoint {
	return endpoint{s.from.Addr(), s.server.Address, s.server.Port}
}

// A claim has the entries of an endpoint. Those of connections to this node are listed;
// while there are none, the latest of the others is.
type claim struct {
	here   int      // listed entries of this node
	others []uint64 // IDs of entries of other nodes, the latest last
}

// claimOf returns the claim of an endpoint.
func (m *listServer) claimOf(at endpoint) *claim {
	c := m.claims[at]
	if c == nil {
		c = new(claim)
		m.claims[at] = c
	}
	return c
}

// claimElsewhere adds entry i, of another node, to its claim.
func (m *listServer) claimElsewhere(i int) {
	s, id := m.servers.Value(i), m.servers.Key(i)
	at := s.endpoint()
	c := m.claimOf(at)
	if !slices.Contains(c.others, id) {
		place := len(c.others)
		if place > 0 {
			latest, found := m.servers.Find(c.others[place-1])
			if found && s.seen.Before(m.servers.Value(latest).seen) {
				place--
			}
		}
		c.others = slices.Insert(c.others, place, id)
	}
	m.settle(at, c)
	if len(m.claims) > 2*m.servers.Len()+minClaims {
		for at, c := range m.claims {
			m.settle(at, c)
		}
	}
}

// minClaims is a number of claims that need not be cleared of entries that have expired
// while they were hidden or withheld.
const minClaims = 64

// settle lists the entry of other nodes that is listed for an endpoint, and hides the rest.
func (m *listServer) settle(at endpoint, c *claim) {
	c.others = slices.DeleteFunc(c.others, func(id uint64) bool {
		i, found := m.servers.Find(id)
		return !found || m.servers.Value(i).endpoint() != at // it has expired or moved while it was hidden
	})
	for n, id := range slices.Clone(c.others) {
		i, _ := m.servers.Find(id)
		s := m.servers.Value(i)
		s.shadowed = c.here > 0 || n < len(c.others)-1
		if s.shadowed {
			m.servers.Hide(i)
		} else {
			m.servers.Judge(i)
		}
	}
	if c.here == 0 && len(c.others) == 0 {
		delete(m.claims, at)
	}
}

// listedAt updates the claim of entry i, which has been added to the list.
func (m *listServer) listedAt(i int) {
	s := m.servers.Value(i)
	if m.servers.IsElsewhere(i) || !s.from.IsValid() {
		return
	}
	c := m.claimOf(s.endpoint())
	c.here++
	m.settle(s.endpoint(), c)
}

// unlistedAt updates the claim of entry i, which has been removed from the list.
func (m *listServer) unlistedAt(i int) {
	s := m.servers.Value(i)
	if s.shadowed || !s.from.IsValid() {
		return
	}
	c := m.claimOf(s.endpoint())
	if m.servers.IsElsewhere(i) {
		c.others = slices.DeleteFunc(c.others, func(id uint64) bool { return id == m.servers.Key(i) })
	} else {
		c.here--
	}
	m.settle(s.endpoint(), c)
}
