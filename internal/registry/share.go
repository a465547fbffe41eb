package registry

import (
	"context"
	"time"
)

// Times and limits of sharing.
const (
	shareEvery    = 30 * time.Second // between two calls of Put for a server that has not changed
	putEvery      = time.Second      // minimum for a server with a connection
	putsPerSecond = 1000             // for all servers with connections
)

// sharing has the changes for the Store. They are passed on while the table is not locked,
// by one goroutine at a time and in order. A goroutine that finds another one at work
// leaves its changes to that.
type sharing[K comparable, E any] struct {
	changes []shared[K, E]
	isBusy  bool      // a goroutine passes on changes
	outbox  Outbox[K] // of servers with connections
}

// shared is a call of the Store.
type shared[K comparable, E any] struct {
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

func (s *Servers[K, V, E]) change(c shared[K, E]) { s.sharing.changes = append(s.sharing.changes, c) }

// Unlock passes changes to the Store, and unlocks the table.
func (s *Servers[K, V, E]) Unlock() {
	p := &s.sharing
	if len(p.changes) == 0 || p.isBusy {
		s.mu.Unlock()
		return
	}
	p.isBusy = true
	for len(p.changes) > 0 {
		some := p.changes
		p.changes = nil
		s.mu.Unlock()
		for _, c := range some {
			switch c.call {
			case toPut:
				s.Store.Put(c.entry)
			case toRemove:
				s.Store.Remove(c.key)
			case toExpire:
				s.Store.Expire(c.key)
			}
		}
		s.mu.Lock()
	}
	p.isBusy = false
	s.mu.Unlock()
}

// share puts server i in the Store, if that is due.
func (s *Servers[K, V, E]) share(i int, now time.Time) {
	v := s.server(i)
	switch {
	case s.Store == nil || v.state == Hidden:
	case s.Connected:
		if s.sharing.outbox.Offer(s.Key(i), v.shared, now) {
			s.put(i, now)
		}
		s.sharing.outbox.Later(s.shareWaiting)
	case !v.stored || now.Sub(v.shared) >= shareEvery:
		s.put(i, now)
	}
}

// shareWaiting puts servers in the Store that have waited.
func (s *Servers[K, V, E]) shareWaiting() {
	now := time.Now()
	s.Lock(now)
	defer s.Unlock()
	due := s.sharing.outbox.Due(now, func(k K) (last time.Time, ok bool) {
		i, found := s.Find(k)
		if !found || s.State(i) == Hidden || !s.isConnected(i) {
			return last, false
		}
		return s.server(i).shared, true
	})
	for _, k := range due {
		i, _ := s.Find(k)
		s.put(i, now)
	}
	s.sharing.outbox.Later(s.shareWaiting)
}

// put puts server i in the Store.
func (s *Servers[K, V, E]) put(i int, now time.Time) {
	v := s.server(i)
	v.stored, v.shared = true, now
	s.change(shared[K, E]{call: toPut, entry: s.master.Entry(i)})
}

// unshare removes server i from the Store, if it is there.
func (s *Servers[K, V, E]) unshare(i int) {
	v := s.server(i)
	if s.Store != nil && v.stored {
		v.stored = false
		s.change(shared[K, E]{call: toRemove, key: s.Key(i)})
	}
}

// Repeat puts the servers whose connections this node has in the Store at intervals, so
// that they do not expire at other nodes, until ctx is done. It may run several times.
func (s *Servers[K, V, E]) Repeat(ctx context.Context) {
	tick := time.NewTicker(shareEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case now := <-tick.C:
			s.Each(s.lock, func(i int) {
				if s.isConnected(i) && now.Sub(s.server(i).shared) >= shareEvery/2 {
					s.share(i, now)
				}
			})
		}
	}
}
