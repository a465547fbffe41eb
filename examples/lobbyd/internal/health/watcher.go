package health

import (
	"context"
	"iter"
	"net/netip"
	"time"

	"github.com/lobbywire/lobbywire/bomberman/bombermannet"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/catalogue"
	"github.com/lobbywire/lobbywire/gameagent/gameagentnet"
	"github.com/lobbywire/lobbywire/warzone/warzonenet"
)

// A Watcher keeps a Catalogue of what masters list, and sees that they list what
// the Judge admits. Fields must not change while it runs.
type Watcher struct {
	Catalogue *catalogue.Catalogue
	Judge     *Judge

	// The masters; nil is one that there is not.
	GameAgent *gameagentnet.Master
	Bomberman *bombermannet.ManagementServer
	Warzone   *warzonenet.Games

	// Node is the name of this node, Origin that of the node of an entry, "" if
	// it is this one: the key is host:port of a GameAgent game, a decimal ID of
	// the others. Origin may be nil.
	Node   string
	Origin func(family catalogue.Family, key string) string

	// Every is how often it looks; 0 means every second. With very many servers
	// it takes pauses 20 times as long as it takes to look.
	Every time.Duration

	// ProbeEvery is how often each server is asked whether it is there; 0 means
	// every 2 minutes, negative means never.
	ProbeEvery time.Duration

	visits visits
}

// Run looks until ctx is done.
func (w *Watcher) Run(ctx context.Context) {
	defer w.visits.running.Wait()
	every := w.Every
	if every == 0 {
		every = time.Second
	}
	for {
		began := time.Now()
		w.look(ctx, began)
		pause := time.NewTimer(max(every, 20*time.Since(began)))
		select {
		case <-ctx.Done():
			pause.Stop()
			return
		case <-pause.C:
		}
	}
}

// An item is a server as a Watcher looks at it.
type item struct {
	catalogue.Entry
	claim    claim
	withheld bool
	probe    func(context.Context) error // whether it answers, over TCP; nil is unknown
	game     netip.AddrPort              // of GameAgent, to be asked for its status
}

// look takes everything in once.
func (w *Watcher) look(ctx context.Context, now time.Time) {
	names, seen := make(crowds), make(map[string]bool)
	if m := w.GameAgent; m != nil && w.take(ctx, catalogue.GameAgent, now, names, seen, w.gameagentItems()) {
		m.Review()
	}
	if m := w.Bomberman; m != nil && w.take(ctx, catalogue.Bomberman, now, names, seen, w.bombermanItems()) {
		m.Review()
	}
	if g := w.Warzone; g != nil && w.take(ctx, catalogue.Warzone, now, names, seen, w.warzoneItems()) {
		g.Review()
	}
	w.Judge.setCrowds(names)
	w.forget(seen)
}

// take puts a family into the catalogue and probes whose turn it is. It reports
// whether lists have what they should not, or lack what they should have.
func (w *Watcher) take(ctx context.Context, f catalogue.Family, now time.Time,
	names crowds, seen map[string]bool, items iter.Seq[item],
) (isWrong bool) {
	var games []netip.AddrPort
	var calls []call
	w.Catalogue.Set(f, func(yield func(catalogue.Entry) bool) {
		for x := range items {
			names.add(f, x.claim, w.since(x, now))
			seen[x.ID] = true
			x.Node = w.nodeOf(f, x.claim.key)
			x.Quarantine = w.Judge.fault(f, x.claim)
			isWrong = isWrong || x.withheld != (x.Quarantine != "")
			var since time.Time
			var isDue bool
			x.Reach, since, isDue = w.visit(x, now)
			switch {
			case !isDue || w.Judge.bans(x.claim.from):
			case x.game.IsValid(): // also one that is withheld, as only its answer has its name
				games = append(games, x.game)
			case x.Quarantine == "":
				calls = append(calls, call{x.ID, since, x.probe})
			}
			if !yield(x.Entry) {
				return
			}
		}
	}, now)
	w.scan(ctx, games)
	w.ask(ctx, calls)
	return isWrong
}

// since returns when a server was first seen.
func (w *Watcher) since(x item, now time.Time) time.Time {
	if !x.Since.IsZero() {
		return x.Since
	}
	if before, known := w.Catalogue.Snapshot().Find(x.ID); known {
		return before.Since
	}
	return now
}

func (w *Watcher) nodeOf(f catalogue.Family, key string) string {
	if w.Origin != nil {
		if node := w.Origin(f, key); node != "" {
			return node
		}
	}
	return w.Node
}
