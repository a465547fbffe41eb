package wzproposal

import "github.com/lobbywire/lobbywire/internal/wire"

// A Count is the first line or frame of a [GameList], for readers that read the list game
// by game.
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
		f.w.Fail(wire.Exceeded(m.Games, MaxGames), "games")
	case f.reads() && m.Games > MaxGames:
		f.r.Fail(wire.Exceeded(m.Games, MaxGames), "games", at)
	}
	f.end()
}
