package main

import (
	"log"
	"sync"
	"time"
)

// A reportLog logs why reports of the game fail: the first failure, each failure with
// another reason, and the first report after them. It logs at most one line, the latest, in
// each period, so that a game that fails repeatedly cannot fill the log.
type reportLog struct {
	log  *log.Logger
	from string // where the state comes from

	mu     sync.Mutex
	reason string // why the last report failed, "" if it did not
	logged string // the reason that is in the log, "" if there is none or it is over
	next   time.Time
}

// note takes the result of a report, at a time.
func (l *reportLog) note(err error, now time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.reason = ""
	if err != nil {
		l.reason = err.Error()
	}
	l.write(now)
}

// flush logs the pending line, unless the last line is too recent.
func (l *reportLog) flush(now time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.write(now)
}

// close logs the pending line.
func (l *reportLog) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.write(l.next)
}

// write must be called with mu.
func (l *reportLog) write(now time.Time) {
	if l.reason == l.logged || now.Before(l.next) {
		return
	}
	if l.reason == "" {
		l.log.Printf("%s: the state is valid again", l.from)
	} else {
		l.log.Printf("%s: %s", l.from, l.reason)
	}
	l.logged, l.next = l.reason, now.Add(lookEvery)
}
