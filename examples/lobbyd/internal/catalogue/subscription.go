package catalogue

// A Change is the difference between a Snapshot and the one before. It must not be
// changed.
type Change struct {
	Version uint64   // of the Snapshot after it
	Put     []*Entry // entries that are new or have changed
	Gone    []string // IDs of the removed entries
}

// A Subscription receives every Change on C, starting when it is created. C is closed
// by Close, or if the subscriber is too slow. A slow subscriber may subscribe again
// and take another Snapshot.
type Subscription struct {
	C <-chan *Change

	c  chan *Change
	of *Catalogue
}

// pending is the number of changes that may wait for a subscriber.
const pending = 16

// Subscribe returns a Subscription and the Snapshot that precedes its first Change.
func (c *Catalogue) Subscribe() (*Subscription, *Snapshot) {
	c.mu.Lock()
	defer c.mu.Unlock()
	ch := make(chan *Change, pending)
	s := &Subscription{C: ch, c: ch, of: c}
	if c.subscribers == nil {
		c.subscribers = make(map[*Subscription]struct{})
	}
	c.subscribers[s] = struct{}{}
	return s, c.Snapshot()
}

// Close ends the subscription. It may be called more than once.
func (s *Subscription) Close() {
	s.of.mu.Lock()
	defer s.of.mu.Unlock()
	s.endLocked()
}

func (s *Subscription) endLocked() {
	if _, there := s.of.subscribers[s]; there {
		delete(s.of.subscribers, s)
		close(s.c)
	}
}

// publish sends a change to all subscribers. The caller holds c.mu.
func (c *Catalogue) publish(change *Change) {
	for s := range c.subscribers {
		select {
		case s.c <- change:
		default:
			s.endLocked()
		}
	}
}
