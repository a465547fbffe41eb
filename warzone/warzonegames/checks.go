package warzonegames

import (
	"net/netip"
	"sync"
	"time"

	"github.com/lobbywire/lobbywire/internal/limit"
	"github.com/lobbywire/lobbywire/internal/source"
)

// Limits of checks that run at the same time. A peer that accepts connections and never
// answers occupies a check for seconds, so an address gets at most a 32nd of the free
// checks, and a prefix a 16th. If few are free, addresses without checks get them before
// addresses with many.
const (
	maxChecks    = 256
	maxUnproven  = maxChecks / 2 // in prefixes in which no game has answered lately
	addressShare = 32            // of an IPv4 address or an IPv6 /64
	prefixShare  = 16            // of an IPv4 /24 or an IPv6 /48
)

// checks counts the running checks of games.
type checks struct {
	mu       sync.Mutex
	running  source.Counter // without limits of its own
	unproven int
	proven   limit.Proven // prefixes in which a game has answered
}

func (g lobbies) BeginCheck(at netip.Addr) (end func(answered bool), ok bool) {
	g.once.Do(func() { g.state.init(g.Games) })
	return g.state.checks.begin(at) // also while g is locked
}

// begin counts a check of an address until end is called, or returns false if too many run.
func (c *checks) begin(a netip.Addr) (end func(answered bool), ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	free := maxChecks - c.running.Len()
	unproven := 0
	if !c.proven.Has(a, time.Now()) {
		unproven = 1
		free = min(free, maxChecks/maxUnproven*(maxUnproven-c.unproven))
	}
	ofAddress, ofPrefix := c.running.Counts(a)
	if free <= 0 || ofAddress*addressShare >= free || ofPrefix*prefixShare >= free {
		return nil, false
	}
	c.running.Add(a)
	c.unproven += unproven
	return func(answered bool) {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.running.Remove(a)
		c.unproven -= unproven
		if answered {
			c.proven.Add(a, time.Now())
		}
	}, true
}
