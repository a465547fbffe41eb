package health

import (
	"fmt"
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
type crowds map[crowd][]member

// A member is a server of a crowd.
type member struct {
	key    string
	source uint64 // of its host
	since  time.Time
}

// add adds a server.
func (c crowds) add(f catalogue.Family, x claim, since time.Time) {
	of := crowdOf(f, x.plain())
	if of.name == "" || !x.from.IsValid() {
		return
	}
	c[of] = append(c[of], member{x.key, source.Of(x.from), since})
}

// prefixSources is how many times as many servers of a name as a source a prefix may
// have.
const prefixSources = 4

// A spread is how a crowd is spread over sources and prefixes, and which of its members
// are listed: of each source and prefix, the first ones. Only those who register many
// servers of a name lose any, so nobody can hide a server by registering its name
// elsewhere.
type spread struct {
	most     int // of a source
	listed   map[string]bool
	sources  map[uint64]int // listed members
	prefixes map[uint64]int
}

// spreads returns those of the crowds that may have too many members of a source.
func (c crowds) spreads(most int) map[crowd]*spread {
	all := make(map[crowd]*spread)
	for of, members := range c {
		if len(members) >= most {
			all[of] = spreadOf(members, most)
		}
	}
	return all
}

func spreadOf(members []member, most int) *spread {
	slices.SortFunc(members, func(a, b member) int {
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
