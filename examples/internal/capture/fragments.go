package capture

import (
	"bytes"
	"net/netip"
	"slices"
	"time"
)

// Limits of reassembly.
const (
	// maxPayload is the size of the longest datagram, from the format.
	maxPayload = 1<<16 - 1

	// fragmentTime is the time after its first fragment within which a datagram
	// must be complete, from RFC 8200.
	fragmentTime = time.Minute

	// maxDatagrams is the number of incomplete datagrams that are kept. The
	// limit is ours. A new one replaces the oldest.
	maxDatagrams = 4096
)

// Names of kinds of packets that are not part of any Sent.
const (
	leftIncomplete4 = "fragment of an incomplete IPv4 datagram"
	leftIncomplete6 = "fragment of an incomplete IPv6 datagram"
	leftBroken      = "broken fragment"
	leftOverlap     = "fragment that overlaps another"
	leftRepeated    = "repeated fragment"
	leftNested      = "fragment within a fragment"
)

// fragments keeps fragments until their datagrams are complete. If fragments
// overlap, the datagram is dropped with all its fragments, including later ones,
// as RFC 5722 and RFC 8200 require. A fragment that only repeats bytes is
// ignored. IPv4 is handled in the same way, as in common systems.
type fragments struct {
	known map[fragmentsOf]*parts
	queue []*parts // by age; some are no longer in known
}

// fragmentsOf holds the fields that all fragments of a datagram have in common.
type fragmentsOf struct {
	src, dst netip.Addr
	id       uint32
	protocol protocol // of IPv4
}

// parts are the fragments of one datagram.
type parts struct {
	key      fragmentsOf
	since    moment   // when the first fragment was captured
	protocol protocol // of the payload, by the first fragment
	list     []part   // by offset, without overlaps
	sum      int      // of their sizes
	size     int      // of the datagram; -1 until the last fragment has arrived

	state partsState
	whole []byte // the captured part of a complete datagram
}

// A part is a fragment. Its data ends before its end if it was cut.
type part struct {
	start, end int
	data       []byte
	no, at     int // of its frame, and in it
}

// A partsState is the state of reassembly of a datagram.
type partsState int

const (
	waiting partsState = iota
	complete
	givenUp
)

// addFragment handles a fragment. If the fragment completes a datagram, ok is
// true. If it is dropped, what is the reason.
func (r *Stack) addFragment(p packet, m moment) (whole packet, ok bool, what string) {
	if p.size == 0 || p.fragment.offset+p.size > maxPayload || p.fragment.more && p.size%8 != 0 {
		return packet{}, false, leftBroken
	}
	key := fragmentsOf{src: p.src, dst: p.dst, id: p.fragment.id}
	if p.src.Is4() {
		key.protocol = p.protocol
	}
	d := r.fragments.known[key]
	if d != nil && d.isOver(p, m) {
		r.finish(d)
		d = nil
	}
	if d == nil {
		d = r.startDatagram(key, m)
	}
	switch {
	case d.state == givenUp:
		return packet{}, false, leftOverlap
	case d.repeats(p):
		return packet{}, false, leftRepeated
	case !d.insert(p):
		r.leave(leftOverlap, len(d.list))
		d.state, d.list = givenUp, nil
		return packet{}, false, leftOverlap
	}
	if d.sum != d.size {
		return packet{}, false, ""
	}
	start := d.start()
	d.state, d.whole, d.list = complete, start.data, nil
	return d.packet(start), true, ""
}

// startDatagram makes room for a datagram.
func (r *Stack) startDatagram(key fragmentsOf, m moment) *parts {
	f := &r.fragments
	for len(f.queue) > 0 && (len(f.known) >= maxDatagrams || f.known[f.queue[0].key] != f.queue[0]) {
		r.finish(f.queue[0])
		f.queue = f.queue[1:]
	}
	if f.known == nil {
		f.known = make(map[fragmentsOf]*parts)
	}
	d := &parts{key: key, since: m, size: -1}
	f.known[key] = d
	f.queue = append(f.queue, d)
	return d
}

// finish removes a datagram. If the datagram is incomplete, its start is used, and
// the fragments after the start are counted.
func (r *Stack) finish(d *parts) {
	if r.fragments.known[d.key] != d {
		return
	}
	delete(r.fragments.known, d.key)
	if d.state != waiting {
		return
	}
	incomplete := leftIncomplete6
	if d.key.src.Is4() {
		incomplete = leftIncomplete4
	}
	start := d.start()
	r.leave(incomplete, len(d.list)-start.count)
	if start.count == 0 {
		return
	}
	if _, what := r.upper(d.packet(start), d.since); what != "" {
		r.leave(what, start.count)
	}
}

// finishFragments finishes all datagrams.
func (r *Stack) finishFragments() {
	for _, d := range r.fragments.queue {
		r.finish(d)
	}
}

// isOver reports whether p belongs to a later datagram than d.
func (d *parts) isOver(p packet, m moment) bool {
	return m.by.Sub(d.since.by) > fragmentTime || d.state == complete && !d.repeats(p)
}

// repeats reports whether the bytes of a fragment are known.
func (d *parts) repeats(p packet) bool {
	if d.state == complete {
		return p.fragment.offset+p.size <= d.size && agree(d.whole, p.payload, p.fragment.offset)
	}
	at, end := p.fragment.offset, p.fragment.offset+p.size
	for _, q := range d.list[d.find(at):] {
		if q.start > at || at == end {
			break
		}
		if !agree(q.data, p.payload[min(at-p.fragment.offset, len(p.payload)):], at-q.start) {
			return false
		}
		at = min(q.end, end)
	}
	return at == end
}

// agree reports whether b, which starts at an offset in a, has the same bytes
// as a where both have bytes.
func agree(a, b []byte, offset int) bool {
	a = a[min(offset, len(a)):]
	n := min(len(a), len(b))
	return bytes.Equal(a[:n], b[:n])
}

// find returns the index of the first part that ends after an offset.
func (d *parts) find(offset int) int {
	i, _ := slices.BinarySearchFunc(d.list, offset, func(q part, offset int) int {
		if q.end <= offset {
			return -1
		}
		return 1
	})
	return i
}

// insert adds a fragment. It reports whether the fragment agrees with earlier ones.
func (d *parts) insert(p packet) (ok bool) {
	q := part{p.fragment.offset, p.fragment.offset + p.size, p.payload, p.no, p.at}
	i := d.find(q.start)
	if i < len(d.list) && d.list[i].start < q.end {
		return false
	}
	highest := q.end
	if n := len(d.list); n > 0 {
		highest = max(highest, d.list[n-1].end)
	}
	if !p.fragment.more {
		if d.size >= 0 {
			return false
		}
		d.size = q.end
	}
	if d.size >= 0 && highest > d.size {
		return false
	}
	if q.start == 0 {
		d.protocol = p.protocol
	}
	d.list = slices.Insert(d.list, i, q)
	d.sum += p.size
	return true
}

// A datagramStart is the start of a datagram, up to the first missing fragment.
type datagramStart struct {
	count int    // of fragments
	reach int    // where the last of them ends
	data  []byte // up to the first byte that was not captured
	parts []Part // of data
}

func (d *parts) start() (s datagramStart) {
	cut := false
	for _, q := range d.list {
		if q.start != s.reach {
			break
		}
		if !cut {
			at := len(s.data)
			s.data = append(s.data, q.data...)
			s.parts = append(s.parts, Part{Start: at, End: len(s.data), Frame: q.no, Offset: q.at})
		}
		cut = cut || len(q.data) < q.end-q.start
		s.reach = q.end
		s.count++
	}
	return s
}

// packet returns the packet that starts with the start of a datagram.
func (d *parts) packet(start datagramStart) packet {
	p := packet{src: d.key.src, dst: d.key.dst, protocol: d.protocol, payload: start.data, size: d.size,
		parts: start.parts}
	switch {
	case d.size >= 0:
	case p.protocol == protocolUDP:
		p.size = maxPayload // the header gives the real one
	default:
		p.size = start.reach
	}
	return p
}

// upper handles a reassembled packet, see transport.
func (r *Stack) upper(p packet, m moment) (s *side, what string) {
	if p.src.Is6() {
		p, what = p.behindExtensions()
		if what != "" {
			return nil, what
		}
		if p.fragment.is {
			return nil, leftNested
		}
	}
	return r.transport(p, m)
}
