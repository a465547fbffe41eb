package lobbywire

import (
	"context"
	"iter"
	"reflect"
	"slices"
	"time"
)

// minWatchInterval keeps a Watch from asking masters and servers more often than they
// expect it.
const minWatchInterval = 5 * time.Second

// Watch repeats [Browse] until the caller leaves the loop or ctx is done, and yields what
// changes. A round fetches all lists again, and queries the servers on them and all
// Targets, which it reads from their start. The next one begins when every has passed
// since the last one began, and all its lists and queries have ended. 0 means 30 seconds;
// less than 5 seconds mean 5.
//
// Rows of a server have one Number in all rounds. A server that answers a query is
// yielded in each round, with its new RTT; others, and lists, when something about them
// changes. A server that stops answering keeps its View, with the error. One that a round
// does not find any more is yielded with Gone set, unless a list that named it has failed
// or is Partial.
//
// Contested and Gone are known at the end of a round.
func Watch(ctx context.Context, every time.Duration, sources ...Source) iter.Seq[Row] {
	if every == 0 {
		every = 30 * time.Second
	}
	every = max(every, minWatchInterval)
	return func(yield func(Row) bool) {
		w := watch{servers: make(map[watchedKey]*watched)}
		for ctx.Err() == nil {
			next := time.NewTimer(every)
			if !w.round(ctx, sources, yield) {
				next.Stop()
				return
			}
			select {
			case <-next.C:
			case <-ctx.Done():
				next.Stop()
			}
		}
	}
}

// A watch has what rounds have found.
type watch struct {
	servers map[watchedKey]*watched
	lists   map[watchedList]Row // of this round
	before  map[watchedList]Row // of the last round
	count   int
}

// A watchedList is the list or the scan of a Source.
type watchedList struct {
	source int
	isScan bool
}

// A watchedKey identifies a server in all rounds. Lists give different names to servers
// with one Key that are not queried, and some give servers no Key at all.
type watchedKey struct {
	key, protocol, name string
	copy                int // of servers that only differ otherwise
}

// A watched is the last Row of a server.
type watched struct {
	Row
	found     bool // in this round
	contested bool // at the end of this round
}

// round yields what one Browse changes. It reports whether to go on.
func (w *watch) round(ctx context.Context, sources []Source, yield func(Row) bool) bool {
	for _, s := range w.servers {
		s.found = false
	}
	w.before, w.lists = w.lists, make(map[watchedList]Row)
	numbered := make(map[int]*watched) // by the Number in this round
	for row := range Browse(ctx, sources...) {
		changed := false
		if row.Number == 0 {
			changed = w.takeList(row)
		} else {
			s := numbered[row.Number]
			if s == nil {
				s = w.serverOf(row)
				numbered[row.Number] = s
			}
			changed = s.take(row)
			row = s.row()
		}
		if changed && !yield(row) {
			return false
		}
	}
	if ctx.Err() != nil {
		return false // the round is not complete
	}
	return w.end(yield)
}

// takeList records the end of a list, and reports whether that differs from the last
// round.
func (w *watch) takeList(row Row) bool {
	list := watchedList{row.Seen[0].Source, row.Seen[0].Master == ""}
	last, known := w.before[list]
	w.lists[list] = row
	return !known || last.Partial != row.Partial || last.LeftOut != row.LeftOut || !sameError(last.Err, row.Err)
}

// serverOf returns the server of the first Row in a round.
func (w *watch) serverOf(row Row) *watched {
	k := watchedKey{key: row.Key()}
	if !row.Seen[0].Query.IsValid() {
		k.protocol, k.name = row.Seen[0].Protocol, row.View.Name
	}
	for w.servers[k] != nil && w.servers[k].found {
		k.copy++
	}
	s := w.servers[k]
	if s == nil {
		w.count++
		s = &watched{Row: Row{Number: w.count}}
		w.servers[k] = s
	}
	s.found = true
	return s
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
		row.View, row.Join, row.Entry = last.View, last.Join, last.Entry
	}
	s.Row = row
	return row.RTT != last.RTT || last.Seen == nil || last.Join != row.Join || last.Partial != row.Partial ||
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

// end yields what is known at the end of a round.
func (w *watch) end(yield func(Row) bool) bool {
	for k, s := range w.servers {
		switch {
		case !s.found && slices.ContainsFunc(s.Seen, w.lacks):
			continue // it may be found again
		case !s.found:
			delete(w.servers, k)
			s.Gone = true
		case s.contested == s.Contested:
			continue
		default:
			s.Contested = s.contested
		}
		if !yield(s.row()) {
			return false
		}
	}
	return true
}
