package lobbywire

import (
	"context"
	"iter"
	"net/netip"
	"reflect"
	"slices"
	"strings"
)

// A table holds the servers that a Browser has found.
type table struct {
	byKey  map[string][]*server // several only if lists disagree about a server that is not queried
	byJoin map[string][]*server // that have a Number
	count  int
}

// A server is a Row with its internal state.
type server struct {
	Row
	answered bool
	waiting  bool // for the end of its query; there is no Number yet
	disputed bool // lists disagree about it
	joined   bool // it is in byJoin
	place    int  // there
}

// take adds a finding and yields the rows that it changes. Once ctx is done, it queries no
// more servers and ignores those of a list that would be queried.
func (t *table) take(ctx context.Context, f finding) iter.Seq[Row] {
	if f.list == nil {
		return slices.Values(t.takeResult(f.source, f.scan))
	}
	return func(yield func(Row) bool) {
		ended := false
		for i, l := range f.list.Servers {
			ended = ended || hasEnded(ctx, i)
			if ended && f.leftOut != nil && l.Query.IsValid() {
				continue
			}
			for _, row := range t.takeEntry(f, i) {
				if !yield(row) {
					return
				}
			}
		}
	}
}

// takeEntry adds entry i of a list and returns the rows that it changes.
func (t *table) takeEntry(f finding, i int) []Row {
	l := f.list.Servers[i]
	var leftOut error
	if f.leftOut != nil {
		leftOut = f.leftOut[i]
	}
	s := t.takeListed(f, l, f.leftOut != nil && leftOut == nil && l.Query.IsValid())
	if leftOut != nil && !s.answered && s.Err == nil {
		s.Err = leftOut
	}
	if s.waiting {
		return nil
	}
	return t.changed(s)
}

// takeListed adds an entry of a list.
func (t *table) takeListed(f finding, l Listed, isQueried bool) *server {
	seen := Sighting{f.source, f.list.Protocol, f.list.Form, f.list.Master, netip.AddrPort{}, l.ID, l.View}
	if isQueried {
		seen.Query = unmapped(l.Query)
	}
	key := rowKey(f.list, l)
	s := t.find(key, seen)
	if s == nil {
		s = t.add(Row{Join: joinOf(l.View, ""), View: l.View, Listed: &l, key: key})
		s.waiting = isQueried
	} else if !s.isIn(f.source) && !sameClaim(s.Row, joinOf(l.View, ""), l.View) {
		s.disputed = true
	}
	s.see(seen)
	return s
}

// rowKey returns the Key of a server on a list.
func rowKey(list *ListResult, l Listed) string {
	join := joinOf(l.View, "")
	switch {
	case l.Query.IsValid():
		return list.Protocol + " " + unmapped(l.Query).String()
	case join != "":
		return list.Protocol + " " + join
	case l.ID != "":
		return list.Protocol + "#" + list.Master + "#" + l.ID
	}
	return ""
}

// joinOf returns where players join: the Address of a View in one spelling, so that
// addresses can be compared.
func joinOf(v View, host string) string {
	if a, err := netip.ParseAddr(v.Host); err == nil {
		v.Host = a.Unmap().String()
	} else {
		v.Host = strings.ToLower(strings.TrimSuffix(v.Host, "."))
	}
	return v.Address(host)
}

// find returns the server that an entry of a list describes, or nil if it is new. Each
// different claim about a server that is not queried counts as a server of its own. If a
// list contradicts itself, its first entry counts.
func (t *table) find(key string, seen Sighting) *server {
	known := t.byKey[key]
	for _, s := range known {
		if seen.Query.IsValid() || s.answered || s.waiting || s.isIn(seen.Source) {
			return s
		}
	}
	for _, s := range known {
		if sameClaim(s.Row, joinOf(seen.View, ""), seen.View) {
			return s
		}
	}
	return nil
}

// isIn reports whether the list of a Source contains the server.
func (r *Row) isIn(source int) bool {
	return slices.ContainsFunc(r.Seen, func(seen Sighting) bool { return seen.Source == source })
}

// sameClaim reports whether a list describes a server as r does.
func sameClaim(r Row, join string, v View) bool {
	v.Host, v.Port = r.View.Host, r.View.Port // which join has in one spelling
	return r.Join == join && reflect.DeepEqual(r.View, v)
}

// add adds a new server.
func (t *table) add(r Row) *server {
	s := &server{Row: r}
	if r.key != "" {
		t.byKey[r.key] = append(t.byKey[r.key], s)
	}
	return s
}

// see adds a Sighting, once for each source and form.
func (s *server) see(seen Sighting) {
	if !slices.ContainsFunc(s.Seen, func(have Sighting) bool {
		return have.Source == seen.Source && have.Form == seen.Form && have.Master == seen.Master &&
			have.Query == seen.Query
	}) {
		s.Seen = append(s.Seen, seen)
	}
}

// takeResult adds the result of a query.
func (t *table) takeResult(source int, r ScanResult) []Row {
	seen := Sighting{Source: source, Protocol: r.Protocol, Form: r.Form, View: r.View}
	if !r.Query.IsValid() {
		return nil // it is the end of a scan
	}
	seen.Query = unmapped(r.Query)
	key := r.Protocol + " " + seen.Query.String()
	var s *server
	if known := t.byKey[key]; len(known) > 0 {
		s = known[0]
	} else {
		s = t.add(Row{key: key})
	}
	s.waiting = false
	var rows []Row
	switch {
	case r.Err == nil && !s.answered:
		rows = t.leave(s)
		s.answered = true
		join := joinOf(r.View, seen.Query.Addr().String())
		if join == "" && r.Partial {
			join = s.Join // the missing parts may have it
		}
		s.Join, s.View, s.Answer, s.Err = join, r.View, &r, nil
	case r.Err != nil && !s.answered:
		s.Err = r.Err
	}
	if r.Err == nil || !slices.ContainsFunc(s.Seen, func(have Sighting) bool {
		return have.Form == seen.Form && have.Query == seen.Query
	}) {
		s.see(seen)
	}
	return append(rows, t.changed(s)...)
}

// changed returns the Rows to yield after a change of s: first other servers that become
// Contested, then s itself.
func (t *table) changed(s *server) (rows []Row) {
	if s.Number == 0 {
		t.count++
		s.Number = t.count
	}
	if same := t.byJoin[s.Join]; s.Join != "" && !s.joined {
		s.joined, s.place = true, len(same)
		t.byJoin[s.Join] = append(same, s)
		if len(same) == 1 && t.mark(same[0]) {
			rows = append(rows, same[0].row())
		}
	}
	t.mark(s)
	return append(rows, s.row())
}

// leave removes a server from byJoin, and returns the Row of a server that is no longer
// Contested.
func (t *table) leave(s *server) []Row {
	if !s.joined {
		return nil
	}
	same := t.byJoin[s.Join]
	last := len(same) - 1
	same[s.place] = same[last]
	same[s.place].place = s.place
	same[last] = nil
	t.byJoin[s.Join] = same[:last]
	s.joined = false
	if last == 1 && t.mark(same[0]) {
		return []Row{same[0].row()}
	}
	return nil
}

// mark sets Contested and reports whether its value has changed.
func (t *table) mark(s *server) bool {
	answersThere := s.answered && s.key == s.Seen[0].Protocol+" "+s.Join
	contested := (len(t.byJoin[s.Join]) > 1 || s.disputed && !s.answered) && !answersThere
	changed := s.Contested != contested
	s.Contested = contested
	return changed
}

// row returns the Row of a server, with a copy of its slice.
func (s *server) row() Row {
	row := s.Row
	row.Seen = slices.Clone(s.Seen)
	return row
}
