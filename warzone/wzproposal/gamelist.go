package wzproposal

// A GameList answers [List]. On the wire, it is a [Count] and as many messages that
// are each a [Game]. There is no end mark, and no [Done] follows.
//
//wire:message Message Response key=commandCount
type GameList struct {
	Games []Game // not nil after parsing; MaxGames at most
}

// layout fails if there are too many games or one of them cannot be sent.
func (m *GameList) layout(f *fields) {
	count := Count{Games: uint32(min(len(m.Games), MaxGames+1))}
	count.layout(f)
	if f.reads() {
		if f.r.Failed() {
			return
		}
		// The remaining bytes bound the allocation.
		m.Games = make([]Game, 0, min(int(count.Games), f.r.Len()/f.minGame()))
	}
	for i := range int(count.Games) {
		f.in("games", i)
		if f.reads() {
			if f.r.Failed() {
				return
			}
			m.Games = append(m.Games, Game{})
		}
		m.Games[i].layout(f)
	}
	f.in("", -1)
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
