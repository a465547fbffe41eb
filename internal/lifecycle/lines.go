package lifecycle

import (
	"sync"
	"time"
)

// lineEvery is how often an event that anybody can cause is logged.
const lineEvery = time.Minute

// Lines limits the log lines of an event that anybody can cause to one a minute. Its zero value
// is ready.
type Lines struct {
	mu      sync.Mutex
	next    time.Time
	omitted int
}

// Allow reports whether to log an event now, and how many events before it were not logged.
func (l *Lines) Allow(now time.Time) (omitted int, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if now.Before(l.next) {
		l.omitted++
		return 0, false
	}
	omitted = l.omitted
	l.next, l.omitted = now.Add(lineEvery), 0
	return omitted, true
}
