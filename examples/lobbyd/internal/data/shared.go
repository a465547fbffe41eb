package data

import (
	"time"

	"github.com/lobbywire/lobbywire"
)

// Shared returns a Store that saves a list and also passes everything to another Store, which
// shares it with other nodes. Restored entries are shared once they have answered a check.
// A nil Store is not used.
func (l *List[E, K]) Shared(with lobbywire.Store[E, K]) lobbywire.Store[E, K] {
	if with == nil {
		return l
	}
	l.shared = with
	return sharedList[E, K]{l, with}
}

type sharedList[E any, K comparable] struct {
	saved *List[E, K]
	with  lobbywire.Store[E, K]
}

func (s sharedList[E, K]) Put(e E) {
	s.saved.Put(e)
	s.with.Put(e)
}

func (s sharedList[E, K]) Remove(k K) {
	s.saved.Remove(k)
	s.with.Remove(k)
}

func (s sharedList[E, K]) Watch(put func(e E), remove func(k K)) (stop func()) {
	s.saved.Watch(put, remove)
	return s.with.Watch(func(e E) {
		s.saved.elsewhere(e)
		put(e)
	}, remove)
}

// elsewhere removes restored entries whose host has sent something to another node.
func (l *List[E, K]) elsewhere(e E) {
	k := l.form.Key(e)
	l.mu.Lock()
	same := l.kept[k]
	if same != nil && l.form.Seen(&e).After(same.heard.Add(time.Second)) {
		delete(l.kept, k)
		l.changeLocked(k, change[E]{removed: true})
	}
	l.mu.Unlock()
	l.dropReturned(map[K]change[E]{k: {entry: e}})
}
