package wzproposal

// A Count is the first line or frame of a [GameList], for readers that take the
// list game by game.
//
//wire:message Message
type Count struct {
	Games uint32 // number of [Game] messages that follow, [MaxGames] at most
}

// layout fails if there are too many games.
func (m *Count) layout(f *fields) {
	f.begin(commandCount)
	at := f.offset()
	f.number("games", &m.Games)
	switch {
	case !f.reads() && m.Games > MaxGames:
		f.w.Exceed("games", int(m.Games), MaxGames)
	case f.reads() && uint64(m.Games) > uint64(f.o.maxGames()):
		f.r.Exceed("games", at, int(m.Games), f.o.maxGames())
	}
	f.end()
}
