package capture

import (
	"cmp"
	"encoding/binary"
	"net/netip"
	"slices"
)

// connections puts TCP segments in order. Each direction is handled separately,
// because a capture may have only one.
type connections struct {
	known map[ends]*side
	all   []*side // also of earlier connections between the same ends
	size  int     // of the data of all segments
}

// ends are the two ends of a direction.
type ends struct{ from, to netip.AddrPort }

// A side is one direction of a connection.
type side struct {
	ends
	since    moment // of the first segment with data
	segments []segment

	// Offsets count from the first segment. Sequence numbers wrap around, so
	// each offset is chosen as close as possible to the one before it.
	last struct {
		seq uint32
		off int64
	}
	start offset // of the stream, if it was captured
	end   offset // of the stream, if it was captured
	acked offset // the other side has received the stream up to here
	reset bool   // by either side

	forgotten bool // its data is not needed
}

// An offset is a position in a stream, if it is known.
type offset struct {
	known bool
	at    int64
}

// A segment is a part of a stream. If it was cut, its data is shorter than its
// size.
type segment struct {
	at    int64
	size  int
	data  []byte
	parts []Part // of data
}

// Bits of the flags of a segment.
const (
	flagFIN = 1 << iota
	flagSYN
	flagRST
	_
	flagACK
)

// add handles a segment. It returns the direction to which the segment adds data or an end.
// If it is broken, what is its kind.
func (c *connections) add(p packet, m moment) (s *side, what string) {
	const least = 20
	switch {
	case p.size < least:
		return nil, "broken TCP header"
	case len(p.payload) < least:
		return nil, cutHeader("TCP")
	}
	h := p.payload
	header, flags := int(h[12]>>4)*4, h[13]
	if header < least || header > p.size {
		return nil, "broken TCP header"
	}
	e := ends{
		netip.AddrPortFrom(p.src, binary.BigEndian.Uint16(h)),
		netip.AddrPortFrom(p.dst, binary.BigEndian.Uint16(h[2:])),
	}
	seq, ack := binary.BigEndian.Uint32(h[4:]), binary.BigEndian.Uint32(h[8:])
	if flags&flagACK != 0 {
		c.known[ends{e.to, e.from}].acknowledge(ack)
	}
	s = c.sideOf(e, seq, flags)
	g := segment{at: s.offset(seq), size: p.size - header, data: behind(h, header)}
	g.parts = p.partsOf(min(header, len(h)), len(h))
	if flags&flagSYN != 0 {
		g.at++
		s.start = offset{true, g.at}
	}
	if flags&flagFIN != 0 {
		s.end = offset{true, g.at + int64(g.size)}
	}
	if flags&flagRST != 0 { // its data is not part of the stream
		s.reset = true
		if back := c.known[ends{e.to, e.from}]; back != nil {
			back.reset = true
		}
		return s, ""
	}
	if g.size > 0 && !s.forgotten {
		if len(s.segments) == 0 {
			s.since = m
		}
		s.segments = append(s.segments, g)
		c.size += len(g.data)
	}
	return s, ""
}

// forget drops the data of a direction, and all later data.
func (c *connections) forget(s *side) {
	for _, g := range s.segments {
		c.size -= len(g.data)
	}
	s.segments, s.forgotten = nil, true
}

// sideOf returns the side that a segment belongs to. A SYN with a different
// sequence number starts a new connection.
func (c *connections) sideOf(e ends, seq uint32, flags byte) *side {
	s := c.known[e]
	if s != nil && (flags&flagSYN == 0 || s.startsWith(seq)) {
		return s
	}
	if back := (ends{e.to, e.from}); s != nil && flags&flagACK == 0 && c.known[back] != nil &&
		len(c.known[back].segments) > 0 {
		delete(c.known, back) // it belongs to the previous connection
	}
	s = &side{ends: e}
	s.last.seq = seq
	if c.known == nil {
		c.known = make(map[ends]*side)
	}
	c.known[e] = s
	c.all = append(c.all, s)
	return s
}

// startsWith reports whether a SYN may be the start of the side.
func (s *side) startsWith(seq uint32) bool {
	at := s.near(seq) + 1
	if s.start.known {
		return at == s.start.at
	}
	return !s.forgotten && (len(s.segments) == 0 || at == s.first())
}

// first returns the lowest offset of all segments.
func (s *side) first() int64 {
	return slices.MinFunc(s.segments, func(a, b segment) int { return cmp.Compare(a.at, b.at) }).at
}

// near returns the offset of a sequence number.
func (s *side) near(seq uint32) int64 { return s.last.off + int64(int32(seq-s.last.seq)) }

// offset returns the offset of the sequence number of a segment.
func (s *side) offset(seq uint32) int64 {
	s.last.off = s.near(seq)
	s.last.seq = seq
	return s.last.off
}

// acknowledge records how much of the stream the other side has received.
func (s *side) acknowledge(ack uint32) {
	if s == nil {
		return
	}
	if at := s.near(ack); !s.acked.known || at > s.acked.at {
		s.acked = offset{true, at}
	}
}

// end calls give for each direction that has any bytes.
func (c *connections) end(give func(Sent, moment)) {
	for _, s := range c.all {
		if len(s.segments) > 0 {
			give(s.sent(), s.since)
		}
	}
}

// sent puts the segments of a side in order.
func (s *side) sent() Sent {
	slices.SortStableFunc(s.segments, func(a, b segment) int { return cmp.Compare(a.at, b.at) })
	r := run{Sent: Sent{From: s.from, To: s.to, Stream: true, NoStart: !s.start.known, NoEnd: !s.end.known && !s.reset}}
	r.start = s.segments[0].at
	if s.start.known {
		r.start = s.start.at
	}
	r.reach, r.behind = r.start, r.start
	for _, g := range s.segments {
		r.add(g)
	}
	sentTo := r.reach
	if s.end.known {
		sentTo = max(sentTo, s.end.at)
	}
	// The other side acknowledges the end of a stream as one more byte.
	if s.acked.known && s.acked.at != sentTo+1 {
		sentTo = max(sentTo, s.acked.at)
	}
	if !r.gap {
		r.Missing = clamp(sentTo - r.have())
	}
	return r.Sent
}

// A run is the contiguous part of a stream, which grows with each segment.
type run struct {
	Sent
	start  int64 // offset of Data
	gap    bool  // bytes are missing, so Data cannot grow any more
	reach  int64 // the highest offset that was sent
	behind int64 // the highest offset that is counted as unread
}

// have returns the offset of the end of the data.
func (r *run) have() int64 { return r.start + int64(len(r.Data)) }

// add adds a segment. Segments are added in the order of their starts.
func (r *run) add(g segment) {
	if g.at < r.start { // a probe, or older than the connection
		old := min(r.start-g.at, int64(len(g.data)))
		if g.at+int64(g.size) <= r.start {
			return
		}
		g.size -= int(r.start - g.at)
		g.parts = cutParts(g.parts, int(old), len(g.data))
		g.data, g.at = g.data[old:], r.start
	}
	end := g.at + int64(len(g.data))
	if !r.gap && g.at > r.have() {
		r.gap = true
		r.Missing = clamp(g.at - r.have())
		r.behind = g.at
	}
	if r.gap {
		r.Unread += int(max(0, end-max(r.behind, g.at)))
		r.behind = max(r.behind, end)
	} else {
		known := r.Data[g.at-r.start:]
		n := min(len(known), len(g.data))
		r.Differs = r.Differs || string(known[:n]) != string(g.data[:n]) && !isProbe(g, known)
		for _, p := range cutParts(g.parts, n, len(g.data)) {
			p.Start, p.End = p.Start+len(r.Data), p.End+len(r.Data)
			r.Parts = append(r.Parts, p)
		}
		r.Data = append(r.Data, g.data[n:]...)
	}
	r.reach = max(r.reach, g.at+int64(g.size))
}

// isProbe reports whether a segment is a keep-alive probe: one byte at the
// offset of the last one. Some systems send an arbitrary byte.
func isProbe(g segment, known []byte) bool { return g.size == 1 && len(known) == 1 }

// clamp converts a number of bytes to an int, on any platform.
func clamp(n int64) int { return int(max(0, min(n, 1<<30))) }
