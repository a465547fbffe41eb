package wzproposal

import "github.com/lobbywire/lobbywire/internal/wire"

// A GameList answers [List]. On the wire, it is a [Count] and as many [Game] messages.
// There is no end mark, and no [Done] follows.
//
//wire:message Message Response key=commandCount
type GameList struct {
	Games []Game // not nil after parsing; MaxGames at most

	// Skipped is the number of games that parsing has left out because a field is missing
	// or invalid.
	Skipped int
}

// layout fails if there are too many games or one of them cannot be sent, or if Skipped is
// not 0. Unless Strict, it leaves out games that cannot be read.
func (m *GameList) layout(f *fields) {
	if !f.reads() && m.Skipped != 0 {
		f.w.Refuse("skipped", "is not 0, so games are missing")
	}
	count := Count{Games: uint32(min(len(m.Games), MaxGames+1))}
	count.layout(f)
	if f.reads() {
		m.read(f, int(count.Games))
		return
	}
	for i := range m.Games {
		f.in("games", i)
		m.Games[i].layout(f)
	}
	f.in("", -1)
}

// read reads the games after their count.
func (m *GameList) read(f *fields, count int) {
	if f.r.Failed() {
		return
	}
	// The remaining bytes bound the allocation.
	m.Games = make([]Game, 0, min(count, f.r.Len()/f.minGame()))
	for i := 0; i < count && !f.r.Failed(); i++ {
		f.in("games", i)
		start := f.r.Mark()
		var g Game
		g.layout(f)
		switch {
		case !f.r.Failed():
			m.Games = append(m.Games, g)
		case f.o.Part && f.r.Truncated():
			f.r.Return(start)
			f.r.Skip(f.r.Len(), "rest")
			return
		case !f.o.Strict && !f.r.Truncated() && f.leaveOut(start):
			m.Skipped++
		}
	}
	f.in("", -1)
}

// leaveOut skips the line or frame at start, which is not a valid game, if it is complete
// and not another message. It reports whether it has.
func (f *fields) leaveOut(start wire.Mark) bool {
	f.r.Return(start)
	f.open = false
	switch {
	case f.e == Binary:
		p := f.r.Peek()
		if len(p) >= headerSize && command(p[0]) == commandGame {
			f.r.Skip(headerSize+int(p[1]), "leftOut")
			return !f.r.Failed()
		}
	case f.peekWord() == 0:
		n := f.r.Len()
		if f.ending == 0 {
			n++ // the end is missing
		}
		f.r.Skip(n, "leftOut")
		f.endLine()
		return !f.r.Failed()
	}
	f.r.Return(start)
	f.open = false
	new(Game).layout(f)
	return false
}

// minGame returns the size of the smallest game. In both encodings it has an ip
// of two bytes and two digits; a line has six separators, a frame a header and
// six sizes.
func (f *fields) minGame() int {
	if f.e == Binary {
		return headerSize + 10
	}
	return 10
}
