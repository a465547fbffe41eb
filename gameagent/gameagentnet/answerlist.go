package gameagentnet

import (
	"net/netip"

	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/internal/udp"
)

// owners are the numbers of the servers of a list, by their places in it. They are in
// no particular order: the last one takes the place of a removed one.
type owners []int

// add adds a server and returns its place.
func (o *owners) add(owner int) (place int) {
	*o = append(*o, owner)
	return len(*o) - 1
}

// remove removes the server at a place by moving the last server there. It returns
// the server that was last.
func (o *owners) remove(place int) (owner int) {
	end := len(*o) - 1
	owner = (*o)[end]
	(*o)[place] = owner
	*o = (*o)[:end]
	return owner
}

// An answerList is the native list, encoded for answers.
type answerList struct {
	encoded gameagent.EncodedList
	owners  owners
	next    int // packet with which the next incomplete answer begins
}

// add lists a game, which must be valid, and returns its place.
func (l *answerList) add(game netip.AddrPort, owner int) (place int) {
	_ = l.encoded.Add(game)
	return l.owners.add(owner)
}

// remove removes the server at a place, as [owners.remove] does.
func (l *answerList) remove(place int) (owner int) {
	l.encoded.Remove(place)
	return l.owners.remove(place)
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
