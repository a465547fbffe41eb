package warzonenet

import (
	"net"

	"github.com/lobbywire/lobbywire/warzone"
)

// reply returns the answer to a ListRequest. The first batch is for clients
// before 2020, and the second has all games. Lists of 112-byte games have one
// batch only.
func (l *Lobby) reply() net.Buffers {
	games := l.games.list(l.Layout)
	if l.Layout == warzone.Layout20 || l.Layout == warzone.Layout21 {
		first := games.first(warzone.MaxFirstBatch, warzone.RecordSize)
		return append(net.Buffers{warzone.AppendFirstBatch(nil, first.count)}, first.pages...)
	}
	first := games.first(warzone.MaxFirstBatch, warzone.GameSize)
	between := append([]byte(nil), l.greeting.Load().status...)
	between = warzone.AppendSecondBatch(between, games.count)

	reply := make(net.Buffers, 0, 2+len(first.pages)+len(games.pages))
	reply = append(reply, warzone.AppendFirstBatch(nil, first.count))
	reply = append(reply, first.pages...)
	reply = append(reply, between)
	return append(reply, games.pages...)
}

// first returns the list of the first most records, which have the given size.
func (l list) first(most, size int) list {
	n := min(l.count, most)
	cut := list{count: n}
	for left := n * size; left > 0; left -= len(cut.pages[len(cut.pages)-1]) {
		p := l.pages[len(cut.pages)]
		cut.pages = append(cut.pages, p[:min(left, len(p))])
	}
	return cut
}
