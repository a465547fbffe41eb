package bombermannet

import "net"

// A group holds encoded game servers in no particular order: the last one takes the index
// of a removed one.
type group struct {
	pages  [][]byte // perPage servers each, the last one fewer; replaced, never changed
	owners []int    // the numbers of the servers, by their indexes
	size   int      // of all pages, in bytes
	next   int      // page with which the next incomplete answer begins
}

// perPage is the number of servers in a page. A change encodes a whole page again,
// but with larger pages an answer has fewer parts.
const perPage = 16

// add adds a server and returns its index. The caller writes its page.
func (g *group) add(owner int) (index int) {
	index = len(g.owners)
	g.owners = append(g.owners, owner)
	if index/perPage == len(g.pages) {
		g.pages = append(g.pages, nil)
	}
	return index
}

// remove moves the last server to an index, and returns the server and its former index.
// The caller writes the pages of both indexes.
func (g *group) remove(index int) (moved, from int) {
	from = len(g.owners) - 1
	moved = g.owners[from]
	g.owners[index] = moved
	g.owners = g.owners[:from]
	return moved, from
}

// write replaces the page that contains an index. Pending answers may still use the old
// page.
func (g *group) write(t *locked, index int) {
	i := index / perPage
	owners := g.owners[i*perPage : min((i+1)*perPage, len(g.owners))]
	size := 0
	for _, owner := range owners {
		size += len(t.Value(owner).encoded)
	}
	g.size += size - len(g.pages[i])
	if len(owners) == 0 {
		g.pages = g.pages[:i]
		return
	}
	page := make([]byte, 0, size)
	for _, owner := range owners {
		page = append(page, t.Value(owner).encoded...)
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
