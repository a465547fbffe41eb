package data

import (
	"errors"
	"hash/maphash"
	"io/fs"
	"sync"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/entries"
)

// An entry that does not change is written again only after rewriteAfter.
const rewriteAfter = 2 * time.Minute

// lateness is how much later than its Until an entry may expire, because masters do not
// pass every sign of life to a Store.
const lateness = 45 * time.Second

// sweepEvery is the time between searches for expired entries that no master has had.
const sweepEvery = 10 * time.Second

// A List is the Store that saves the list of one master. Its methods may be called at any
// time.
type List[E any, K comparable] struct {
	form   *entries.Form[E, K]
	policy policy[E]

	mu      sync.Mutex
	pending map[K]change[E] // the last change of each entry, until it is written
	changed chan<- struct{} // gets a value when something is pending
	kept    map[K]*kept[E]  // restored entries whose hosts have not returned
	hosts   map[string][]K  // of kept, and maybe of some that have returned
	put     func(E)         // of the master; nil before Watch
	remove  func(K)
	shared  lobbywire.Store[E, K] // with other nodes; nil without a cluster
	frozen  bool

	// Only write uses these.
	journal journal
	seed    maphash.Seed
	saved   map[K]saved // what the journal has
	swept   time.Time
}

// A change is an argument of Put or Remove.
type change[E any] struct {
	entry   E
	heard   time.Time
	removed bool
}

// saved is an entry in the journal.
type saved struct {
	span
	sum   uint64 // of the body
	heard int64  // in milliseconds
	until int64  // which may be later than in the journal
}

func newList[E any, K comparable](d *Dir, form *entries.Form[E, K], p policy[E]) *List[E, K] {
	name := string(form.Family)
	return &List[E, K]{
		form:    form,
		policy:  p,
		pending: make(map[K]change[E]),
		kept:    make(map[K]*kept[E]),
		hosts:   make(map[string][]K),
		journal: journal{path: d.Path(name + ".list"), format: "lobbyd list of " + name + ", format 1\n"},
		seed:    maphash.MakeSeed(),
		saved:   make(map[K]saved),
	}
}

// Put saves an entry of this node.
func (l *List[E, K]) Put(e E) {
	l.mu.Lock()
	defer l.mu.Unlock()
	k := l.form.KeyOf(e)
	delete(l.kept, k) // its host has returned
	l.changeLocked(k, change[E]{entry: e, heard: time.Now()})
}

// Remove removes an entry.
func (l *List[E, K]) Remove(k K) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.frozen {
		delete(l.kept, k)
		l.changeLocked(k, change[E]{removed: true})
	}
}

// Expire removes an entry.
func (l *List[E, K]) Expire(k K) { l.Remove(k) }

// changeLocked makes a change pending.
func (l *List[E, K]) changeLocked(k K, c change[E]) {
	l.pending[k] = c
	select {
	case l.changed <- struct{}{}:
	default: // the next write includes it
	}
}

// Watch calls put with the restored entries, and remove for entries that do not answer.
func (l *List[E, K]) Watch(put func(E), remove func(K)) (stop func()) {
	l.mu.Lock()
	l.put, l.remove = put, remove
	restored := make([]E, 0, len(l.kept))
	for _, e := range l.kept {
		restored = append(restored, e.entry)
	}
	l.mu.Unlock()
	for _, e := range restored {
		put(e)
	}
	return func() {}
}

// freeze makes the List ignore later removals: in a shutdown, hosts leave because their
// connections are closed. Later entries are still saved, because their hosts have received
// answers.
func (l *List[E, K]) freeze() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.frozen = true
}

// write writes the changes since the last call. On error, the next call writes them.
func (l *List[E, K]) write(now time.Time) error {
	if now.Sub(l.swept) >= sweepEvery {
		l.dropKept(now)
	}
	changes := l.takeChanges()
	l.dropReturned(changes)
	if err := l.writeAll(changes, now); err != nil {
		l.retry(changes)
		return err
	}
	return nil
}

// takeChanges returns the changes since the last call.
func (l *List[E, K]) takeChanges() map[K]change[E] {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.pending) == 0 {
		return nil
	}
	changes := l.pending
	l.pending = make(map[K]change[E])
	return changes
}

// retry makes changes pending again, unless a later change replaces them.
func (l *List[E, K]) retry(changes map[K]change[E]) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for k, c := range changes {
		_, isNewer := l.pending[k]
		_, isSaved := l.saved[k]
		if !isNewer && (isSaved || !c.removed) {
			l.pending[k] = c
		}
	}
}

func (l *List[E, K]) writeAll(changes map[K]change[E], now time.Time) error {
	gone := l.expired(changes, now)
	if len(changes)+len(gone) == 0 && l.journal.file != nil {
		return nil
	}
	if err := l.ready(); err != nil {
		return err
	}
	var lines []byte
	added := make(map[K]saved)
	for k, c := range changes {
		before, isSaved := l.saved[k]
		if c.removed {
			if isSaved {
				gone = append(gone, k)
			}
			continue
		}
		body, until, err := l.encode(c.entry)
		if err != nil {
			continue // no entry of a master
		}
		s := saved{sum: maphash.Bytes(l.seed, body), heard: c.heard.UnixMilli(), until: until.UnixMilli()}
		if isSaved && before.sum == s.sum && s.heard-before.heard < rewriteAfter.Milliseconds() {
			before.until = s.until
			l.saved[k] = before
			continue
		}
		s.at = l.journal.size + int64(len(lines))
		lines = appendLine(lines, record{l.form.ID(k), s.heard, s.until, body})
		s.size = int(l.journal.size + int64(len(lines)) - s.at)
		added[k] = s
	}
	for _, k := range gone {
		lines = appendLine(lines, record{ID: l.form.ID(k)})
	}
	if len(lines) == 0 {
		return nil
	}
	if err := l.journal.write(lines); err != nil {
		return err
	}
	for k, s := range added {
		l.journal.live += int64(s.size - l.saved[k].size)
		l.saved[k] = s
	}
	for _, k := range gone {
		l.journal.live -= int64(l.saved[k].size)
		delete(l.saved, k)
	}
	if l.journal.isLong() {
		return l.replace()
	}
	return nil
}

// encode returns the body of an entry without its times, so that it stays the same while
// only they change. It also returns when the entry expires.
func (l *List[E, K]) encode(e E) (body []byte, until time.Time, err error) {
	until = l.form.Until(e)
	*l.form.Seen(&e) = time.Time{}
	if l.form.Expires != nil {
		*l.form.Expires(&e) = time.Time{}
	}
	body, err = l.form.Encode(e)
	return body, until, err
}

// expired returns the keys of saved entries that have expired and have not changed.
func (l *List[E, K]) expired(changes map[K]change[E], now time.Time) (gone []K) {
	if now.Sub(l.swept) < sweepEvery {
		return nil
	}
	l.swept = now
	before := now.Add(-lateness).UnixMilli()
	for k, s := range l.saved {
		if _, isChanged := changes[k]; !isChanged && s.until < before {
			gone = append(gone, k)
		}
	}
	return gone
}

// ready opens the file, or makes one if there is none.
func (l *List[E, K]) ready() error {
	switch {
	case l.journal.aside:
		return l.replace()
	case l.journal.file != nil && !l.journal.readOnly:
		return nil
	case l.journal.readOnly, len(l.saved) > 0:
		if err := l.journal.reopen(); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	clear(l.saved) // somebody has removed the file
	return l.replace()
}

// replace replaces the file by one without lines that are out of date.
func (l *List[E, K]) replace() error {
	keys := make([]K, 0, len(l.saved))
	lines := make([]span, 0, len(l.saved))
	for k, s := range l.saved {
		keys = append(keys, k)
		lines = append(lines, s.span)
	}
	return l.journal.replace(lines, func(i int, to span) {
		s := l.saved[keys[i]]
		s.span = to
		l.saved[keys[i]] = s
	})
}

func (l *List[E, K]) setAside() (string, error) { return l.journal.setAside() }

func (l *List[E, K]) close() error { return l.journal.close() }
