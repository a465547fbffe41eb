package data

import (
	"context"
	"errors"
	"log/slog"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"github.com/lobbywire/lobbywire/bomberman/bombermannet"
	"github.com/lobbywire/lobbywire/examples/internal/cli"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/catalogue"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/entries"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1/gamespy1net"
	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
)

// Times of writing.
const (
	gather        = 10 * time.Millisecond // after a change, for others
	retryAfter    = 5 * time.Second
	complainEvery = time.Minute
)

// Lists save the lists of all masters.
type Lists struct {
	GameAgent *List[gamespy1net.Entry, netip.AddrPort]
	GameSpy   *List[gamespy2net.Entry, netip.AddrPort]
	Bomberman *List[bombermannet.Entry, uint64]
	Warzone   *List[warzonegames.Entry, uint32]

	log     *slog.Logger
	all     map[catalogue.Family]list
	also    []func() error // see Include; guarded by mu
	mu      sync.Mutex
	changed chan struct{} // has a value if a list has changed since the last write
	stop    context.CancelFunc
	running sync.WaitGroup

	failed     atomic.Uint64 // writes
	isFailing  atomic.Bool
	complained time.Time
}

// A list is a List of any family.
type list interface {
	restore(now time.Time) error
	write(now time.Time) error
	freeze()
	state(id string) catalogue.Saved
	answered(id string)
	silent(id string, now time.Time)
	unverified() int
	setAside() (string, error)
	close() error
}

// Lists reads the lists of the directory, and writes their changes until Close. It keeps
// unreadable files aside.
func (d *Dir) Lists(log *slog.Logger) *Lists {
	l := d.newLists(log)
	ctx, stop := context.WithCancel(context.Background())
	l.stop = stop
	l.running.Go(func() { l.run(ctx) })
	return l
}

// newLists reads the lists.
func (d *Dir) newLists(log *slog.Logger) *Lists {
	l := &Lists{
		GameAgent: newList(d, entries.GameAgent(), udpPolicy[gamespy1net.Entry](gamespy1net.Expiry)),
		GameSpy:   newList(d, entries.GameSpy(), udpPolicy[gamespy2net.Entry](gamespy2net.Expiry)),
		Bomberman: newList(d, entries.Bomberman(), bombermanPolicy()),
		Warzone:   newList(d, entries.Warzone(), warzonePolicy()),
		log:       log,
		also:      []func() error{d.saveSecrets},
		changed:   make(chan struct{}, 1),
	}
	l.GameAgent.changed, l.GameSpy.changed = l.changed, l.changed
	l.Bomberman.changed, l.Warzone.changed = l.changed, l.changed
	l.all = map[catalogue.Family]list{
		catalogue.GameAgent: l.GameAgent, catalogue.GameSpy: l.GameSpy,
		catalogue.Bomberman: l.Bomberman, catalogue.Warzone: l.Warzone,
	}
	restored := 0
	for family, one := range l.all {
		switch err := one.restore(time.Now()); {
		case errors.Is(err, errCut):
			log.Warn("a saved list is cut: the end of it is lost", "family", string(family), "error", err)
		case err != nil:
			kept, failed := one.setAside()
			log := log.With("family", string(family), "error", errors.Join(err, failed))
			if kept != "" {
				log = log.With("kept", kept)
			}
			log.Warn("a saved list cannot be read, or not all of it")
		}
		restored += one.unverified()
	}
	if restored > 0 {
		log.Info("restored", "servers", restored)
	}
	return l
}

// run writes changes until ctx is done, soon after the first of them. It makes missing files
// at the start, because that takes longer than a write.
func (l *Lists) run(ctx context.Context) {
	tick := time.NewTicker(sweepEvery)
	defer tick.Stop()
	for cli.Pause(ctx, gather) {
		for !l.write() {
			if !cli.Pause(ctx, retryAfter) {
				return
			}
		}
		select {
		case <-l.changed:
		case <-tick.C:
		case <-ctx.Done():
		}
	}
}

// Include makes the Lists also call save, which saves other changes if there are any: after
// Changed, and again until it succeeds.
func (l *Lists) Include(save func() error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.also = append(l.also, save)
}

// Changed makes the Lists save soon.
func (l *Lists) Changed() {
	select {
	case l.changed <- struct{}{}:
	default: // the next write includes it
	}
}

// write writes the changes of all lists, and reports whether it can.
func (l *Lists) write() (ok bool) {
	var errs []error
	now := time.Now()
	for _, one := range l.all {
		errs = append(errs, one.write(now))
	}
	l.mu.Lock()
	also := l.also
	l.mu.Unlock()
	for _, save := range also {
		errs = append(errs, save())
	}
	err := errors.Join(errs...)
	was := l.isFailing.Swap(err != nil)
	switch {
	case err != nil:
		l.failed.Add(1)
		if now.Sub(l.complained) >= complainEvery {
			l.complained = now
			l.log.Warn("the latest changes are not saved; a restart would lose them", "error", err)
		}
	case was:
		l.complained = time.Time{}
		l.log.Info("the latest changes are saved again")
	}
	return err == nil
}

// Freeze makes the lists ignore later removals. Call it before a shutdown closes the
// connections of hosts.
func (l *Lists) Freeze() {
	for _, one := range l.all {
		one.freeze()
	}
}

// Close writes the pending changes.
func (l *Lists) Close() {
	l.stop()
	l.running.Wait()
	l.write()
	for _, one := range l.all {
		if err := one.close(); err != nil {
			l.log.Warn("a saved list cannot be closed", "error", err)
		}
	}
}

// State returns whether an entry is a restored one. The key is as in [entries.ID].
func (l *Lists) State(f catalogue.Family, key string) catalogue.Saved {
	if id, ok := entries.ID(f, key); ok {
		return l.all[f].state(id)
	}
	return catalogue.Live
}

// Answered records that the host of an entry has answered a check.
func (l *Lists) Answered(f catalogue.Family, key string) {
	if id, ok := entries.ID(f, key); ok {
		l.all[f].answered(id)
	}
}

// Silent records that the host of an entry does not answer. A restored entry is removed,
// unless its host may be silent for another reason.
func (l *Lists) Silent(f catalogue.Family, key string) {
	if id, ok := entries.ID(f, key); ok {
		l.all[f].silent(id, time.Now())
	}
}

// Stats describe Lists.
type Stats struct {
	OK     bool   // the last write has succeeded
	Failed uint64 // writes
}

// Stats returns a snapshot.
func (l *Lists) Stats() Stats { return Stats{OK: !l.isFailing.Load(), Failed: l.failed.Load()} }
