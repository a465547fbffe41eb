package health

import (
	"strings"
	"time"

	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/catalogue"
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

// crowds are the existing crowds. Servers without a name belong to none.
type crowds map[crowd]members

// members are the size and the first member of a crowd. The first stays listed:
// otherwise, a hundred servers with the same name could remove a server from the
// lists.
type members struct {
	count int
	first string // key
	since time.Time
}

// add counts a server.
func (c crowds) add(f catalogue.Family, x claim, since time.Time) {
	of := crowdOf(f, x.name)
	if of.name == "" {
		return
	}
	m := c[of]
	if m.count == 0 || since.Before(m.since) {
		m.first, m.since = x.key, since
	}
	m.count++
	c[of] = m
}

// has reports whether a server is in one of the crowds and is not its first member.
func (c crowds) has(f catalogue.Family, x claim) bool {
	m, ok := c[crowdOf(f, x.name)]
	return ok && m.first != x.key
}

// only keeps the crowds with more than this many members.
func (c crowds) only(most int) {
	for of, m := range c {
		if m.count <= most {
			delete(c, of)
		}
	}
}
