package cluster

import (
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/catalogue"
)

// A replica is the node's copy of what others have put.
type replica struct {
	held       map[string]held // by key
	generation uint64          // of the watch that fills it
	doubt      bool            // some of held may be gone
}

// A held entry is another's, or this node's from before it was restarted.
type held struct {
	by         writer
	body       []byte
	generation uint64 // of the watch that has shown it last; 0: it has expired
}

// apply takes what a watch of some generation shows.
func (c *Cluster) apply(e jetstream.KeyValueEntry, generation uint64) {
	family, id, _ := strings.Cut(e.Key(), ".")
	by, body, signed := parse(e.Value())
	put := e.Operation() == jetstream.KeyValuePut
	switch {
	case family == nodes:
		c.hear(by, string(body), put && signed, id)
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
		counts := c.own.yield(e.Key(), by, e.Revision())
		switch {
		case counts && put:
			c.copy.held[e.Key()] = held{by, body, generation}
			c.adoptLocked(e.Key(), family, by, body, e.Created())
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

// adoptLocked keeps what this node had before it was restarted, if that has no
// connection: its host does not know that the node was away.
func (c *Cluster) adoptLocked(key, family string, by writer, body []byte, written time.Time) {
	if by.node != c.self.node || family != string(catalogue.GameAgent) {
		return
	}
	if until, ok := gameAgentUntil(body); ok {
		c.own.adopt(key, item{by: by, body: body, until: until, written: written, generation: c.copy.generation})
	}
}

// expire takes an entry whose time was up in the bucket. What this node has is
// written again. Of others it is not believed yet: a bucket that was without a
// leader lets everything expire before anybody can write.
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
		c.copy.doubt = true
	}
}

// completeLocked is called when the watch has shown all that there was when
// it began. What this node has and was not among that is written again.
func (c *Cluster) completeLocked() {
	c.copy.doubt = true
	for key, i := range c.own.items {
		if i.generation != c.copy.generation && !i.dirty() {
			c.own.enqueue(key, i)
		}
	}
	c.awake()
}

// sweep removes what the others no longer have.
func (c *Cluster) sweep() {
	c.deliver.Lock()
	defer c.deliver.Unlock()
	var gone []string
	c.mu.Lock()
	for key, h := range c.copy.held {
		if h.generation != c.copy.generation {
			delete(c.copy.held, key)
			gone = append(gone, key)
		}
	}
	c.copy.doubt = false
	c.mu.Unlock()
	for _, key := range gone {
		family, id, _ := strings.Cut(key, ".")
		if s := c.sinks[family]; s != nil {
			s.remove(id)
		}
	}
}

// renew tells the families of all entries of others as if they had just been
// heard of, so that they stay while nobody can be heard.
func (c *Cluster) renew(now time.Time) {
	c.deliver.Lock()
	defer c.deliver.Unlock()
	c.floor = now
	for family, s := range c.sinks {
		c.tellAll(family, s)
	}
}

// listen joins a family, and tells it what there is.
func (c *Cluster) listen(family string, s *sink) (stop func()) {
	c.deliver.Lock()
	defer c.deliver.Unlock()
	c.sinks[family] = s
	c.tellAll(family, s)
	return func() {
		c.deliver.Lock()
		defer c.deliver.Unlock()
		if c.sinks[family] == s {
			delete(c.sinks, family)
		}
	}
}

// tellAll tells a family what there is of it. The caller holds c.deliver, so
// that nothing newer is told meanwhile.
func (c *Cluster) tellAll(family string, s *sink) {
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
