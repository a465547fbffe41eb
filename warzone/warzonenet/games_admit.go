package warzonenet

// reviewAtOnce bounds the time for which Review holds up the servers.
const reviewAtOnce = 256

// Review asks Admit again about every game: its rules have changed. It does not
// hold up the servers for longer than Admit, and writing anew what has changed,
// takes for a few hundred.
func (g *Games) Review() {
	for i, more := 0, true; more; {
		i, more = g.reviewSome(i)
	}
}

// reviewSome reviews games with numbers from i on. It returns with which to go on
// and whether there are more.
func (g *Games) reviewSome(i int) (next int, more bool) {
	g.lock()
	defer g.mu.Unlock()
	next = min(i+reviewAtOnce, g.table.Numbers())
	for ; i < next; i++ {
		if g.table.Has(i) {
			g.reviewLocked(*g.table.Value(i))
		}
	}
	return next, next < g.table.Numbers()
}

func (g *Games) reviewLocked(reg *registration) {
	// What was written before can be written again.
	if g.judgeLocked(reg) && g.scratch.write(&reg.entry) == nil {
		g.presentLocked(reg)
	}
}

// judgeLocked asks Admit about reg. It tells whether the answer is another than
// before.
func (g *Games) judgeLocked(reg *registration) (changed bool) {
	was := reg.entry.Withheld
	reg.entry.Withheld = g.Admit != nil && !g.Admit(reg.entry)
	switch {
	case was == reg.entry.Withheld:
		return false
	case was:
		g.withheld--
	default:
		g.withheld++
	}
	return true
}
