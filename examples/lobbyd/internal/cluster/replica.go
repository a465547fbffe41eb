package cluster

import (
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// A replica is a copy of the entries of other nodes.
type replica struct {
	held       map[string]held // by key
	generation uint64          // of the watch that updates it
}

// A held entry is from another node, or from this node before it restarted.
type held struct {
	by         writer
	body       []byte
	generation uint64    // generation of the watch that last showed it; 0 means that it has expired
	news       time.Time // when a watch last showed it
}

// apply applies an update of the watch with a generation.
func (c *Cluster) apply(e jetstream.KeyValueEntry, generation uint64) {
	family, id, _ := strings.Cut(e.Key(), ".")
	by, body, signed := parse(e.Value())
	put := e.Operation() == jetstream.KeyValuePut
	c.follow(e.Delta())
	switch {
	case family == nodes:
		c.hear(by, e.Revision(), string(body), put && signed, id)
	case !signed:
		c.expire(e.Key())
	case by == c.self:
		c.mu.Lock()
		if i := c.own.items[e.Key()]; i != nil {
			i.generation = generation
		}
		delete(c.copy.held, e.Key())
		c.mu.Unlock()
	default:
		c.deliver.Lock()
		defer c.deliver.Unlock()
		c.mu.Lock()
		counts := c.own.yield(e.Key(), by, e.Revision(), time.Now())
		switch {
		case counts && put:
			c.copy.held[e.Key()] = held{by, body, generation, time.Now()}
			c.adoptLocked(e.Key(), family, id, by, body, e.Created())
		case counts:
			delete(c.copy.held, e.Key())
		}
		c.mu.Unlock()
		s := c.sinks[family]
		switch {
		case !counts || s == nil:
		case put:
			s.put(id, body, c.floor)
		default:
			s.remove(id)
		}
	}
}

// expire handles an entry that has expired in the bucket. An entry of this node is
// written again. An entry of another node is kept for now: while a bucket has no
// leader, entries expire because nobody can write.
func (c *Cluster) expire(key string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if i := c.own.items[key]; i != nil && !i.dirty() {
		c.own.enqueue(key, i)
		c.awake()
	}
	if h, ok := c.copy.held[key]; ok {
		h.generation = 0
		c.copy.held[key] = h
	}
}

// completeLocked is called when the watch has shown all entries that existed when it
// started. Entries of this node that are missing are written again.
func (c *Cluster) completeLocked() {
	for key, i := range c.own.items {
		if i.generation != c.copy.generation && !i.dirty() {
			c.own.enqueue(key, i)
		}
	}
	c.awake()
}

// sweep removes entries of other nodes that have expired, and returns how many are late. The
// bucket reports that, unless it is new or of a NATS that leaves no markers.
func (c *Cluster) sweep(now time.Time) (late int) {
	_, late = c.drop(now, 1)
	return late
}

// forget removes the entries of other nodes that no watch has shown since this node was cut
// off: as far as it knows, nobody has written them again for a TTL.
func (c *Cluster) forget(now time.Time) {
	c.mu.Lock()
	lost := c.link.lost
	c.mu.Unlock()
	if n, _ := c.drop(now, lost); n > 0 {
		c.options.Logger.Warn("cluster: cut off for so long that the entries of other nodes have expired",
			"node", c.self.node, "entries", n)
	}
}

// drop removes the entries of other nodes that have expired, or that no watch since a generation
// has shown. It returns how many, and how many of these it keeps because they are late.
func (c *Cluster) drop(now time.Time, since uint64) (dropped, late int) {
	c.deliver.Lock()
	defer c.deliver.Unlock()
	var gone []string
	c.mu.Lock()
	for key, h := range c.copy.held {
		switch {
		case h.generation >= since && now.Sub(h.news) < c.options.TTL+settle:
		case c.isLateLocked(h, now):
			late++
		default:
			delete(c.copy.held, key)
			gone = append(gone, key)
		}
	}
	c.mu.Unlock()
	for _, key := range gone {
		family, id, _ := strings.Cut(key, ".")
		if s := c.sinks[family]; s != nil {
			s.remove(id)
		}
	}
	return len(gone), late
}

// maxLate is how many TTLs a late entry stays. It is limited because this node may have
// missed the removal of the entry.
const maxLate = 3

// isLateLocked reports whether an entry has probably not expired, although no watch has shown it:
// its writer is alive but behind with its writes, or this node is behind with its reads.
func (c *Cluster) isLateLocked(h held, now time.Time) bool {
	p := c.link.heard[h.by.node]
	isAlive := p.run == h.by.run && now.Sub(p.at) < c.options.TTL
	isBehind := !c.link.connected && now.Sub(c.link.behind) <= patience
	return (isAlive || isBehind) && now.Sub(h.news) < maxLate*c.options.TTL
}

// renew renews the Seen times of all entries of other nodes, so that they do not expire while
// the node is cut off, or while some are late.
func (c *Cluster) renew(now time.Time) {
	c.deliver.Lock()
	defer c.deliver.Unlock()
	c.floor = now
	c.mu.Lock()
	c.link.renewed = now
	c.mu.Unlock()
	for family, s := range c.sinks {
		c.sendAll(family, s)
	}
}

// listen registers the sink of a family, and sends it all entries.
func (c *Cluster) listen(family string, s *sink) (stop func()) {
	c.deliver.Lock()
	defer c.deliver.Unlock()
	c.sinks[family] = s
	c.sendAll(family, s)
	return func() {
		c.deliver.Lock()
		defer c.deliver.Unlock()
		if c.sinks[family] == s {
			delete(c.sinks, family)
		}
	}
}

// sendAll sends all entries of a family to its sink. The caller holds c.deliver, so no
// newer update overtakes it.
func (c *Cluster) sendAll(family string, s *sink) {
	type entry struct {
		id   string
		body []byte
	}
	var all []entry
	c.mu.Lock()
	for key, h := range c.copy.held {
		if f, id, _ := strings.Cut(key, "."); f == family {
			all = append(all, entry{id, h.body})
		}
	}
	c.mu.Unlock()
	for _, e := range all {
		s.put(e.id, e.body, c.floor)
	}
}
