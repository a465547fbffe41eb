package health

import (
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

// Limits of probes: what a home router holds easily.
const (
	maxProbes  = 64 // over TCP at once
	probeEvery = 2 * time.Minute
)

// visits are what is known of which servers answer.
type visits struct {
	mu       sync.Mutex
	of       map[string]*visit // by ID of the catalogue
	probing  int               // over TCP, now
	scanning bool              // GameAgent servers are being asked
	running  sync.WaitGroup
}

// A visit is what is known of whether a server answers.
type visit struct {
	game   netip.AddrPort // of GameAgent
	next   time.Time
	busy   bool
	failed int // times, one after the other
	reach  catalogue.Reach
}

// visit returns what is known of a server, whether to probe it now, and since when
// that is due.
func (w *Watcher) visit(x item, now time.Time) (reach catalogue.Reach, since time.Time, isDue bool) {
	w.visits.mu.Lock()
	defer w.visits.mu.Unlock()
	v := w.visits.of[x.ID]
	if v == nil {
		if w.visits.of == nil {
			w.visits.of = make(map[string]*visit)
		}
		v = &visit{game: x.game, reach: catalogue.Unknown}
		w.visits.of[x.ID] = v
	}
	isDue = w.ProbeEvery >= 0 && !v.busy && !now.Before(v.next) && (x.probe != nil || x.game.IsValid())
	return v.reach, v.next, isDue
}

// forget drops what is known of servers that are gone.
func (w *Watcher) forget(seen map[string]bool) {
	w.visits.mu.Lock()
	defer w.visits.mu.Unlock()
	for id, v := range w.visits.of {
		if !seen[id] {
			delete(w.visits.of, id)
			w.Judge.told.forget(v.game)
		}
	}
}

// note takes what a probe found, and what a GameAgent server answered, if the
// server is still listed. One failure is bad luck.
func (w *Watcher) note(id string, err error, status *gameagent.Status) {
	w.visits.mu.Lock()
	defer w.visits.mu.Unlock()
	v := w.visits.of[id]
	if v == nil {
		return
	}
	if status != nil {
		w.Judge.told.set(v.game, *status)
	}
	every := w.ProbeEvery
	if every == 0 {
		every = probeEvery
	}
	v.busy = false
	v.next = time.Now().Add(every + rand.N(every/4+1)) // not all at once for ever
	switch {
	case err == nil:
		v.failed, v.reach = 0, catalogue.Reachable
	case v.failed > 0:
		v.reach = catalogue.Unreachable
	default:
		v.failed++
	}
}

// A call is a server that is to be probed over TCP.
type call struct {
	id    string
	since time.Time // due; zero is for ever
	probe func(context.Context) error
}

// ask probes servers over TCP, those first that have waited longest: if many let
// it wait for nothing, others have their turn before those have it again. It
// leaves for later whom there are too many of.
func (w *Watcher) ask(ctx context.Context, calls []call) {
	slices.SortStableFunc(calls, func(a, b call) int { return a.since.Compare(b.since) })
	w.visits.mu.Lock()
	defer w.visits.mu.Unlock()
	for _, c := range calls[:min(len(calls), maxProbes-w.visits.probing)] {
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

// scan queries GameAgent servers for their status. Those that are due while a scan
// runs wait for the next one.
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
