package serverlist

import (
	"net/netip"
	"slices"

	"github.com/lobbywire/lobbywire/gameagent"
)

// An encodedList is a list of any length as datagrams that stay encoded while servers are
// added and removed. Its zero value is the empty list, and ready.
type encodedList struct {
	b       []byte // the datagrams of a list that is not empty
	n       int    // servers
	packets [][]byte
	header  []byte // of a datagram; alone, the datagram of the empty list
	size    int    // of a server
}

// full is the size of a full datagram.
func (l *encodedList) full() int { return len(l.header) + gameagent.MaxListEntries*l.size }

// datagrams returns the list: at least one datagram, of up to [gameagent.MaxListEntries]
// servers each. They are valid until the next change and must not be changed.
func (l *encodedList) datagrams() [][]byte {
	if len(l.packets) == 0 && l.n > 0 {
		l.packets = slices.AppendSeq(l.packets, slices.Chunk(l.b, l.full()))
	}
	if len(l.packets) == 0 {
		empty, _ := gameagent.ServerList{}.AppendBinary(nil) // cannot fail
		l.packets = append(l.packets, empty)
	}
	return l.packets
}

// add adds a game at the end. It fails if AppendBinary of a [gameagent.ServerList] does.
func (l *encodedList) add(game netip.AddrPort) error {
	if l.header == nil {
		l.header, _ = gameagent.ServerList{}.AppendBinary(nil) // cannot fail
	}
	at := len(l.b)
	b, err := gameagent.ServerList{Servers: []netip.AddrPort{game}}.AppendBinary(l.b)
	if err != nil {
		return err
	}
	l.size = len(b) - at - len(l.header)
	if l.n%gameagent.MaxListEntries > 0 {
		b = slices.Delete(b, at, at+len(l.header))
	}
	l.b, l.packets = b, l.packets[:0]
	l.n++
	return nil
}

// remove removes the server at index i. The last server takes its place.
func (l *encodedList) remove(i int) {
	l.n--
	const most = gameagent.MaxListEntries
	end := len(l.b) - l.size
	copy(l.b[len(l.header)+i/most*l.full()+i%most*l.size:], l.b[end:])
	if l.n%most == 0 {
		end -= len(l.header)
	}
	l.b, l.packets = l.b[:end], l.packets[:0]
}
