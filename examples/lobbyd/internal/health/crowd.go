package health

import (
	"strings"
	"time"

	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/catalogue"
)

// A crowd is the servers of a family that have the same name.
type crowd struct {
	family catalogue.Family
	name   string
}

// crowdOf returns the crowd of a name. Upper and lower case and spaces around it
// make no other name.
func crowdOf(f catalogue.Family, name string) crowd {
	return crowd{f, strings.ToLower(strings.TrimSpace(name))}
}

// crowds are those that there are. Those who have no name are none.
type crowds map[crowd]members

// members are how many belong to a crowd, and who was the first. That one stays
// listed: otherwise anybody could take a server off the lists by a hundred others
// of its name.
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

// has reports whether a server is in one of the crowds, and was not the first.
func (c crowds) has(f catalogue.Family, x claim) bool {
	m, ok := c[crowdOf(f, x.name)]
	return ok && m.first != x.key
}

// only leaves crowds of more than so many.
func (c crowds) only(most int) {
	for of, m := range c {
		if m.count <= most {
			delete(c, of)
		}
	}
}
