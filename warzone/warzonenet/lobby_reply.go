package warzonenet

import (
	"bytes"
	"net"
	"slices"

	"github.com/lobbywire/lobbywire/warzone"
)

// reply returns the answer to a ListRequest. The first batch is for clients
// before 2020, and the second has all games. Lists of 112-byte games have one
// batch only.
func (l *Lobby) reply() net.Buffers {
	games := l.games.list(l.Layout)
	if isRecord(l.Layout) {
		first := games.first(warzone.MaxFirstBatch, warzone.RecordSize)
		return append(net.Buffers{warzone.AppendFirstBatch(nil, first.count)}, first.pages...)
	}
	first := games.first(warzone.MaxFirstBatch, warzone.GameSize)
	between := warzone.AppendSecondBatch(bytes.Clone(l.greeting.Load().status), games.count)
	return slices.Concat(net.Buffers{warzone.AppendFirstBatch(nil, first.count)}, first.pages, net.Buffers{between}, games.pages)
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
