package wzhttpnet

import (
	"context"
	"maps"
	"net/netip"
	"sync"
	"time"

	"github.com/lobbywire/lobbywire/warzone/warzonegames"
	"github.com/lobbywire/lobbywire/warzone/wzhttp"
)

// checkTimeout is the maximum time of a check.
const checkTimeout = 5 * time.Second

// checks runs the checks of addresses that hosts announce.
type checks struct {
	games   *warzonegames.Games
	context context.Context // ends with close
	cancel  context.CancelFunc
	all     sync.WaitGroup

	mu   sync.Mutex
	ends map[checked]time.Time // when the possible checks, here or at another node, have ended
}

// A checked is an address of a game.
type checked struct {
	id   uint32
	kind wzhttp.ConnectionType
}

// maxEnds limits the addresses whose checks another node may not have finished.
const maxEnds = 4096

func newChecks(games *warzonegames.Games) *checks {
	c := &checks{games: games, ends: make(map[checked]time.Time)}
	c.context, c.cancel = context.WithCancel(context.Background())
	return c
}

// start starts a goroutine that checks a host and then calls done, unless too many checks
// are running.
func (c *checks) start(of checked, host netip.Addr, check func(ctx context.Context) error, done func(err error),
) (ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.context.Err() != nil {
		return false
	}
	end, ok := c.games.ForLobbies().BeginCheck(host)
	if !ok {
		return false
	}
	c.ends[of] = time.Now().Add(checkTimeout)
	c.all.Go(func() {
		err := check(c.context)
		end(err == nil)
		c.mu.Lock()
		delete(c.ends, of)
		c.mu.Unlock()
		if err == nil || c.context.Err() == nil { // or the next lobby checks again
			done(err)
		}
	})
	return true
}

// mayRun reports whether a check of an address may still be running: here or, until
// checkTimeout after the first call, at another node.
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
