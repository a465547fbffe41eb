package warzonegames

import (
	"context"
	"errors"
	"slices"
	"sync"
	"syscall"
	"time"

	"github.com/lobbywire/lobbywire/warzone/internal/gamelist"
)

// checkPause is the time between two searches for games to check.
const checkPause = time.Second

// maxSilent is the number of consecutive checks without an answer after which a game is
// withheld. They take at least three minutes, so that a briefly busy game stays listed.
const maxSilent = 4

func (g lobbies) Check(c gamelist.Checker[Entry]) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	var mu sync.Mutex // of timer, and of the start of checks
	var timer *time.Timer
	var running sync.WaitGroup
	mu.Lock()
	defer mu.Unlock()
	timer = time.AfterFunc(checkPause, func() {
		mu.Lock()
		defer mu.Unlock()
		if ctx.Err() != nil {
			return
		}
		if due := g.due(c.Has); len(due) > 0 {
			g.check(ctx, c, due, &running)
		}
		timer.Reset(checkPause)
	})
	return func() {
		mu.Lock()
		cancel() // not while checks begin: a check that ends then would begin again
		timer.Stop()
		mu.Unlock()
		running.Wait()
	}
}

// A waiting game is due to be checked since a time.
type waiting struct {
	*registration
	since time.Time
}

// due returns the games whose checks are due, starting with those that have waited longest.
func (g *Games) due(has func(e *Entry) bool) (all []waiting) {
	start := time.Now()
	g.state.table.Each(g.locked, func(i int) {
		reg := *g.state.table.Value(i)
		if reg.isDue(start) && has(&reg.entry) {
			all = append(all, waiting{reg, reg.check.next})
		}
	})
	slices.SortFunc(all, func(a, b waiting) int { return a.since.Compare(b.since) })
	return all
}

// check begins the checks of games, as many as may run at once.
func (g lobbies) check(ctx context.Context, c gamelist.Checker[Entry], due []waiting, running *sync.WaitGroup) {
	for _, begun := range g.beginChecks(due) {
		running.Go(func() {
			err := c.Check(ctx, begun.checked)
			begun.end(err == nil)
			if e, changed := g.endCheck(ctx, begun, err); changed {
				c.Changed(e, err)
			}
		})
	}
}

// beginChecks returns the games whose checks begin now.
func (g *Games) beginChecks(due []waiting) (all []checking) {
	s := g.lock()
	defer s.unlock()
	for _, w := range due {
		reg := w.registration
		if s.find(reg.entry.ID) != reg || !reg.isDue(s.now) {
			continue
		}
		end, ok := s.checks.begin(reg.entry.Key.Addr())
		switch {
		case !ok: // the next search tries again
		case !g.admitsReachable(reg.entry):
			end(false)
			reg.check.delay(s.now, true)
		default:
			reg.check.running = true
			all = append(all, checking{reg, reg.entry, end})
		}
	}
	return all
}

// A checking is a game that is being checked.
type checking struct {
	*registration
	checked Entry // at the start of the check
	end     func(answered bool)
}

// admitsReachable reports whether Admit admits a game that answers.
func (g *Games) admitsReachable(e Entry) bool {
	e.Unreachable = false
	return g.Admit == nil || g.Admit(e)
}

// endCheck records the result of a check. It returns the game, and reports whether it has
// become Unreachable or has answered again.
func (g *Games) endCheck(ctx context.Context, c checking, err error) (e Entry, changed bool) {
	s := g.lock()
	defer s.unlock()
	reg := c.registration
	reg.check.running = false
	if reg.remote || s.find(c.checked.ID) != reg || ctx.Err() != nil {
		return Entry{}, false
	}
	switch {
	case err == nil:
		reg.check.silent = 0
	case !isOwnFault(err):
		reg.check.silent++
	}
	was := reg.entry
	reg.check.delay(s.now, err == nil || !was.Verified)
	reg.entry.Verified = was.Verified || err == nil
	reg.entry.Unreachable = was.Verified && err != nil && (was.Unreachable || reg.check.silent >= maxSilent)
	if reg.entry.isSame(&was) {
		return Entry{}, false
	}
	s.review(reg)
	s.share(reg)
	return reg.entry, reg.entry.Unreachable != was.Unreachable
}

// isOwnFault reports whether a connection failed because of this machine or its network.
func isOwnFault(err error) bool {
	for _, fault := range [...]error{
		syscall.EMFILE, syscall.ENFILE, syscall.ENOBUFS, syscall.ENOMEM, syscall.EADDRNOTAVAIL, syscall.EACCES,
		syscall.EPERM, syscall.ENETDOWN, syscall.ENETUNREACH,
	} {
		if errors.Is(err, fault) {
			return true
		}
	}
	return false
}
