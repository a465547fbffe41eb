package health

import (
	"cmp"
	"context"
	"maps"
	"math/rand/v2"
	"net/netip"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/catalogue"
	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/gameagent/gameagentnet"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1/gamespy1net"
)

// Limits of probes, low enough for a home router.
const (
	maxProbes  = 64 // concurrent probes over TCP
	probeEvery = 2 * time.Minute
)

// Limits of probes of restored servers, which clients may want to join now. A host that is
// gone takes the whole time limit.
const (
	maxRestoreProbes = 512
	restoreRetry     = time.Second
	restoreProbes    = 2 // after which a server counts as silent
)

// visits are the probes.
type visits struct {
	mu       sync.Mutex // also for the visits of all servers
	probing  int        // running probes over TCP
	scanning bool       // a scan of GameAgent servers is running
	running  sync.WaitGroup
}

// A visit is the result of the probes of one server.
type visit struct {
	next   time.Time
	busy   bool
	isGone bool
	failed int             // number of consecutive failures
	reach  catalogue.Reach // "" is unknown
	news   atomic.Bool     // the result of a probe differs from the one before
}

// reachOf returns whether a server responds.
func (w *Watcher) reachOf(s *server) catalogue.Reach {
	if s.reach != "" && s.shown.Saved == catalogue.Live {
		return s.reach
	}
	w.visits.mu.Lock()
	defer w.visits.mu.Unlock()
	return cmp.Or(s.visit.reach, catalogue.Unknown)
}

// mayProbe adds a server to the servers to probe, if a probe is due. Hidden servers are probed
// only for a status, because only that contains the name.
func (w *Watcher) mayProbe(l *look, s *server) {
	isNative, isRestored := s.game.IsValid(), s.shown.Saved == catalogue.Unchecked
	if w.ProbeEvery < 0 || !isNative && (s.probe == nil || s.shown.Quarantine != "") {
		return
	}
	w.visits.mu.Lock()
	since := s.visit.next
	isDue := !s.visit.busy && !l.now.Before(since) && (s.reach == "" || s.shown.Saved != catalogue.Live)
	w.visits.mu.Unlock()
	if !isDue && !isRestored || w.Judge.bans(s.claim.from) {
		return
	}
	if isRestored && s.shown.Reach == catalogue.Unknown {
		l.unchecked++
	}
	c := call{s, s.shown.Family, s.claim.key, s.game, s.shown.Via, s.probe, s.shown.Saved, since}
	switch {
	case isDue && isNative:
		l.natives = append(l.natives, c)
	case isDue && isRestored:
		l.restored.add(c, maxRestoreProbes)
	case isDue:
		l.others.add(c, maxProbes)
	}
}

// note records the result of a probe, and the status of a GameAgent server, if the
// server is still listed. A single failure does not count.
func (w *Watcher) note(c call, err error, status *gameagent.Status) {
	if status != nil {
		w.GameAgent.SetSession(c.game, gamespy1net.Session{Name: status.SessionName, GameName: status.GameName})
	}
	w.visits.mu.Lock()
	defer w.visits.mu.Unlock()
	v, before := &c.to.visit, c.to.visit.reach
	if v.isGone {
		return
	}
	every := cmp.Or(w.ProbeEvery, probeEvery)
	v.busy = false
	v.next = time.Now().Add(every + rand.N(every/4+1)) // spreads the probes
	switch {
	case err == nil:
		v.failed, v.reach = 0, catalogue.Reachable
	case v.failed > 0:
		v.failed++
		v.reach = catalogue.Unreachable
	default:
		v.failed++
	}
	if v.reach != before {
		v.news.Store(true)
	}
	w.noteSaved(c)
}

// noteSaved passes the result of the probes of a restored server on. If the first probe has
// failed, the second follows soon.
func (w *Watcher) noteSaved(c call) {
	v := &c.to.visit
	switch {
	case c.saved == catalogue.Live:
	case v.failed == 0:
		w.Saved.Answered(c.family, c.key)
	case v.failed < restoreProbes:
		v.next = time.Now().Add(restoreRetry)
	default:
		w.Saved.Silent(c.family, c.key)
	}
}

// A call is a probe of a server that is due.
type call struct {
	to     *server
	family catalogue.Family
	key    string
	game   netip.AddrPort // for GameAgent
	via    netip.Addr     // as in catalogue.Entry
	probe  func(context.Context) error
	saved  catalogue.Saved
	since  time.Time // when it was due; zero means long ago
}

// soonest are the calls that have waited longest, the longest first.
type soonest []call

// add adds a call, and removes the last one if there are more than most.
func (all *soonest) add(c call, most int) {
	if len(*all) == most && !c.since.Before((*all)[most-1].since) {
		return
	}
	i, _ := slices.BinarySearchFunc(*all, c.since, func(of call, since time.Time) int {
		if of.since.After(since) {
			return 1
		}
		return -1
	})
	*all = slices.Insert(*all, i, c)
	*all = (*all)[:min(len(*all), most)]
}

// ask probes servers over TCP, up to a limit. It starts with the servers that have waited
// longest, so that slow servers do not delay others forever.
func (w *Watcher) ask(ctx context.Context, calls []call) {
	slices.SortStableFunc(calls, func(a, b call) int { return a.since.Compare(b.since) })
	w.visits.mu.Lock()
	defer w.visits.mu.Unlock()
	for _, c := range calls {
		if w.visits.probing >= maxProbes && (c.saved != catalogue.Unchecked || w.visits.probing >= maxRestoreProbes) {
			continue
		}
		w.visits.probing++
		c.to.visit.busy = true
		w.visits.running.Go(func() {
			ctx, cancel := context.WithTimeout(ctx, cmp.Or(w.timeout, probeTimeout))
			defer cancel()
			w.note(c, c.probe(ctx), nil)
			w.visits.mu.Lock()
			defer w.visits.mu.Unlock()
			w.visits.probing--
		})
	}
}

// scan queries GameAgent servers for their status. Servers that become due during a
// scan wait for the next one.
func (w *Watcher) scan(ctx context.Context, calls []call) {
	w.visits.mu.Lock()
	defer w.visits.mu.Unlock()
	if len(calls) == 0 || w.visits.scanning {
		return
	}
	w.visits.scanning = true
	w.visits.running.Go(func() {
		by := make(map[netip.Addr]map[netip.AddrPort]call) // the query address, by via
		for _, c := range calls {
			if by[c.via] == nil {
				by[c.via] = make(map[netip.AddrPort]call)
			}
			by[c.via][netip.AddrPortFrom(c.game.Addr(), c.game.Port()+1)] = c
		}
		for via, of := range by {
			w.scanFrom(ctx, via, of)
		}
		w.visits.mu.Lock()
		defer w.visits.mu.Unlock()
		w.visits.scanning = false
	})
}

// scanFrom queries GameAgent servers, by their query addresses, from an address of this machine.
func (w *Watcher) scanFrom(ctx context.Context, via netip.Addr, of map[netip.AddrPort]call) {
	client := gameagentnet.Client{Listen: catalogue.ListenFrom(via), Timeout: w.timeout}
	for at, r := range client.Scan(ctx, maps.Keys(of)) {
		if !at.IsValid() {
			break
		}
		var status *gameagent.Status
		if r.Err == nil {
			status = &r.Message
		}
		w.note(of[at], r.Err, status) // Scan yields targets
	}
}
