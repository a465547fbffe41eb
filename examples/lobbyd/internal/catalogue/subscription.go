package catalogue

// A Change is what differs between a Snapshot and the one before. It must not be
// changed.
type Change struct {
	Version uint64   // of the Snapshot after it
	Put     []*Entry // new, or as they are now
	Gone    []string // their IDs
}

// A Subscription receives every Change on C from when it was made. C is closed
// when it falls behind, and by Close; who falls behind subscribes again and takes
// another Snapshot.
type Subscription struct {
	C <-chan *Change

	c  chan *Change
	of *Catalogue
}

// pending is how many changes may wait for a reader.
const pending = 16

// Subscribe returns a Subscription and the Snapshot that its first Change
// follows on.
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

// Close ends the subscription. It may be called many times.
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

// publish hands a change to all subscribers. The caller holds c.mu.
func (c *Catalogue) publish(change *Change) {
	for s := range c.subscribers {
		select {
		case s.c <- change:
		default:
			s.endLocked()
		}
	}
}
