package health

import (
	"cmp"
	"context"
	"net/netip"
	"sync"
	"time"

	"github.com/lobbywire/lobbywire/bomberman/bombermannet"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/catalogue"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1/gamespy1net"
	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
)

// A Watcher updates a Catalogue from the masters, and applies the Judge to their servers.
// Fields must not change while it runs.
type Watcher struct {
	Catalogue *catalogue.Catalogue
	Judge     *Judge

	// Public returns the address for players in place of an address that they cannot use; nil
	// changes none. Probes and queries go to the address that a server registered from.
	Public func(server netip.AddrPort) netip.AddrPort

	// The masters; nil if there is none.
	GameAgent *gamespy1net.Master
	GameSpy   *gamespy2net.Master
	Bomberman *bombermannet.ManagementServer
	Warzone   *warzonegames.Games

	// IsPublic says that the lists are for the internet. They also are if a server at a public
	// address is listed.
	IsPublic bool

	// If the lists are public, OnLocal is called when a server begins to be listed at an
	// address that players elsewhere cannot use. It may be nil.
	OnLocal func(e catalogue.Entry)

	// OnLeft is called when a server has left the list of its master. heard is when it was last
	// heard of, and why is the reason, as the end of a sentence. It may be nil.
	OnLeft func(e *catalogue.Entry, heard time.Time, why string)

	// Node is the name of this node. Origin returns the name of the node that has an entry,
	// or "" for this one. The key is host:port of a GameAgent game or the query port of a
	// GameSpy server, and otherwise an ID in decimal. Origin may be nil.
	Node   string
	Origin func(family catalogue.Family, key string) string

	// Saved contains the entries that were restored after a restart. They are probed first,
	// and Restored is called once no more of them can be checked. Both may be nil.
	Saved    Saved
	Restored func()

	// Filled is called once the Catalogue contains the servers that the masters listed at
	// the start. It may be nil.
	Filled func()

	// Every is the time from the beginning of a look to the next; 0 means 1 s. At least a
	// quarter of it is a pause.
	Every time.Duration

	// ProbeEvery is the interval between probes of a server; 0 means 2 minutes, and a
	// negative value disables probes.
	ProbeEvery time.Duration

	timeout time.Duration // of probes and of each attempt of queries, if the defaults are too long

	visits   visits
	restored sync.Once

	last memory
}

// A memory is the state that a look leaves for the next one.
type memory struct {
	lists    []list
	looks    uint64 // their number
	crowds   crowds
	rules    *Rules
	texts    *map[string]func([]byte) string
	isPublic bool // the lists are public
	public   int  // servers at public addresses
}

// Saved contains the entries that were restored after a restart, by the keys of Origin.
type Saved interface {
	State(f catalogue.Family, key string) catalogue.Saved
	Answered(f catalogue.Family, key string)
	Silent(f catalogue.Family, key string)
}

// Run runs until ctx is done.
func (w *Watcher) Run(ctx context.Context) {
	defer w.visits.running.Wait()
	every := cmp.Or(w.Every, time.Second)
	for {
		began := time.Now()
		w.look(ctx, began)
		if w.last.looks == 1 && w.Filled != nil {
			w.Filled()
		}
		pause := time.NewTimer(max(every-time.Since(began), every/4))
		select {
		case <-ctx.Done():
			pause.Stop()
			return
		case <-pause.C:
		}
	}
}

// start makes the lists of the masters.
func (w *Watcher) start() {
	w.last.crowds = make(crowds)
	if m := w.GameAgent; m != nil {
		w.last.lists = append(w.last.lists, &follower[gamespy1net.Entry, netip.AddrPort]{
			family: catalogue.GameAgent, all: m.Servers, admit: m.Review, item: w.gameagentItem, same: sameGameAgent,
			facts: func(e gamespy1net.Entry) facts[netip.AddrPort] {
				return facts[netip.AddrPort]{e.Game, e.Seen, e.Seen.Add(gamespy1net.Expiry), e.Withheld}
			},
		})
	}
	if m := w.GameSpy; m != nil {
		w.last.lists = append(w.last.lists, &follower[gamespy2net.Entry, netip.AddrPort]{
			family: catalogue.GameSpy, all: m.Servers, admit: m.Review, item: w.gameSpyItem, same: sameGameSpy,
			facts: func(e gamespy2net.Entry) facts[netip.AddrPort] {
				return facts[netip.AddrPort]{e.Addr, e.Seen, e.Seen.Add(gamespy2net.Expiry), e.Withheld}
			},
		})
	}
	if m := w.Bomberman; m != nil {
		w.last.lists = append(w.last.lists, &follower[bombermannet.Entry, uint64]{
			family: catalogue.Bomberman, all: m.Servers, admit: m.Review, item: bombermanItem, same: sameBomberman,
			facts: func(e bombermannet.Entry) facts[uint64] {
				return facts[uint64]{e.ID, e.Seen, e.Seen.Add(bombermannet.Expiry), e.Withheld}
			},
		})
	}
	if g := w.Warzone; g != nil {
		w.last.lists = append(w.last.lists, &follower[warzonegames.Entry, uint32]{
			family: catalogue.Warzone, all: g.All, admit: g.Review, item: warzoneItem, same: sameWarzone,
			facts: func(e warzonegames.Entry) facts[uint32] {
				return facts[uint32]{e.ID, e.Seen, endOfGame(&e), e.Withheld}
			},
		})
	}
}

// look looks at all masters once. Its time depends mostly on the number of changes since the
// last look.
func (w *Watcher) look(ctx context.Context, now time.Time) {
	if w.last.looks == 0 {
		w.start()
	}
	w.last.looks++
	l := look{now: now, number: w.last.looks}
	rules, texts, isPublic := w.Judge.rules.Load(), w.Judge.texts.Load(), w.IsPublic || w.last.public > 0
	l.readsAll, l.judgesAll = texts != w.last.texts, rules != w.last.rules || isPublic != w.last.isPublic
	w.last.rules, w.last.texts, w.last.isPublic = rules, texts, isPublic
	for _, of := range w.last.lists {
		of.look(w, &l)
	}
	w.Catalogue.Update(l.put, l.gone, now)
	for _, of := range w.last.lists {
		of.review()
	}
	w.last.public = l.public
	w.Judge.setCrowds(w.last.crowds)
	w.scan(ctx, l.natives)
	w.ask(ctx, append(l.restored, l.others...))
	if l.unchecked == 0 && w.Restored != nil {
		w.restored.Do(w.Restored)
	}
}
