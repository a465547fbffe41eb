package health

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/catalogue"
	"github.com/lobbywire/lobbywire/internal/source"
)

// A crowd is the servers of a family with the same name.
type crowd struct {
	family catalogue.Family
	name   string
}

// crowdOf returns the crowd of a name. It ignores case and surrounding spaces.
func crowdOf(f catalogue.Family, name string) crowd {
	return crowd{f, strings.ToLower(strings.TrimSpace(name))}
}

// crowds are the existing crowds. Servers without a name or a known host belong to none.
type crowds map[crowd]*group

// A group holds the servers of a crowd.
type group struct {
	members    []*member
	most       int    // as its spread was made
	isChanged  bool   // since then
	generation uint64 // of its spread
}

// A member is a server of a crowd.
type member struct {
	of     *group
	place  int // in its members
	key    string
	source uint64 // of its host
	since  time.Time
}

// add adds a server. It returns nil if it belongs to no crowd.
func (c crowds) add(f catalogue.Family, x claim, since time.Time) *member {
	of := crowdOf(f, x.plain())
	if of.name == "" || !x.from.IsValid() {
		return nil
	}
	g := c[of]
	if g == nil {
		g = new(group)
		c[of] = g
	}
	m := &member{g, len(g.members), x.key, source.Of(x.from), since}
	g.members, g.isChanged = append(g.members, m), true
	return m
}

// leave removes a member that add has returned. It does nothing if the member is nil.
func (m *member) leave() {
	if m == nil {
		return
	}
	g, last := m.of, len(m.of.members)-1
	g.members[m.place] = g.members[last]
	g.members[m.place].place = m.place
	g.members[last] = nil
	g.members, g.isChanged = g.members[:last], true
}

// generation returns a number that changes when the server may have to be hidden or listed.
func (m *member) generation() uint64 {
	if m == nil {
		return 0
	}
	return m.of.generation
}

// A prefix may have prefixSources times as many servers of a name as a source.
const prefixSources = 4

// A spread records how a crowd is spread over sources and prefixes, and which of its
// members are listed: of each source and prefix, the first ones. Only sources and prefixes
// with many servers of a name lose any, so nobody can hide a server by registering its name
// elsewhere.
type spread struct {
	most     int // of a source
	listed   map[string]bool
	sources  map[uint64]int // listed members
	prefixes map[uint64]int
}

// respread returns the spreads of the crowds that may have too many members of a source, given
// the spreads before. It makes only the spreads of crowds that have changed, and forgets empty
// crowds.
func (c crowds) respread(before map[crowd]*spread, most int) map[crowd]*spread {
	all, isCopy := before, false
	for of, g := range c {
		if !g.isChanged && g.most == most {
			continue
		}
		g.isChanged, g.most = false, most
		if len(g.members) == 0 {
			delete(c, of)
		}
		made := spreadOf(g.members, most)
		if made == nil && all[of] == nil {
			continue
		}
		g.generation++
		if !isCopy {
			all, isCopy = maps.Clone(before), true
		}
		if made != nil {
			all[of] = made
		} else {
			delete(all, of)
		}
	}
	return all
}

// spreadOf returns the spread of a crowd, or nil if it has too few members.
func spreadOf(members []*member, most int) *spread {
	if len(members) == 0 || len(members) < most {
		return nil
	}
	members = slices.Clone(members)
	slices.SortFunc(members, func(a, b *member) int {
		if order := a.since.Compare(b.since); order != 0 {
			return order
		}
		return strings.Compare(a.key, b.key)
	})
	s := &spread{
		most:   most,
		listed: make(map[string]bool), sources: make(map[uint64]int), prefixes: make(map[uint64]int),
	}
	for _, m := range members {
		if s.full(m.source) == "" {
			s.listed[m.key] = true
			s.sources[m.source]++
			s.prefixes[source.Prefix(m.source)]++
		}
	}
	return s
}

// fault returns the reason to hide a server of the crowd.
func (s *spread) fault(x claim) fault {
	if s == nil || !x.from.IsValid() || s.listed[x.key] {
		return fault{}
	}
	text := s.full(source.Of(x.from))
	if text == "" {
		return fault{}
	}
	return fault{cause: catalogue.SameName, text: text}
}

// full returns why a source may list no more members, or "".
func (s *spread) full(of uint64) string {
	switch {
	case s.sources[of] >= s.most:
		return fmt.Sprintf("one of more than %d of this name at its address", s.most)
	case s.prefixes[source.Prefix(of)] >= prefixSources*s.most:
		return fmt.Sprintf("one of more than %d of this name at addresses like its own", prefixSources*s.most)
	}
	return ""
}
