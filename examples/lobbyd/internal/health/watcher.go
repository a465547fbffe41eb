package health

import (
	"cmp"
	"context"
	"iter"
	"net/netip"
	"sync"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/bomberman/bombermannet"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/catalogue"
	"github.com/lobbywire/lobbywire/gameagent/gameagentnet"
	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
)

// A Watcher updates a Catalogue from the masters, and applies the Judge to what they
// list. Fields must not change while it runs.
type Watcher struct {
	Catalogue *catalogue.Catalogue
	Judge     *Judge

	// Public returns the address for players in place of one that they cannot use; nil changes
	// none. Probes and queries go to the address that a server registered from.
	Public func(server netip.AddrPort) netip.AddrPort

	// The masters; nil if there is none.
	GameAgent *gameagentnet.Master
	GameSpy   *gamespy2net.Master
	Bomberman *bombermannet.ManagementServer
	Warzone   *warzonegames.Games

	// IsPublic says that the lists are for the internet. They also are if a server at a public
	// address is listed.
	IsPublic bool

	// OnLocal is called for a server that is listed at an address that players elsewhere cannot
	// use, when that begins, if the lists are public. nil means nothing.
	OnLocal func(e catalogue.Entry)

	// Node is the name of this node. Origin returns the name of the node that has an
	// entry, or "" for this one. The key is host:port of a GameAgent game or the query port of a GameSpy server, and
	// otherwise an ID in decimal. Origin may be nil.
	Node   string
	Origin func(family catalogue.Family, key string) string

	// Saved has the entries that were restored after a restart. They are probed first, and
	// Restored is called once no more of them can be checked. Both may be nil.
	Saved    Saved
	Restored func()

	// Filled is called once the Catalogue has what the masters listed at the start; nil
	// means nothing.
	Filled func()

	// Every is the interval between looks; 0 means 1 s. With very many servers, it
	// waits 20 times as long as a look takes.
	Every time.Duration

	// ProbeEvery is the interval between probes of a server; 0 means 2 minutes, and a
	// negative value disables probes.
	ProbeEvery time.Duration

	visits   visits
	restored sync.Once
	public   int // servers at public addresses, at the last look; the next two are only for look
	counted  int // as far as the current look is
}

// Saved has the entries that were restored after a restart, by the keys of Origin.
type Saved interface {
	State(f catalogue.Family, key string) catalogue.Saved
	Answered(f catalogue.Family, key string)
	Silent(f catalogue.Family, key string)
}

// Run runs until ctx is done.
func (w *Watcher) Run(ctx context.Context) {
	defer w.visits.running.Wait()
	every := cmp.Or(w.Every, time.Second)
	for first := true; ; first = false {
		began := time.Now()
		w.look(ctx, began)
		if first && w.Filled != nil {
			w.Filled()
		}
		pause := time.NewTimer(max(every, 20*time.Since(began)))
		select {
		case <-ctx.Done():
			pause.Stop()
			return
		case <-pause.C:
		}
	}
}

// An item is a listed server.
type item struct {
	catalogue.Entry
	claim    claim
	withheld bool
	reach    catalogue.Reach             // as its master has checked it; "" if it does not
	probe    func(context.Context) error // probes it; nil if that is impossible
	game     netip.AddrPort              // for GameAgent, to query its status
}

// itemsOf returns the items of entries, with texts in UTF-8.
func itemsOf[E any](entries iter.Seq[E], itemOf func(e E) item) iter.Seq[item] {
	return func(yield func(item) bool) {
		for e := range entries {
			x := itemOf(e)
			toUTF8(&x.Entry)
			if !yield(x) {
				return
			}
		}
	}
}

// toUTF8 converts the texts of an entry that no game's encoding has converted.
func toUTF8(e *catalogue.Entry) {
	for _, text := range []*string{&e.Game, &e.Name, &e.Map, &e.Mode, &e.Version} {
		*text = lobbywire.UTF8(*text)
	}
	for i := range e.Fields {
		f := &e.Fields[i]
		f.Name, f.Value = lobbywire.UTF8(f.Name), lobbywire.UTF8(f.Value)
	}
}

// look looks at all masters once.
func (w *Watcher) look(ctx context.Context, now time.Time) {
	names, seen := make(crowds), make(map[string]bool)
	w.visits.unchecked = 0
	if m := w.GameAgent; m != nil &&
		w.take(ctx, catalogue.GameAgent, now, names, seen, itemsOf(m.Servers(), w.gameagentItem)) {
		m.Review()
	}
	if m := w.GameSpy; m != nil && w.take(ctx, catalogue.GameSpy, now, names, seen, itemsOf(m.Servers(), w.gameSpyItem)) {
		m.Review()
	}
	if m := w.Bomberman; m != nil &&
		w.take(ctx, catalogue.Bomberman, now, names, seen, itemsOf(m.Servers(), bombermanItem)) {
		m.Review()
	}
	if g := w.Warzone; g != nil && w.take(ctx, catalogue.Warzone, now, names, seen, itemsOf(g.All(), warzoneItem)) {
		g.Review()
	}
	w.public, w.counted = w.counted, 0
	w.Judge.setCrowds(names)
	w.forget(seen)
	if w.visits.unchecked == 0 && w.Restored != nil {
		w.restored.Do(w.Restored)
	}
}

// take updates a family in the catalogue and probes the servers that are due. It
// reports whether the rules require a change of the lists.
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
			x.At = x.claim.at
			w.publish(&x.Entry)
			found := w.Judge.fault(f, x.claim)
			x.Cause, x.Quarantine, x.Pattern = found.cause, found.text, found.pattern
			w.locate(&x.Entry)
			isWrong = isWrong || x.withheld != (x.Quarantine != "")
			x.Saved = w.savedState(f, x.claim.key)
			x.Verified = x.Verified && x.Saved != catalogue.Unchecked
			var since time.Time
			var isDue bool
			x.Reach, since, isDue = w.visit(x, now)
			if x.reach != "" && x.Saved == catalogue.Live {
				x.Reach, isDue = x.reach, false
			}
			isNative := x.game.IsValid() // then probe hidden ones too, since only the answer has the name
			if w.Judge.bans(x.claim.from) || !isNative && (x.probe == nil || x.Quarantine != "") {
				isDue = false
			} else if x.Saved == catalogue.Unchecked && x.Reach == catalogue.Unknown && w.ProbeEvery >= 0 {
				w.visits.unchecked++
			}
			switch {
			case isDue && isNative:
				games = append(games, x.game)
			case isDue:
				calls = append(calls, call{x.ID, since, x.Saved, x.probe})
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

// publish replaces the address of a server by the one for players.
func (w *Watcher) publish(e *catalogue.Entry) {
	if w.Public == nil {
		return
	}
	at, err := netip.ParseAddrPort(e.Address)
	if err == nil { // otherwise it is a host name, or only players may know it
		e.Address = w.Public(at).String()
	}
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

func (w *Watcher) savedState(f catalogue.Family, key string) catalogue.Saved {
	if w.Saved == nil {
		return catalogue.Live
	}
	return w.Saved.State(f, key)
}

func (w *Watcher) nodeOf(f catalogue.Family, key string) string {
	if w.Origin != nil {
		if node := w.Origin(f, key); node != "" {
			return node
		}
	}
	return w.Node
}
