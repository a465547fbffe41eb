package wzproposal

import (
	"cmp"

	"github.com/lobbywire/lobbywire/internal/wire"
)

// AllGames is the filter of a [List] that matches all games.
const AllGames = "*"

// A List requests the games.
//
//wire:message Message Request key=commandList
type List struct {
	// Filter is [AllGames], the only filter of the proposal. A missing or empty
	// filter is read as AllGames, and "" is sent as AllGames.
	Filter string
}

// layout fails if Filter is not text or too long.
func (m *List) layout(f *fields) {
	f.begin(commandList)
	at := f.offset()
	m.Filter = cmp.Or(m.Filter, AllGames) // to be sent
	f.optional("filter", &m.Filter)
	m.Filter = cmp.Or(m.Filter, AllGames) // as read
	if f.reads() && f.o.Strict && m.Filter != AllGames {
		f.r.Fail(wire.Unsupported("is not *"), "filter", at)
	}
	f.end()
}
