package cluster

import (
	"time"

	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/entries"
)

// A shared is the Store of a family with entries E and keys K.
type shared[E, K any] struct {
	*entries.Form[E, K]
	cluster *Cluster
}

// lease is how long an entry with its own expiry stays listed at other nodes without news
// from the cluster. There is news much sooner, unless the node is cut off.
const lease = 2 * time.Minute

// Put queues an entry of this node for writing.
func (s *shared[E, K]) Put(e E) {
	if body, err := s.Encode(e); err == nil { // as for all entries of masters
		s.cluster.put(keyOf(s.Family, s.ID(s.KeyOf(e))), body, s.Until(e))
	}
}

// Remove queues an entry for removal, except after Freeze.
func (s *shared[E, K]) Remove(id K) { s.cluster.remove(keyOf(s.Family, s.ID(id))) }

// Expire does nothing: an entry of this node is removed at its end, and other nodes decide
// about their entries.
func (s *shared[E, K]) Expire(K) {}

// Watch calls back with the entries of other nodes.
func (s *shared[E, K]) Watch(put func(E), remove func(K)) (stop func()) {
	return s.cluster.listen(string(s.Family), &sink{
		put: func(id string, body []byte, floor time.Time) {
			if e, ok := s.decode(id, body, floor); ok {
				put(e)
			}
		},
		remove: func(id string) {
			if k, ok := s.ParseID(id); ok {
				remove(k)
			}
		},
	})
}

// decode decodes an entry of another node, whose Seen is at least floor.
func (s *shared[E, K]) decode(id string, body []byte, floor time.Time) (e E, ok bool) {
	k, ok := s.ParseID(id)
	if !ok {
		return e, false
	}
	e, err := s.Decode(k, body)
	if err != nil {
		return e, false
	}
	// The clocks of nodes differ, and a node that is cut off keeps its entries, so the
	// cluster decides when one is gone.
	now := time.Now()
	seen := s.Seen(&e)
	*seen = latest(*seen, floor)
	if s.Expires != nil {
		expires := s.Expires(&e)
		*expires = latest(*expires, now.Add(max(lease, 2*s.cluster.options.TTL)))
	} else {
		*seen = latest(*seen, now.Add(-s.Expiry/2))
	}
	return e, true
}

// keyOf returns the key of an entry in the bucket. IDs contain no dots.
func keyOf[F ~string](family F, id string) string { return string(family) + "." + id }

// latest returns the later of two times.
func latest(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
