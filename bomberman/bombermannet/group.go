package bombermannet

import "net"

// A group has encoded game servers. They are in no particular order: the last one
// takes the place of a removed one.
type group struct {
	pages   [][]byte // perPage servers each, the last one fewer; replaced, never changed
	members []*member
	size    int // of all pages, in bytes
	next    int // page with which the next incomplete answer begins
}

// perPage is the number of servers in a page. A change encodes a whole page again,
// but with larger pages an answer has fewer parts.
const perPage = 16

// add lists a member.
func (g *group) add(s *member) {
	s.in, s.place = g, len(g.members)
	g.members = append(g.members, s)
	if s.place/perPage == len(g.pages) {
		g.pages = append(g.pages, nil)
	}
	g.write(s.place / perPage)
}

// remove removes a member.
func (g *group) remove(s *member) {
	end := len(g.members) - 1
	last := g.members[end]
	g.members[s.place] = last
	last.place = s.place
	g.members[end] = nil
	g.members = g.members[:end]
	g.write(end / perPage)
	if s.place/perPage != end/perPage {
		g.write(s.place / perPage)
	}
	if end%perPage == 0 {
		g.pages = g.pages[:len(g.pages)-1]
	}
	s.in = nil
}

// write replaces page i: pending answers may still use the old one.
func (g *group) write(i int) {
	members := g.members[i*perPage : min((i+1)*perPage, len(g.members))]
	size := 0
	for _, s := range members {
		size += len(s.encoded)
	}
	page := make([]byte, 0, size)
	for _, s := range members {
		page = append(page, s.encoded...)
	}
	g.size += size - len(g.pages[i])
	g.pages[i] = page
}

// appendNext appends pages of up to room bytes to v and returns the remaining room. If
// the pages do not fit, it continues where the last call ended.
func (g *group) appendNext(v net.Buffers, room int) (net.Buffers, int) {
	if g.size <= room {
		return append(v, g.pages...), room - g.size
	}
	g.next %= len(g.pages)
	for range g.pages {
		page := g.pages[g.next]
		if len(page) > room {
			break
		}
		v = append(v, page)
		room -= len(page)
		g.next = (g.next + 1) % len(g.pages)
	}
	return v, room
}
