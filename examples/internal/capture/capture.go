// Package capture reads what was sent over UDP and TCP from files of captured
// packets, pcap and pcapng.
//
// A file does not prove what was sent: packets can be cut, lost, repeated or
// forged. The results state which bytes are missing, and packets that are not
// part of the results are counted by kind. Memory is bounded by the size of the
// file, whatever the lengths in it.
package capture

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"slices"
	"time"
)

// A Sent is the data that one side sent to the other: a UDP datagram, or one
// direction of a TCP connection.
type Sent struct {
	At       time.Time // time of its first packet; zero if the file does not have it
	From, To netip.AddrPort
	Stream   bool // TCP

	// Data may share memory with the file. It ends before the first byte that
	// the capture does not have.
	Data []byte

	// Missing is the number of bytes after Data that were sent but not
	// captured.
	Missing int

	// Unread is the number of captured bytes of a stream that follow missing
	// ones. They are not part of Data.
	Unread int

	// NoStart and NoEnd report that the capture does not have the packet that
	// starts or ends a stream.
	NoStart, NoEnd bool

	// Differs reports that packets disagree about bytes of a stream. Data has
	// the bytes of the first one.
	Differs bool
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

// Is reports whether b starts like a file of captured packets.
func Is(b []byte) bool {
	if len(b) < 4 {
		return false
	}
	_, isPCAP := pcapMagic([4]byte(b[:4]))
	return isPCAP || isPCAPNG(b)
}

// Read parses a file. If the file is broken or ends within a packet, Read
// returns an error and the content before it.
func Read(b []byte) (File, error) {
	next, err := open(b)
	if err != nil {
		return File{}, err
	}
	r := reader{left: make(map[string]int)}
	for {
		p, err := next()
		if err != nil {
			if errors.Is(err, io.EOF) {
				err = nil
			} else {
				err = fmt.Errorf("packet %d: %w", r.packets+1, err)
			}
			return r.end(), err
		}
		r.read(p)
	}
}

// open returns a function that returns the packets of a file and then io.EOF.
func open(b []byte) (next func() (record, error), err error) {
	if isPCAPNG(b) {
		f := &pcapngFile{rest: b}
		return f.next, nil
	}
	f, err := openPCAP(b)
	return f.next, err
}

// A record is a packet of a file.
type record struct {
	at   time.Time // zero if the file does not have it
	link linkType
	size int    // of the packet as sent
	data []byte // the captured part

	broken bool // the record is invalid; nothing else is set
}

// A reader collects the data of the packets of a file.
type reader struct {
	packets     int
	now         time.Time // of the last packet with a time
	sent        []placed
	left        map[string]int
	fragments   fragments
	connections connections
}

// A placed is a Sent with its position in the file.
type placed struct {
	Sent
	by time.Time // At, or that of the packet before it in the file
	no int       // of its first packet
}

func (r *reader) read(rec record) {
	r.packets++
	if !rec.at.IsZero() {
		r.now = rec.at
	}
	m := moment{rec.at, r.now, r.packets}
	p, what := packetOf(rec)
	switch {
	case what != "":
	case p.fragment.is:
		var whole packet
		var ok bool
		whole, ok, what = r.addFragment(p, m)
		if ok {
			what = r.upper(whole, m)
		}
	default:
		what = r.transport(p, m)
	}
	if what != "" {
		r.leave(what, 1)
	}
}

// leave counts packets that are not part of any Sent.
func (r *reader) leave(what string, packets int) {
	if packets > 0 {
		r.left[what] += packets
	}
}

// A moment is the time at which a packet was captured.
type moment struct {
	at time.Time // zero if the file does not have it
	by time.Time // at, or that of the packet before it in the file
	no int       // of the packet in the file
}

// transport handles an IP packet. If the packet is not supported, what is its
// kind.
func (r *reader) transport(p packet, m moment) (what string) {
	switch p.protocol {
	case protocolUDP:
		s, what := datagram(p)
		if what == "" {
			r.place(s, m)
		}
		return what
	case protocolTCP:
		return r.connections.add(p, m)
	}
	return p.protocol.String()
}

func (r *reader) place(s Sent, m moment) {
	s.At = m.at
	r.sent = append(r.sent, placed{s, m.by, m.no})
}

// end returns the content of the file.
func (r *reader) end() File {
	r.finishFragments()
	r.connections.end(r.place)
	slices.SortStableFunc(r.sent, func(a, b placed) int {
		return cmp.Or(a.by.Compare(b.by), cmp.Compare(a.no, b.no))
	})
	f := File{Packets: r.packets, Sent: make([]Sent, len(r.sent))}
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
