package serverlist

import (
	"net/netip"

	"github.com/lobbywire/lobbywire/internal/udp"
)

// owners holds the numbers of the servers of a list, by index, in no particular order: the
// last one takes the index of a removed one.
type owners []int

// add adds a server and returns its index.
func (o *owners) add(owner int) (index int) {
	*o = append(*o, owner)
	return len(*o) - 1
}

// remove removes the server at an index by moving the last server there. It returns
// the server that was last.
func (o *owners) remove(index int) (owner int) {
	end := len(*o) - 1
	owner = (*o)[end]
	(*o)[index] = owner
	*o = (*o)[:end]
	return owner
}

// An answerList is the list of GameAgent, encoded for answers.
type answerList struct {
	packets encodedList
	owners  owners
	next    int // packet with which the next incomplete answer begins
}

// add lists a game, which must be valid, and returns its index.
func (l *answerList) add(game netip.AddrPort, owner int) (index int) {
	_ = l.packets.add(game)
	return l.owners.add(owner)
}

// remove removes the server at an index, as [owners.remove] does.
func (l *answerList) remove(index int) (owner int) {
	l.packets.remove(index)
	return l.owners.remove(index)
}

// appendNext appends n packets. If the list is longer, each answer continues where the last
// one ended.
func (l *answerList) appendNext(dst [][]byte, n int) [][]byte {
	packets, at := l.packets.datagrams(), 0
	if n < len(packets) {
		at = l.next % len(packets)
		l.next = at + n
	}
	for range n {
		dst = udp.Append(dst, packets[at%len(packets)])
		at++
	}
	return dst
}
