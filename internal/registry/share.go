package registry

import (
	"sync"
	"time"

	"github.com/lobbywire/lobbywire"
)

// Times and limits of sharing.
const (
	shareEvery    = 30 * time.Second // between two calls of Put for a server that has not changed
	putEvery      = time.Second      // minimum for a server with a connection
	putsPerSecond = 1000             // for all servers with connections
)

// sharing holds the changes for the Store. One goroutine at a time passes them on, in
// order, while the table is not locked. Other goroutines leave their changes to it.
type sharing[K comparable, E any] struct {
	store   lobbywire.Store[E, K] // may be nil
	changes []change[K, E]
	isBusy  bool      // a goroutine passes on changes
	outbox  Outbox[K] // of servers with connections
	waiting func()    // puts those in the Store that have waited
}

func newSharing[K comparable, E any](store lobbywire.Store[E, K], waiting func()) sharing[K, E] {
	return sharing[K, E]{
		store:   store,
		outbox:  Outbox[K]{Every: putEvery, PerSecond: putsPerSecond},
		waiting: waiting,
	}
}

// A change is a call of the Store.
type change[K comparable, E any] struct {
	call  call
	key   K // not of toPut
	entry E // of toPut
}

// A call names a method of a Store.
type call int8

const (
	toPut call = iota
	toRemove
	toExpire
)

func (p *sharing[K, E]) put(e E)    { p.add(change[K, E]{call: toPut, entry: e}) }
func (p *sharing[K, E]) remove(k K) { p.add(change[K, E]{call: toRemove, key: k}) }
func (p *sharing[K, E]) expire(k K) { p.add(change[K, E]{call: toExpire, key: k}) }

func (p *sharing[K, E]) add(c change[K, E]) {
	if p.store != nil {
		p.changes = append(p.changes, c)
	}
}

// later schedules putting the servers that wait in the outbox in the Store.
func (p *sharing[K, E]) later() { p.outbox.Later(p.waiting) }

// passOn passes changes to the Store, while mu, which is locked, is not.
func (p *sharing[K, E]) passOn(mu *sync.Mutex) {
	if p.isBusy {
		return
	}
	p.isBusy = true
	for len(p.changes) > 0 {
		some := p.changes
		p.changes = nil
		mu.Unlock()
		for _, c := range some {
			c.passTo(p.store)
		}
		mu.Lock()
	}
	p.isBusy = false
}

func (c *change[K, E]) passTo(s lobbywire.Store[E, K]) {
	switch c.call {
	case toPut:
		s.Put(c.entry)
	case toRemove:
		s.Remove(c.key)
	case toExpire:
		s.Expire(c.key)
	}
}
