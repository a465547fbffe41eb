package lifecycle

import "sync"

// A Signal wakes a loop that waits for something to do. Its zero value is ready. Several
// signals that the loop has not received yet are one.
type Signal struct {
	once sync.Once
	c    chan struct{}
}

// C returns the channel that receives signals.
func (s *Signal) C() <-chan struct{} {
	s.once.Do(s.init)
	return s.c
}

func (s *Signal) init() { s.c = make(chan struct{}, 1) }

// Send sends a signal. It does not block.
func (s *Signal) Send() {
	s.once.Do(s.init)
	select {
	case s.c <- struct{}{}:
	default:
	}
}
