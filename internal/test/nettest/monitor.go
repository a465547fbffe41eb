package nettest

import (
	"sync"
	"time"
)

// A monitor guards the state that goroutines wait for.
type monitor struct{ *sync.Cond }

func newMonitor() monitor { return monitor{sync.NewCond(new(sync.Mutex))} }

// change calls f, which changes the state, and wakes all that wait.
func (m monitor) change(f func()) {
	m.L.Lock()
	defer m.L.Unlock()
	f()
	m.Broadcast()
}

// set sets a deadline, which the monitor guards.
func (m monitor) set(d *deadline, t time.Time) {
	m.change(func() {
		if d.timer != nil {
			d.timer.Stop()
		}
		*d = deadline{at: t}
		if wait := time.Until(t); !t.IsZero() && wait > 0 {
			d.timer = time.AfterFunc(wait, func() { m.change(func() {}) })
		}
	})
}

// A deadline ends reads or writes. Its zero value is none.
type deadline struct {
	at    time.Time
	timer *time.Timer // wakes at it
}

func (d deadline) passed() bool { return !d.at.IsZero() && !time.Now().Before(d.at) }
