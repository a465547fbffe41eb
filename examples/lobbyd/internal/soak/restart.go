package soak

import (
	"context"
	"sync"
	"time"

	"github.com/lobbywire/lobbywire/examples/internal/cli"
)

// interruptions are the times when lobbyd did not run. Operations in flight may fail then.
type interruptions struct {
	mu    sync.Mutex
	now   bool
	crash bool      // lobbyd was killed in the last one
	last  time.Time // when the last one ended
}

func (i *interruptions) begin(crash bool) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.now, i.crash = true, crash
}

func (i *interruptions) end() {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.now, i.last = false, time.Now()
}

// since reports whether lobbyd was interrupted since a time.
func (i *interruptions) since(began time.Time) bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.now || i.last.After(began)
}

// killedSince reports whether lobbyd was killed since a time.
func (i *interruptions) killedSince(began time.Time) bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.crash && (i.now || i.last.After(began))
}

// inFlight is the maximum duration of an operation of a host.
const inFlight = 5 * time.Second

// Restart calls again, which ends lobbyd, by a crash or a shutdown, and starts it. It returns
// the time until a list of each kind was whole. Lists and joins in flight may fail, and changes
// of the last moments may be lost, but no list may be wrong. Bomberman servers are in flux,
// because they register again. So are hosts whose message a crash has cut: hosts of the HTTP
// lobby then give up, as the game does.
func (s *Soak) Restart(ctx context.Context, crash bool, again func()) time.Duration {
	s.interruptions.begin(crash)
	again()
	s.model.lose(time.Now())
	s.interruptions.end()
	began := time.Now()
	var clients sync.WaitGroup
	for _, l := range s.listers() {
		clients.Go(func() {
			for !s.lookOnce(ctx, l) && cli.Pause(ctx, lookEvery) {
			}
		})
	}
	clients.Wait()
	return time.Since(began)
}

// losable is the maximum age of a change that a crash loses.
const losable = 3 * time.Second

// lose records that lobbyd has lost the connections of Bomberman servers, and maybe the latest
// names. The names are in the lists again once hosts change them.
func (m *Model) lose(now time.Time) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for id := range m.hosts {
		if h := &m.hosts[id]; h.kind == Bomberman && h.phase == here {
			h.phase, h.since = lost, now
		}
		for i := range m.hosts[id].former {
			f := &m.hosts[id].former[i]
			if now.Sub(f.until) <= m.hosts[id].kind.updateLag()+losable {
				f.until = now.Add(time.Hour)
			}
		}
	}
}
