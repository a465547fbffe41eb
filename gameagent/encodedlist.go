package gameagent

import (
	"net/netip"

	"github.com/lobbywire/lobbywire/internal/wire"
)

// An EncodedList is a [ServerList] of any length as datagrams that stay encoded
// while servers are added and removed. Its zero value is the empty list, and
// ready. It must not be copied after the first use.
type EncodedList struct {
	packets [][]byte // at least one; each but the last is full
	n       int
}

// headerSize is the size of what precedes the servers of a packet.
const headerSize = 1

// Len returns the number of servers.
func (l *EncodedList) Len() int { return l.n }

// Packets returns the datagrams: at least one, of up to [MaxListEntries] servers
// each. They are valid until the next Add or Remove and must not be changed.
func (l *EncodedList) Packets() [][]byte {
	if len(l.packets) == 0 {
		l.grow()
	}
	return l.packets
}

// grow adds a datagram without servers. It reuses the memory of a removed one.
func (l *EncodedList) grow() {
	if len(l.packets) < cap(l.packets) {
		l.packets = l.packets[:len(l.packets)+1]
	} else {
		l.packets = append(l.packets, nil)
	}
	last := &l.packets[len(l.packets)-1]
	*last, _ = ServerList{}.AppendBinary((*last)[:0])
}

// Add adds a game at the end, at index Len. It fails as AppendBinary of a
// [ServerList] does.
func (l *EncodedList) Add(game netip.AddrPort) error {
	if l.n%MaxListEntries == 0 && (l.n > 0 || len(l.packets) == 0) {
		l.grow()
	}
	last := &l.packets[len(l.packets)-1]
	w := wire.NewWriter(*last)
	appendServers(&w, []netip.AddrPort{game}, l.n)
	b, err := w.Finish(proto)
	if err != nil {
		l.shrink()
		return err
	}
	*last = b
	l.n++
	return nil
}

// Remove removes the server at index i. The last server takes its place.
func (l *EncodedList) Remove(i int) {
	l.n--
	copy(l.entry(i), l.entry(l.n))
	last := &l.packets[len(l.packets)-1]
	*last = (*last)[:len(*last)-serverSize]
	l.shrink()
}

// shrink removes the last datagram if it has no servers and is not the only one.
func (l *EncodedList) shrink() {
	last := len(l.packets) - 1
	if last > 0 && len(l.packets[last]) == headerSize {
		l.packets = l.packets[:last]
	}
}

// entry returns the bytes of the server at index i.
func (l *EncodedList) entry(i int) []byte {
	at := headerSize + i%MaxListEntries*serverSize
	return l.packets[i/MaxListEntries][at : at+serverSize]
}
