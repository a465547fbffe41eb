package bombermannet

import "net"

// A roll is game servers as they are sent. They stand in no order, so one that
// goes is replaced by the last.
type roll struct {
	pages   [][]byte // perPage servers each but for the last; replaced, never changed
	members []*member
	size    int // bytes of all pages
	next    int // page with which the next answer begins that has not all
}

// perPage is how many servers are written anew when one changes, for a list of
// as few pieces as that allows.
const perPage = 16

// add lists a member.
func (r *roll) add(s *member) {
	s.on, s.place = r, len(r.members)
	r.members = append(r.members, s)
	if s.place/perPage == len(r.pages) {
		r.pages = append(r.pages, nil)
	}
	r.write(s.place / perPage)
}

// remove takes a member off.
func (r *roll) remove(s *member) {
	end := len(r.members) - 1
	last := r.members[end]
	r.members[s.place] = last
	last.place = s.place
	r.members[end] = nil
	r.members = r.members[:end]
	r.write(end / perPage)
	if s.place/perPage != end/perPage {
		r.write(s.place / perPage)
	}
	if end%perPage == 0 {
		r.pages = r.pages[:len(r.pages)-1]
	}
	s.on = nil
}

// write makes page i anew: answers with the old one may be on their way.
func (r *roll) write(i int) {
	members := r.members[i*perPage : min((i+1)*perPage, len(r.members))]
	size := 0
	for _, s := range members {
		size += len(s.encoded)
	}
	page := make([]byte, 0, size)
	for _, s := range members {
		page = append(page, s.encoded...)
	}
	r.size += size - len(r.pages[i])
	r.pages[i] = page
}

// appendNext appends pages of up to room bytes to v and returns how much room is
// left. If that is not enough for all, it goes on where it ended the last time.
func (r *roll) appendNext(v net.Buffers, room int) (net.Buffers, int) {
	if r.size <= room {
		return append(v, r.pages...), room - r.size
	}
	r.next %= len(r.pages)
	for range r.pages {
		page := r.pages[r.next]
		if len(page) > room {
			break
		}
		v = append(v, page)
		room -= len(page)
		r.next = (r.next + 1) % len(r.pages)
	}
	return v, room
}
