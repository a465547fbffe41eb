package health

import (
	"cmp"
	"context"
	"math/rand/v2"
	"net/netip"
	"slices"
	"sync"
	"time"

	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/catalogue"
	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/gameagent/gameagentnet"
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

// visits are the results of probes.
type visits struct {
	mu       sync.Mutex
	of       map[string]*visit // by the ID in the catalogue
	probing  int               // running probes over TCP
	scanning bool              // a scan of GameAgent servers is running
	running  sync.WaitGroup

	unchecked int // restored servers that are being checked; only look uses it
}

// A visit is the result of the probes of one server.
type visit struct {
	family catalogue.Family
	key    string
	game   netip.AddrPort // for GameAgent
	saved  catalogue.Saved
	next   time.Time
	busy   bool
	failed int // number of consecutive failures
	reach  catalogue.Reach
}

// visit returns the result for a server, whether to probe it now, and since when a
// probe is due.
func (w *Watcher) visit(x item, now time.Time) (reach catalogue.Reach, since time.Time, isDue bool) {
	w.visits.mu.Lock()
	defer w.visits.mu.Unlock()
	v := w.visits.of[x.ID]
	if v == nil {
		if w.visits.of == nil {
			w.visits.of = make(map[string]*visit)
		}
		v = &visit{family: x.Family, key: x.claim.key, game: x.game, reach: catalogue.Unknown}
		w.visits.of[x.ID] = v
	}
	v.saved = x.Saved
	isDue = w.ProbeEvery >= 0 && !v.busy && !now.Before(v.next) && (x.probe != nil || x.game.IsValid())
	return v.reach, v.next, isDue
}

// forget removes results of servers that are gone.
func (w *Watcher) forget(seen map[string]bool) {
	w.visits.mu.Lock()
	defer w.visits.mu.Unlock()
	for id, v := range w.visits.of {
		if !seen[id] {
			delete(w.visits.of, id)
			w.Judge.statuses.forget(v.game)
		}
	}
}

// note records the result of a probe, and the status of a GameAgent server, if the
// server is still listed. A single failure does not count.
func (w *Watcher) note(id string, err error, status *gameagent.Status) {
	w.visits.mu.Lock()
	defer w.visits.mu.Unlock()
	v := w.visits.of[id]
	if v == nil {
		return
	}
	if status != nil {
		w.Judge.statuses.set(v.game, *status)
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
	w.noteSaved(v)
}

// noteSaved passes the result of the probes of a restored server on. If the first probe has
// failed, the second follows soon.
func (w *Watcher) noteSaved(v *visit) {
	switch {
	case v.saved == catalogue.Live:
	case v.failed == 0:
		w.Saved.Answered(v.family, v.key)
	case v.failed < restoreProbes:
		v.next = time.Now().Add(restoreRetry)
	default:
		w.Saved.Silent(v.family, v.key)
	}
}

// A call is a server to probe over TCP.
type call struct {
	id    string
	since time.Time // when the probe was due; zero means long ago
	saved catalogue.Saved
	probe func(context.Context) error
}

// ask probes servers over TCP, up to a limit. It starts with those that have waited
// longest, so slow servers do not keep others from being probed.
func (w *Watcher) ask(ctx context.Context, calls []call) {
	slices.SortStableFunc(calls, func(a, b call) int { return a.since.Compare(b.since) })
	w.visits.mu.Lock()
	defer w.visits.mu.Unlock()
	for _, c := range calls {
		if w.visits.probing >= maxProbes && (c.saved != catalogue.Unchecked || w.visits.probing >= maxRestoreProbes) {
			continue
		}
		w.visits.probing++
		w.visits.of[c.id].busy = true
		w.visits.running.Go(func() {
			ctx, cancel := context.WithTimeout(ctx, probeTimeout)
			defer cancel()
			w.note(c.id, c.probe(ctx), nil)
			w.visits.mu.Lock()
			defer w.visits.mu.Unlock()
			w.visits.probing--
		})
	}
}

// scan queries GameAgent servers for their status. Servers that become due during a
// scan wait for the next one.
func (w *Watcher) scan(ctx context.Context, games []netip.AddrPort) {
	w.visits.mu.Lock()
	defer w.visits.mu.Unlock()
	if len(games) == 0 || w.visits.scanning {
		return
	}
	w.visits.scanning = true
	targets := make([]netip.AddrPort, len(games))
	for i, g := range games {
		targets[i] = netip.AddrPortFrom(g.Addr(), g.Port()+1)
	}
	w.visits.running.Go(func() {
		var client gameagentnet.Client
		for at, r := range client.Scan(ctx, slices.Values(targets)) {
			if !at.IsValid() {
				break
			}
			var status *gameagent.Status
			if r.Err == nil {
				status = &r.Message
			}
			w.note(gameagentID(netip.AddrPortFrom(at.Addr(), at.Port()-1)), r.Err, status)
		}
		w.visits.mu.Lock()
		defer w.visits.mu.Unlock()
		w.visits.scanning = false
	})
}
