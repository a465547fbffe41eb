package warzonenet

import (
	"time"

	"github.com/lobbywire/lobbywire/internal/stream"
)

// A connection may make a burst of requestsAtOnce requests, and then one every
// requestEvery. Hosts make a few at first and then at most one every 7 seconds.
const (
	requestsAtOnce = 16
	requestEvery   = 200 * time.Millisecond
)

// A pace limits the rate of requests of a connection. The zero value is ready.
type pace struct{ stream.Pace }

// wait waits until the next request may be answered. It returns false if ending is
// closed before.
func (p *pace) wait(ending <-chan struct{}) (ok bool) {
	p.Burst, p.Every = requestsAtOnce, requestEvery
	return p.Wait(ending)
}
