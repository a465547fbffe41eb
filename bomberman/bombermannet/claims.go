package bombermannet

import (
	"net/netip"
	"slices"
	"time"
)

// An endpoint identifies a game server by its addresses. A game server has another ID on
// each connection, so after it connects to another node, or again after a restart, it has
// two entries until the old one expires or its node notices.
type endpoint struct {
	from    netip.Addr
	address string
	port    int
}

func (s *registered) endpoint() endpoint {
	return endpoint{s.from.Addr(), s.server.Address, s.server.Port}
}

// A claim holds the entries of an endpoint. Entries of this node's connections are listed.
// If there are none, the latest of the others is listed, unless it is from an earlier run
// of this node and the game server has connected since.
type claim struct {
	here   int       // listed entries of this node
	since  time.Time // when this run began, once the game server has connected; zero before
	others []uint64  // IDs of entries of other nodes, the latest last
}

// claims are the claims of a catalogue, by endpoint.
type claims map[endpoint]*claim

// of returns the claim of an endpoint.
func (all claims) of(at endpoint) *claim {
	c := all[at]
	if c == nil {
		c = new(claim)
		all[at] = c
	}
	return c
}

// claimElsewhere adds entry i, of another node, to its claim.
func (all claims) claimElsewhere(t *locked, i int) {
	s, id := t.Value(i), t.Key(i)
	at := s.endpoint()
	c := all.of(at)
	if !slices.Contains(c.others, id) {
		index := len(c.others)
		if index > 0 {
			latest, found := t.Find(c.others[index-1])
			if found && s.seen.Before(t.Value(latest).seen) {
				index--
			}
		}
		c.others = slices.Insert(c.others, index, id)
	}
	all.decide(t, at, c)
	if len(all) > 2*t.Len()+minClaims {
		for at, c := range all {
			all.decide(t, at, c)
		}
	}
}

// minClaims is the number of claims below which entries that expired while they were hidden
// or withheld are not removed.
const minClaims = 64

// decide chooses which entry of other nodes is listed for an endpoint, and hides the rest.
func (all claims) decide(t *locked, at endpoint, c *claim) {
	c.others = slices.DeleteFunc(c.others, func(id uint64) bool {
		i, found := t.Find(id)
		return !found || t.Value(i).endpoint() != at || // it has expired or moved while it was hidden
			c.here == 0 && !t.Value(i).seen.After(c.since) // it is from an earlier run
	})
	for n, id := range slices.Clone(c.others) {
		i, _ := t.Find(id)
		s := t.Value(i)
		s.shadowed = c.here > 0 || n < len(c.others)-1
		if s.shadowed {
			t.Hide(i)
		} else {
			t.Decide(i)
		}
	}
	if c.here == 0 && len(c.others) == 0 {
		delete(all, at)
	}
}

// listedAt updates the claim of entry i, which has been added to the list of a run that began at
// a time.
func (all claims) listedAt(t *locked, i int, began time.Time) {
	s := t.Value(i)
	if t.IsElsewhere(i) || !s.from.IsValid() {
		return
	}
	c := all.of(s.endpoint())
	c.since = began
	c.here++
	all.decide(t, s.endpoint(), c)
}

// unlistedAt updates the claim of entry i, which has been removed from the list.
func (all claims) unlistedAt(t *locked, i int) {
	s := t.Value(i)
	if s.shadowed || !s.from.IsValid() {
		return
	}
	c := all.of(s.endpoint())
	if t.IsElsewhere(i) {
		c.others = slices.DeleteFunc(c.others, func(id uint64) bool { return id == t.Key(i) })
	} else {
		c.here--
	}
	all.decide(t, s.endpoint(), c)
}
