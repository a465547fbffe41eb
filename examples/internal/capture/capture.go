// Package capture reads the data sent over UDP and TCP from files of captured packets,
// pcap and pcapng.
//
// A file does not prove what was sent: packets can be cut, lost, repeated or
// forged. The results state which bytes are missing, and packets that are not
// part of the results are counted by kind. Memory is bounded by the size of the
// file, whatever the lengths in it.
package capture

import (
	"bytes"
	"cmp"
	"io"
	"net/netip"
	"slices"
	"time"
)

// A Sent is the data that one side sent to the other: a UDP datagram, or one
// direction of a TCP connection.
type Sent struct {
	At       time.Time // time of its first packet; zero if the file lacks it
	From, To netip.AddrPort
	Stream   bool // TCP

	// Data may share memory with the file. It ends before the first byte that the capture
	// lacks.
	Data []byte

	// Missing is the number of bytes after Data that were sent but not
	// captured.
	Missing int

	// Unread is the number of captured bytes of a stream that follow missing
	// ones. They are not part of Data.
	Unread int

	// NoStart and NoEnd report that the capture lacks the packet that starts or ends a
	// stream.
	NoStart, NoEnd bool

	// Differs reports that packets disagree about bytes of a stream. Data contains the bytes
	// of the first packet.
	Differs bool

	// Parts are the places where Data was captured, in its order and without gaps.
	Parts []Part
}

// A Part is a range of the data of a [Sent] that is in one frame.
type Part struct {
	Start, End int // in the data
	Frame      int // its number in the file, from 1
	Offset     int // of Start in the frame
}

// A File is the content of a file of captured packets.
type File struct {
	Packets int // in the file

	// Sent is ordered by time, or by position in the file where there is none.
	Sent []Sent

	// Left counts the packets that are not part of Sent, the largest number
	// first.
	Left []Left
}

// A Left counts packets of one kind that are not part of any Sent.
type Left struct {
	What    string // in words, for example "ARP" or "broken UDP header"
	Packets int
}

// Read parses a file. If the file is broken or ends within a frame, Read
// returns an error and the content before it.
func Read(b []byte) (File, error) {
	r, err := NewReader(bytes.NewReader(b))
	if err != nil {
		return File{}, err
	}
	var s Stack
	for {
		f, err := r.Next()
		if err != nil {
			if err == io.EOF {
				err = nil
			}
			return s.end(), err
		}
		s.add(f)
	}
}

// A Stack puts together what frames carry: datagrams from fragments, and streams from
// segments.
type Stack struct {
	frames      int
	now         time.Time // of the last frame with a time
	sent        []placed
	left        map[string]int
	fragments   fragments
	connections connections
}

// A placed is a Sent with its position in the file.
type placed struct {
	Sent
	by time.Time // At, or the time of the packet before it in the file
	no int       // of its first packet
}

// Add adds a frame. It returns the datagrams that the frame completes, and the stream that the
// frame extends, from its start up to now. Its memory is bounded.
func (r *Stack) Add(f Frame) (sent []Sent) {
	if s := r.add(f); s != nil && len(s.segments) > 0 {
		now := s.sent()
		r.place(now, s.since)
		if !now.NoEnd && now.Missing == 0 || len(now.Data) > maxFollowed || len(s.segments) > maxSegments {
			r.connections.forget(s)
		}
	}
	for _, p := range r.sent {
		sent = append(sent, p.Sent)
	}
	r.sent = r.sent[:0]
	if r.connections.size > maxKept || len(r.connections.all) > maxSides {
		r.connections = connections{}
	}
	return sent
}

// Limits of a Stack that does not read to the end of a file. They are ours.
const (
	maxFollowed = 1 << 18 // bytes of a stream
	maxSegments = 1 << 10 // of a stream
	maxKept     = 1 << 26 // bytes of all streams, after which all are forgotten
	maxSides    = 1 << 16 // streams, after which all are forgotten
)

// add adds a frame. It returns the direction of a connection to which the frame belongs.
func (r *Stack) add(f Frame) *side {
	r.frames++
	if !f.Timestamp.IsZero() {
		r.now = f.Timestamp
	}
	m := moment{f.Timestamp, r.now, r.frames}
	p, what := packetOf(f)
	p.no = r.frames
	var s *side
	switch {
	case what != "":
	case p.fragment.is:
		var whole packet
		var ok bool
		whole, ok, what = r.addFragment(p, m)
		if ok {
			s, what = r.upper(whole, m)
		}
	default:
		s, what = r.transport(p, m)
	}
	if what != "" {
		r.leave(what, 1)
	}
	return s
}

// leave counts packets that are not part of any Sent.
func (r *Stack) leave(what string, packets int) {
	if packets == 0 {
		return
	}
	if r.left == nil {
		r.left = make(map[string]int)
	}
	r.left[what] += packets
}

// A moment is the time at which a packet was captured.
type moment struct {
	at time.Time // zero if the file lacks it
	by time.Time // at, or the time of the packet before it in the file
	no int       // of the packet in the file
}

// transport handles an IP packet. It returns the direction of a connection to which the
// packet belongs. If the packet is not supported, what is its kind.
func (r *Stack) transport(p packet, m moment) (s *side, what string) {
	switch p.protocol {
	case protocolUDP:
		s, what := datagram(p)
		if what == "" {
			r.place(s, m)
		}
		return nil, what
	case protocolTCP:
		return r.connections.add(p, m)
	}
	return nil, p.protocol.String()
}

func (r *Stack) place(s Sent, m moment) {
	s.At = m.at
	r.sent = append(r.sent, placed{s, m.by, m.no})
}

// end returns the content of the file.
func (r *Stack) end() File {
	r.finishFragments()
	r.connections.end(r.place)
	slices.SortStableFunc(r.sent, func(a, b placed) int {
		return cmp.Or(a.by.Compare(b.by), cmp.Compare(a.no, b.no))
	})
	f := File{Packets: r.frames, Sent: make([]Sent, len(r.sent))}
	for i, s := range r.sent {
		f.Sent[i] = s.Sent
	}
	for what, n := range r.left {
		f.Left = append(f.Left, Left{what, n})
	}
	slices.SortFunc(f.Left, func(a, b Left) int {
		return cmp.Or(cmp.Compare(b.Packets, a.Packets), cmp.Compare(a.What, b.What))
	})
	return f
}

// Between returns the two ends, in the same order for both directions.
func (s Sent) Between() (a, b netip.AddrPort) {
	if s.From.Compare(s.To) > 0 {
		return s.To, s.From
	}
	return s.From, s.To
}
