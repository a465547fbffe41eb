package gameagentnet

import (
	"net/netip"

	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/internal/udp"
)

// An answerList is the listed servers, encoded for answers. Servers are in no order: the last one
// takes the place of a removed one.
type answerList struct {
	encoded gameagent.EncodedList
	owners  []int // by place in the list: the number of the server
	next    int   // packet with which the next answer begins that is not complete
}

// add lists a game, which is valid, and returns its place.
func (l *answerList) add(game netip.AddrPort, owner int) (place int) {
	_ = l.encoded.Add(game)
	l.owners = append(l.owners, owner)
	return len(l.owners) - 1
}

// remove removes the server at a place. It returns the owner of the server that is
// there now, which was the last; for the last place, the owner of the removed one.
func (l *answerList) remove(place int) (owner int) {
	end := len(l.owners) - 1
	owner = l.owners[end]
	l.owners[place] = owner
	l.owners = l.owners[:end]
	l.encoded.Remove(place)
	return owner
}

// appendNext appends n packets. If there are more, it continues where the last
// answer ended.
func (l *answerList) appendNext(dst [][]byte, n int) [][]byte {
	packets, at := l.encoded.Packets(), 0
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
