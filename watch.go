package lobbywire

import (
	"cmp"
	"context"
	"iter"
	"reflect"
	"slices"
	"time"
)

// The time between two rounds of a Watch.
const (
	defaultWatchInterval = 30 * time.Second
	minWatchInterval     = 5 * time.Second
)

// Watch repeats Browse until the caller leaves the loop or ctx is done, and yields what
// changes. A round fetches all lists again, and queries the servers on them and all
// Targets, which it reads from their start. The next one begins when Every has passed
// since the last one began, or after [Browser.Refresh], and all its lists and queries have
// ended.
//
// Rows of a server have one Number in all rounds. A server that answers a query is yielded
// in each round, with its new answer; others when something about them changes. A server
// that stops answering keeps its View, with the error. A server that a round no longer
// finds is yielded with Gone set, unless a list that contained it has failed or is Partial:
// then it stays for up to nine more such rounds, while its Source has fewer than 65 536
// servers.
//
// Watch sets Contested and Gone at the end of a round.
func (b *Browser) Watch(ctx context.Context) iter.Seq[Row] {
	every := max(cmp.Or(b.Every, defaultWatchInterval), minWatchInterval)
	return func(yield func(Row) bool) {
		w := watch{Browser: b, servers: make(map[watchedKey][]*watched)}
		for ctx.Err() == nil {
			refreshed, soonest := b.refresh(), time.NewTimer(minWatchInterval)
			next := time.NewTimer(every)
			if !w.round(ctx, yield) {
				soonest.Stop()
				next.Stop()
				return
			}
			select {
			case <-next.C:
			case <-refreshed:
				select {
				case <-soonest.C:
				case <-ctx.Done():
				}
			case <-ctx.Done():
			}
			soonest.Stop()
			next.Stop()
		}
	}
}

// Refresh makes every Watch begin its next round now, once its lists and queries have ended
// and 5 seconds have passed since the last round began.
func (b *Browser) Refresh() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.refreshed != nil {
		close(b.refreshed)
		b.refreshed = nil
	}
}

// refresh returns a channel that the next Refresh closes.
func (b *Browser) refresh() <-chan struct{} {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.refreshed == nil {
		b.refreshed = make(chan struct{})
	}
	return b.refreshed
}

// missableRounds is how many rounds in a row may lack a server that stays.
const missableRounds = 10

// A watch has what rounds have found.
type watch struct {
	*Browser
	servers map[watchedKey][]*watched // first those that this round has found
	found   map[watchedKey]int        // how many these are
	lists   map[watchedList]SourceEnd // of this round
	before  map[watchedList]SourceEnd // of the last round
	count   int
}

// A watchedList is the list or the scan of a Source.
type watchedList struct {
	source int
	isScan bool
}

// A watchedKey identifies a server in all rounds, unless lists disagree about it or give it
// no Key.
type watchedKey struct{ key, protocol, name string }

// A watched is the last Row of a server.
type watched struct {
	Row
	missed    int  // rounds since it was found
	contested bool // at the end of this round
}

// round yields what one Browse changes. It reports whether to go on.
func (w *watch) round(ctx context.Context, yield func(Row) bool) bool {
	for _, all := range w.servers {
		for _, s := range all {
			s.missed++
		}
	}
	w.found = make(map[watchedKey]int)
	w.before, w.lists = w.lists, make(map[watchedList]SourceEnd)
	numbered := make(map[int]*watched) // by the Number in this round
	for row := range w.browse(ctx, w.end) {
		s := numbered[row.Number]
		if s == nil {
			s = w.serverOf(row)
			numbered[row.Number] = s
		}
		if s.take(row) && !yield(s.row()) {
			return false
		}
	}
	if ctx.Err() != nil {
		return false // the round is not complete
	}
	return w.endRound(yield)
}

// end records the end of a list or a scan, and calls Ended if it differs from the last round.
func (w *watch) end(end SourceEnd) {
	list := watchedList{end.Source, end.Master == ""}
	last, known := w.before[list]
	w.lists[list] = end
	if w.Ended != nil && (!known || last.Partial != end.Partial || last.LeftOut != end.LeftOut ||
		!sameError(last.Err, end.Err)) {
		w.Ended(end)
	}
}

// serverOf returns the server of the first Row in a round.
func (w *watch) serverOf(row Row) *watched {
	k := watchedKey{key: row.Key()}
	if !row.Seen[0].Query.IsValid() {
		k.protocol, k.name = row.Seen[0].Protocol, row.View.Name
	}
	all, i := w.servers[k], w.found[k]
	w.found[k]++
	if k.key != "" {
		if found := slices.IndexFunc(all[i:], func(s *watched) bool { return s.continues(row) }); found >= 0 {
			all[i], all[i+found] = all[i+found], all[i]
		} else {
			all = slices.Insert(all, i, nil)
		}
	} else if i == len(all) {
		all = append(all, nil)
	}
	if all[i] == nil {
		w.count++
		all[i] = &watched{Row: Row{Number: w.count}}
		w.servers[k] = all
	}
	all[i].missed = 0
	return all[i]
}

// continues reports whether s is the server of the first Row in a round, which has its
// watchedKey: the server of another list may be another one.
func (s *watched) continues(row Row) bool {
	return row.Seen[0].Query.IsValid() || sameClaim(s.Row, row.Join, row.View) || s.isIn(row.Seen[0].Source)
}

// take replaces the last Row, and reports whether to yield it. Contested changes at the
// end of a round only: before, not all servers with one Join are known.
func (s *watched) take(row Row) bool {
	last := s.Row
	s.contested = row.Contested
	row.Number = last.Number
	row.Contested = last.Contested
	if last.Seen == nil {
		row.Contested = s.contested
	}
	if row.Err != nil && reflect.ValueOf(row.View).IsZero() {
		row.View, row.Join = last.View, last.Join
		if row.Listed == nil {
			row.Listed = last.Listed
		}
	}
	s.Row = row
	return row.Answer != last.Answer || last.Seen == nil || last.Join != row.Join ||
		!sameError(last.Err, row.Err) || !slices.EqualFunc(last.Seen, row.Seen, sameSighting) ||
		!reflect.DeepEqual(last.View, row.View)
}

func (s *watched) row() Row {
	row := s.Row
	row.Seen = slices.Clone(s.Seen)
	return row
}

// sameSighting reports whether two rounds have found a server in one place.
func sameSighting(a, b Sighting) bool {
	a.View, b.View = View{}, View{}
	return reflect.DeepEqual(a, b)
}

func sameError(a, b error) bool {
	return (a == nil) == (b == nil) && (a == nil || a.Error() == b.Error())
}

// lacks reports whether a server may be missing only because its list or the scan has
// failed.
func (w *watch) lacks(seen Sighting) bool {
	list, scan := w.lists[watchedList{source: seen.Source}], w.lists[watchedList{seen.Source, true}]
	return list.Err != nil || list.Partial || scan.Err != nil
}

// endRound yields what is known at the end of a round.
func (w *watch) endRound(yield func(Row) bool) bool {
	count := make(map[int]int) // of the servers of each Source
	for _, all := range w.servers {
		for _, s := range all {
			if s.missed == 0 {
				count[s.Seen[0].Source]++
			}
		}
	}
	for k, all := range w.servers {
		stay := all[:0]
		for _, s := range all {
			changed := s.contested != s.Contested
			switch source := s.Seen[0].Source; {
			case s.missed == 0:
				s.Contested = s.contested
			case s.missed < missableRounds && count[source] < maxServers && slices.ContainsFunc(s.Seen, w.lacks):
				count[source]++ // it may be found again
				changed = false
			default:
				s.Gone, changed = true, true
			}
			if changed && !yield(s.row()) {
				return false
			}
			if !s.Gone {
				stay = append(stay, s)
			}
		}
		clear(all[len(stay):])
		w.servers[k] = stay
		if len(stay) == 0 {
			delete(w.servers, k)
		}
	}
	return true
}
