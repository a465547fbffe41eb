package bombermannet

import "net"

// A group has encoded game servers. They are in no particular order: the last one
// takes the place of a removed one.
type group struct {
	pages  [][]byte // perPage servers each, the last one fewer; replaced, never changed
	owners []int    // the numbers of the servers, by their places
	size   int      // of all pages, in bytes
	next   int      // page with which the next incomplete answer begins
}

// perPage is the number of servers in a page. A change encodes a whole page again,
// but with larger pages an answer has fewer parts.
const perPage = 16

// add adds a server and returns its place. The caller writes its page.
func (g *group) add(owner int) (place int) {
	place = len(g.owners)
	g.owners = append(g.owners, owner)
	if place/perPage == len(g.pages) {
		g.pages = append(g.pages, nil)
	}
	return place
}

// remove moves the last server to a place, and returns the server and its former place.
// The caller writes the pages of both places.
func (g *group) remove(place int) (moved, from int) {
	from = len(g.owners) - 1
	moved = g.owners[from]
	g.owners[place] = moved
	g.owners = g.owners[:from]
	return moved, from
}

// write replaces the page of a place: pending answers may still use the old one. The
// function encoded returns the entry of a server.
func (g *group) write(place int, encoded func(owner int) []byte) {
	i := place / perPage
	owners := g.owners[i*perPage : min((i+1)*perPage, len(g.owners))]
	size := 0
	for _, owner := range owners {
		size += len(encoded(owner))
	}
	g.size += size - len(g.pages[i])
	if len(owners) == 0 {
		g.pages = g.pages[:i]
		return
	}
	page := make([]byte, 0, size)
	for _, owner := range owners {
		page = append(page, encoded(owner)...)
	}
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
