package data

import (
	"errors"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/catalogue"
)

// grace is the minimum time that a restored entry stays listed, unless a check fails.
const grace = 90 * time.Second

// A policy decides about the restored entries of a family.
type policy[E any] struct {
	// life is how long after its host was last heard of an entry is restored.
	life func(e E) time.Duration

	// isChecked reports whether a check of an entry shows that its host is still there.
	// Otherwise the host has to return.
	isChecked func(e E) bool

	// isShared reports whether other nodes list a restored entry although nothing has
	// confirmed it.
	isShared func(e E) bool

	// patience is how long after its host was last heard of an entry stays listed although
	// the host does not answer a check.
	patience time.Duration

	// until returns when a restored entry expires if its host does not return, from the time
	// when its host was last heard of and its own end. It expires after grace at the
	// earliest. nil means its own end.
	until func(e E, heard, end time.Time) time.Time

	// renews reports whether an answer to a check keeps an entry listed as long as a sign of
	// life to the master, up to half an hour after the last one.
	renews bool

	// host returns a text that stays the same if a host returns with another key. nil means
	// that hosts return with the same key, and "" that it is not known.
	host func(e E) string
}

// kept is a restored entry whose host has not returned.
type kept[E any] struct {
	entry E
	heard time.Time // when its host last sent something
	until time.Time
	state catalogue.Saved
}

// restore reads the file. It returns errDamaged if some of it cannot be read, errCut if it lacks
// the end, and errFormat if it cannot be read at all.
func (l *List[E, K]) restore(now time.Time) error {
	type found struct {
		record
		span
	}
	last := make(map[K]found)
	unknown := false
	l.journal.clean()
	err := l.journal.read(func(r record, at span) {
		k, ok := l.form.ParseID(r.ID)
		switch {
		case !ok:
			unknown = true
		case r.Body == nil:
			delete(last, k)
		default:
			last[k] = found{r, at}
		}
	})
	if err != nil && !errors.Is(err, errDamaged) && !errors.Is(err, errCut) {
		return err
	}
	for k, f := range last {
		e, err := l.form.Decode(k, f.Body)
		s := saved{span: f.span, heard: f.Heard} // expired, unless it is restored
		heard, until := time.UnixMilli(f.Heard), time.UnixMilli(f.Until)
		switch {
		case errors.Is(err, lobbywire.ErrUnsupported):
			s.until = f.Until // it stays in the file, for the version that has written it
		case err != nil:
			unknown = true
			continue
		case now.Sub(heard) <= l.policy.life(e):
			restored := l.revive(e, heard, until, now)
			s.until = restored.until.UnixMilli()
			l.keep(k, restored)
		}
		l.journal.live += int64(f.size)
		l.saved[k] = s
	}
	if unknown {
		return errDamaged
	}
	return err
}

// revive returns a restored entry, with its times.
func (l *List[E, K]) revive(e E, heard, until, now time.Time) *kept[E] {
	if heard.After(now) {
		heard = now // the clock was set back
	}
	if l.policy.until != nil {
		until = l.policy.until(e, heard, until)
	}
	until = earliest(latest(until, now.Add(grace)), now.Add(halfAnHour))
	if l.form.Expires != nil {
		*l.form.Seen(&e), *l.form.Expires(&e) = heard, until
	} else {
		*l.form.Seen(&e) = until.Add(-l.form.Expiry)
	}
	return &kept[E]{e, heard, until, catalogue.Unchecked}
}

// state returns whether an entry was restored.
func (l *List[E, K]) state(id string) catalogue.Saved {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.kept) == 0 {
		return catalogue.Live
	}
	k, ok := l.form.ParseID(id)
	if !ok {
		return catalogue.Live
	}
	e := l.kept[k]
	if e == nil {
		return catalogue.Live
	}
	return e.state
}

// answered records that the host of an entry has answered a check.
func (l *List[E, K]) answered(id string) {
	k, ok := l.form.ParseID(id)
	if !ok {
		return
	}
	put, e := l.confirm(k, time.Now())
	if put {
		l.put(e)
	}
	if put && l.shared != nil {
		l.shared.Put(e)
	}
}

// confirm marks a restored entry as checked. It reports whether the entry was unchecked
// before, or is listed for longer now.
func (l *List[E, K]) confirm(k K, now time.Time) (news bool, e E) {
	l.mu.Lock()
	defer l.mu.Unlock()
	kept := l.kept[k]
	if kept == nil || l.put == nil || l.frozen || !l.policy.isChecked(kept.entry) {
		return false, e
	}
	renews := l.policy.renews && now.Sub(kept.heard) <= halfAnHour
	news = kept.state == catalogue.Unchecked || renews
	kept.state = catalogue.Checked
	if renews {
		*l.form.Seen(&kept.entry) = now
		kept.until = now.Add(l.form.Expiry)
		l.changeLocked(k, change[E]{kept.entry, kept.heard, false})
	}
	return news, kept.entry
}

// silent records that the host of an entry does not answer.
func (l *List[E, K]) silent(id string, now time.Time) {
	k, ok := l.form.ParseID(id)
	if !ok {
		return
	}
	l.mu.Lock()
	e := l.kept[k]
	drops := e != nil && !l.frozen && l.policy.isChecked(e.entry) && now.Sub(e.heard) > l.policy.patience
	l.mu.Unlock()
	if drops {
		l.drop(k)
	}
}

// drop removes a restored entry.
func (l *List[E, K]) drop(k K) {
	l.mu.Lock()
	remove := l.remove
	e := l.kept[k]
	if e != nil {
		delete(l.kept, k)
		l.changeLocked(k, change[E]{removed: true})
	}
	l.mu.Unlock()
	if e != nil && remove != nil {
		remove(k)
	}
	if e != nil && l.shared != nil && (e.state == catalogue.Checked || l.policy.isShared(e.entry)) {
		l.shared.Remove(k)
	}
}

// keep adds a restored entry.
func (l *List[E, K]) keep(k K, e *kept[E]) {
	l.kept[k] = e
	if l.policy.host == nil {
		return
	}
	if host := l.policy.host(e.entry); host != "" {
		l.hosts[host] = append(l.hosts[host], k)
	}
}

// dropKept forgets restored entries that have expired.
func (l *List[E, K]) dropKept(now time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for k, e := range l.kept {
		if now.After(e.until) {
			delete(l.kept, k)
		}
	}
	if len(l.kept) == 0 {
		clear(l.hosts)
	}
}

// dropReturned removes restored entries whose hosts have returned with another key.
func (l *List[E, K]) dropReturned(changes map[K]change[E]) {
	for _, k := range l.returned(changes) {
		l.drop(k)
	}
}

// returned returns the keys that hosts of changed entries had before.
func (l *List[E, K]) returned(changes map[K]change[E]) (gone []K) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.hosts) == 0 {
		return nil
	}
	for _, c := range changes {
		if !c.removed {
			gone = append(gone, l.hosts[l.policy.host(c.entry)]...)
		}
	}
	return gone
}

// unverified returns the number of restored entries that no check has confirmed.
func (l *List[E, K]) unverified() (n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, e := range l.kept {
		if e.state == catalogue.Unchecked {
			n++
		}
	}
	return n
}

func latest(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

func earliest(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}
