package cluster

import (
	"net/netip"
	"slices"
	"sync"
	"time"

	"github.com/lobbywire/lobbywire/bomberman/bombermannet"
)

// A distinct is the Store of Bomberman. A game server whose node has died registers at
// another one, with another ID, while its old entry still has to expire. So a distinct
// passes on only one entry of each game server from other nodes, the latest, and none while
// the game server is registered at this node.
type distinct struct {
	bombermannet.Store
	put    func(bombermannet.Entry) // of Watch
	remove func(uint64)

	mu     sync.Mutex
	ours   map[uint64]gameServer
	theirs map[uint64]claim
	claims map[gameServer]*claims
}

// A gameServer is what stays the same when a game server registers again.
type gameServer struct {
	from    netip.Addr
	address string
	port    int
}

func gameServerOf(e bombermannet.Entry) gameServer {
	return gameServer{e.From.Addr(), e.Server.Address, e.Server.Port}
}

// A claim is an entry of another node.
type claim struct {
	entry bombermannet.Entry
	since time.Time // when its game server had last been seen, as it came here
}

// claims are the IDs of the entries of one game server.
type claims struct{ ours, theirs []uint64 }

func newDistinct(s bombermannet.Store) *distinct {
	return &distinct{
		Store:  s,
		ours:   make(map[uint64]gameServer),
		theirs: make(map[uint64]claim),
		claims: make(map[gameServer]*claims),
	}
}

// Put shares an entry of this node.
func (d *distinct) Put(e bombermannet.Entry) {
	s := gameServerOf(e)
	d.mu.Lock()
	before, known := d.ours[e.ID]
	d.mu.Unlock()
	if known && before != s {
		d.disown(e.ID)
		known = false
	}
	if !known {
		d.change(s, func(c *claims) {
			d.ours[e.ID] = s
			c.ours = append(c.ours, e.ID)
		})
	}
	d.Store.Put(e)
}

// Remove removes an entry of this node.
func (d *distinct) Remove(id uint64) {
	d.disown(id)
	d.Store.Remove(id)
}

func (d *distinct) disown(id uint64) {
	d.mu.Lock()
	s, known := d.ours[id]
	d.mu.Unlock()
	if known {
		d.change(s, func(c *claims) {
			delete(d.ours, id)
			c.ours = lacking(c.ours, id)
		})
	}
}

// Watch passes on entries of other nodes.
func (d *distinct) Watch(put func(bombermannet.Entry), remove func(uint64)) (stop func()) {
	d.put, d.remove = put, remove
	return d.Store.Watch(d.found, d.lost)
}

// found takes an entry of another node.
func (d *distinct) found(e bombermannet.Entry) {
	s := gameServerOf(e)
	d.mu.Lock()
	before, known := d.theirs[e.ID]
	d.mu.Unlock()
	if known && gameServerOf(before.entry) != s {
		d.lost(e.ID)
		known = false
	}
	d.change(s, func(c *claims) {
		now := claim{e, e.Seen}
		if known {
			now.since = before.since
		} else {
			c.theirs = append(c.theirs, e.ID)
		}
		d.theirs[e.ID] = now
	})
}

// lost removes an entry of another node.
func (d *distinct) lost(id uint64) {
	d.mu.Lock()
	was, known := d.theirs[id]
	d.mu.Unlock()
	if known {
		d.change(gameServerOf(was.entry), func(c *claims) {
			delete(d.theirs, id)
			c.theirs = lacking(c.theirs, id)
		})
	}
}

// change changes the entries of a game server, and passes on the consequences.
func (d *distinct) change(s gameServer, edit func(c *claims)) {
	d.mu.Lock()
	c := d.claims[s]
	if c == nil {
		c = new(claims)
		d.claims[s] = c
	}
	before, had := d.chosen(s)
	edit(c)
	after, has := d.chosen(s)
	if len(c.ours)+len(c.theirs) == 0 {
		delete(d.claims, s)
	}
	d.mu.Unlock()
	if had && !(has && before.ID == after.ID) {
		d.remove(before.ID)
	}
	if !has {
		return
	}
	d.put(after)
	d.mu.Lock()
	now, still := d.chosen(s)
	d.mu.Unlock()
	if !still || now.ID != after.ID { // meanwhile, a change of this node or of another one has overtaken this one
		d.remove(after.ID)
	}
}

// chosen returns the entry of a game server that is passed on.
func (d *distinct) chosen(s gameServer) (e bombermannet.Entry, ok bool) {
	c := d.claims[s]
	if c == nil || len(c.ours) > 0 || len(c.theirs) == 0 {
		return e, false
	}
	latest := slices.MaxFunc(c.theirs, func(a, b uint64) int { return d.theirs[a].since.Compare(d.theirs[b].since) })
	return d.theirs[latest].entry, true
}

func lacking(all []uint64, id uint64) []uint64 {
	return slices.DeleteFunc(all, func(one uint64) bool { return one == id })
}
