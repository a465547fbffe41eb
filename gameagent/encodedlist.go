package gameagent

import (
	"net/netip"
	"slices"

	"github.com/lobbywire/lobbywire/internal/wire"
)

// An EncodedList is a [ServerList] of any length as datagrams that stay encoded
// while servers are added and removed. Its zero value is the empty list, and
// ready. It must not be copied after the first use.
type EncodedList struct {
	b       []byte // the datagrams of a list that is not empty
	n       int
	packets [][]byte // result of Packets; empty after a change
}

// Sizes of what precedes the servers of a datagram, and of a full datagram.
const (
	headerSize = 1
	fullPacket = headerSize + MaxListEntries*serverSize
)

// Len returns the number of servers.
func (l *EncodedList) Len() int { return l.n }

// Packets returns the datagrams: at least one, of up to [MaxListEntries] servers
// each. They are valid until the next Add or Remove and must not be changed.
func (l *EncodedList) Packets() [][]byte {
	if len(l.packets) == 0 {
		l.packets = slices.AppendSeq(l.packets, slices.Chunk(l.b, fullPacket))
	}
	if len(l.packets) == 0 {
		empty, _ := ServerList{}.AppendBinary(nil)
		l.packets = append(l.packets, empty)
	}
	return l.packets
}

// Add adds a game at the end, at index Len. It fails as AppendBinary of a
// [ServerList] does.
func (l *EncodedList) Add(game netip.AddrPort) error {
	w := wire.NewWriter(l.b)
	if l.n%MaxListEntries == 0 {
		new(ServerList).appendHeader(&w)
	}
	appendServers(&w, []netip.AddrPort{game}, l.n)
	b, err := w.Finish(proto)
	if err == nil {
		l.b, l.packets = b, l.packets[:0]
		l.n++
	}
	return err
}

// Remove removes the server at index i. The last server takes its place.
func (l *EncodedList) Remove(i int) {
	l.n--
	end := len(l.b) - serverSize
	copy(l.b[headerSize+i/MaxListEntries*fullPacket+i%MaxListEntries*serverSize:], l.b[end:])
	if l.n%MaxListEntries == 0 {
		end -= headerSize
	}
	l.b, l.packets = l.b[:end], l.packets[:0]
}

// Packets returns a list of any length as datagrams of up to [MaxListEntries]
// servers, as the master sends it. An empty list is one datagram. Packets fails
// as AppendBinary does, except that it accepts long lists.
func (m ServerList) Packets() ([][]byte, error) {
	l := EncodedList{b: make([]byte, 0, (len(m.Servers)/MaxListEntries+1)*headerSize+len(m.Servers)*serverSize)}
	for _, s := range m.Servers {
		if err := l.Add(s); err != nil {
			return nil, err
		}
	}
	return l.Packets(), nil
}
