package warzonegames

import (
	"bytes"
	"cmp"
	"maps"
	"slices"

	"github.com/lobbywire/lobbywire/warzone"
	"github.com/lobbywire/lobbywire/warzone/internal/gamelist"
)

// review decides again whether a published game is withheld, and updates the lists.
func (s *state) review(reg *registration) {
	// Encoding cannot fail, because it has succeeded before.
	if s.admit(reg) && s.encode(&reg.entry) == nil {
		s.present(reg)
	}
}

// admit decides whether a published game is withheld, and reports whether that has changed.
func (s *state) admit(reg *registration) (changed bool) {
	was := reg.entry.Withheld
	if was {
		s.withheld--
	}
	reg.entry.Withheld = reg.entry.Unreachable || s.games.Admit != nil && !s.games.Admit(reg.entry)
	if reg.entry.Withheld {
		s.withheld++
	}
	return reg.entry.Withheld != was
}

// encode sets scratch to the records of e, and the fields of e.Game that depend on other
// fields of e.
func (s *state) encode(e *Entry) error {
	at, second := lobbies{s.games}.PublicAddr(e.Key), lobbies{s.games}.PublicAddr(e.Second)
	e.Game.Host, e.Game.GameID = at.Addr().String(), e.ID
	recordPort := cmp.Or(s.games.RecordPort, warzone.GamePortOf20)
	scratch := &s.records.scratch
	for i := range scratch {
		var err error
		scratch[i], err = e.appendRecord(scratch[i][:0], i, at, second, recordPort)
		if err != nil {
			return err
		}
	}
	return nil
}

// present updates the lists for reg, whose records are in scratch.
func (s *state) present(reg *registration) {
	for _, v := range s.viewers {
		show(v, &reg.entry)
	}
}

// show passes a game to v if it is listed.
func show(v gamelist.Viewer[Entry], e *Entry) {
	if e.Withheld {
		v.Remove(e)
	} else {
		v.Put(e)
	}
}

// watch makes v receive the published games, and then all changes.
func (s *state) watch(v gamelist.Viewer[Entry]) {
	for _, reg := range slices.SortedFunc(maps.Values(s.byKey), func(a, b *registration) int {
		return cmp.Or(a.entry.Opened.Compare(b.entry.Opened), a.entry.Key.Compare(b.entry.Key))
	}) {
		s.encode(&reg.entry) // cannot fail, because it has succeeded before
		show(v, &reg.entry)
	}
	s.viewers = append(s.viewers, v)
}

// watchSection makes a section receive changes, before the first list.
func (s *state) watchSection(i int) {
	r := &s.records
	section := &r.sections[i]
	if section.IsMade() {
		return
	}
	row := func(*Entry) ([]byte, bool) { return bytes.Clone(r.scratch[i]), len(r.scratch[i]) > 0 }
	section.Table = gamelist.NewTable(row, func(n int) {
		section.forget(n)
		r.lists[section.layout] = gamelist.Records{}
	})
	s.watch(&section.Table)
}

// unwatch undoes watch.
func (s *state) unwatch(v gamelist.Viewer[Entry]) {
	s.viewers = slices.DeleteFunc(s.viewers, func(w gamelist.Viewer[Entry]) bool { return w == v })
}
