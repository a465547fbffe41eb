package data

import (
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/catalogue"
)

// Shared returns a Store that saves a list and also passes everything to another Store, which
// shares it with other nodes. Restored entries are shared once they have answered a check, or
// at once if nothing but their hosts can confirm them within minutes. isOurs reports whether
// an entry that Watch passes on was written by an earlier process of this node. A nil Store
// is not used.
func (l *List[E, K]) Shared(with lobbywire.Store[E, K], isOurs func(id string) bool) lobbywire.Store[E, K] {
	if with == nil {
		return l
	}
	l.shared = with
	return sharedList[E, K]{l, with, isOurs}
}

type sharedList[E any, K comparable] struct {
	saved  *List[E, K]
	with   lobbywire.Store[E, K]
	isOurs func(id string) bool
}

func (s sharedList[E, K]) Put(e E) {
	s.saved.Put(e)
	s.with.Put(e)
}

func (s sharedList[E, K]) Remove(k K) {
	s.saved.Remove(k)
	s.with.Remove(k)
}

func (s sharedList[E, K]) Expire(k K) {
	s.saved.Expire(k)
	s.with.Expire(k)
}

func (s sharedList[E, K]) Watch(put func(e E), remove func(k K)) (stop func()) {
	s.saved.Watch(put, remove)
	stop = s.with.Watch(func(e E) {
		id := s.saved.form.ID(s.saved.form.KeyOf(e))
		if s.saved.state(id) == catalogue.Live || !s.isOurs(id) {
			s.saved.elsewhere(e)
		}
		put(e)
	}, func(k K) {
		s.saved.Remove(k) // its host may have been here before
		remove(k)
	})
	for _, e := range s.saved.unconfirmed() {
		s.with.Put(e)
	}
	return stop
}

// unconfirmed returns the restored entries that are shared without a check.
func (l *List[E, K]) unconfirmed() (all []E) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, e := range l.kept {
		if l.policy.isShared(e.entry) {
			all = append(all, e.entry)
		}
	}
	return all
}

// elsewhere removes restored entries whose host has sent something to another node.
func (l *List[E, K]) elsewhere(e E) {
	k := l.form.KeyOf(e)
	l.mu.Lock()
	same := l.kept[k]
	if same != nil && l.form.Seen(&e).After(same.heard.Add(time.Second)) {
		delete(l.kept, k)
		l.changeLocked(k, change[E]{removed: true})
	}
	l.mu.Unlock()
	l.dropReturned(map[K]change[E]{k: {entry: e}})
}
