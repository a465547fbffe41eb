package gameagentnet

import (
	"net/netip"

	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/internal/udp"
)

// An answerList has the listed servers, encoded for answers. They are in no particular
// order: the last one takes the place of a removed one.
type answerList struct {
	encoded gameagent.EncodedList
	owners  []int // by place in the list: the number of the server
	next    int   // packet with which the next incomplete answer begins
}

// add lists a game, which must be valid, and returns its place.
func (l *answerList) add(game netip.AddrPort, owner int) (place int) {
	_ = l.encoded.Add(game)
	l.owners = append(l.owners, owner)
	return len(l.owners) - 1
}

// remove removes the server at a place by moving the last server there. It returns
// the owner of the server that was last.
func (l *answerList) remove(place int) (owner int) {
	end := len(l.owners) - 1
	owner = l.owners[end]
	l.owners[place] = owner
	l.owners = l.owners[:end]
	l.encoded.Remove(place)
	return owner
}

// appendNext appends n packets. If the list has more, each answer continues
// where the last one ended.
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
