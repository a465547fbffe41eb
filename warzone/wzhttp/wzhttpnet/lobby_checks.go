package wzhttpnet

import (
	"context"
	"maps"
	"net/netip"
	"sync"
	"time"

	"github.com/lobbywire/lobbywire/internal/source"
	"github.com/lobbywire/lobbywire/warzone/wzhttp"
)

// Limits of checks that run at the same time. An address and a prefix have a share of
// them, so that few peers that accept connections and never answer do not stop others.
// Half of the checks are reserved for prefixes in which a host has answered, so that many
// such peers stop only hosts in new prefixes.
const (
	maxChecks           = 256
	maxChecksPerAddress = maxChecks / 32 // an IPv4 address or an IPv6 /64
	maxChecksPerPrefix  = maxChecks / 16 // an IPv4 /24 or an IPv6 /48
	maxStrangers        = maxChecks / 2  // in prefixes in which no host has answered within a day
)

// checkTimeout is how long a check may take.
const checkTimeout = 5 * time.Second

// checks runs the checks of addresses that hosts announce.
type checks struct {
	context context.Context // ends with close
	cancel  context.CancelFunc
	all     sync.WaitGroup

	mu        sync.Mutex
	running   source.Counter
	strangers int // that run, in prefixes in which no host has answered
	proved    provedPrefixes
	ends      map[checked]time.Time // when checks that may run, here or at another node, have ended
}

// A checked address is one of a game.
type checked struct {
	id   uint32
	kind wzhttp.ConnectionType
}

// maxEnds limits the addresses whose checks another node may not have finished.
const maxEnds = 4096

func newChecks() *checks {
	c := &checks{
		running: source.Counter{Max: maxChecks, MaxPerAddress: maxChecksPerAddress, MaxPerPrefix: maxChecksPerPrefix},
		proved:  newProvedPrefixes(),
		ends:    make(map[checked]time.Time),
	}
	c.context, c.cancel = context.WithCancel(context.Background())
	return c
}

// start starts to check a host in a goroutine, which then calls done, unless too many
// checks are running.
func (c *checks) start(of checked, host netip.Addr, check func(ctx context.Context) error, done func(err error),
) (ok bool) {
	now := time.Now()
	c.mu.Lock()
	defer c.mu.Unlock()
	stranger := !c.proved.has(host, now)
	if c.context.Err() != nil || stranger && c.strangers >= maxStrangers || !c.running.Add(host) {
		return false
	}
	if stranger {
		c.strangers++
	}
	c.ends[of] = now.Add(checkTimeout)
	c.all.Go(func() {
		err := check(c.context)
		c.end(of, host, stranger, err == nil)
		if err == nil || c.context.Err() == nil { // or the next lobby checks again
			done(err)
		}
	})
	return true
}

// end records the end of a check.
func (c *checks) end(of checked, host netip.Addr, stranger, answered bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.ends, of)
	c.running.Remove(host)
	if stranger {
		c.strangers--
	}
	if answered {
		c.proved.add(host, time.Now())
	}
}

// mayRun reports whether a check of an address without a result may be running: here or,
// until checkTimeout after the first call, at another node.
func (c *checks) mayRun(of checked) bool {
	now := time.Now()
	c.mu.Lock()
	defer c.mu.Unlock()
	end, known := c.ends[of]
	if known {
		return !now.After(end)
	}
	if len(c.ends) >= maxEnds {
		maps.DeleteFunc(c.ends, func(_ checked, end time.Time) bool { return now.After(end) })
	}
	if len(c.ends) < maxEnds {
		c.ends[of] = now.Add(checkTimeout)
	}
	return true
}

// closed reports whether close was called.
func (c *checks) closed() bool { return c.context.Err() != nil }

// close ends all checks and waits for them.
func (c *checks) close() {
	c.mu.Lock()
	c.cancel() // start adds none after that
	c.mu.Unlock()
	c.all.Wait()
}
