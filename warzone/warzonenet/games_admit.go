package warzonenet

// reviewAtOnce bounds how long Review holds up the servers.
const reviewAtOnce = 256

// Review calls Admit for every game again, after its rules have changed. It holds
// up the servers only for the time of a few hundred calls.
func (g *Games) Review() {
	for i, more := 0, true; more; {
		i, more = g.reviewSome(i)
	}
}

// reviewSome reviews games from number i on. It returns the number to continue with
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
	// It was written before, so it can be written again.
	if g.judgeLocked(reg) && g.scratch.write(&reg.entry) == nil {
		g.presentLocked(reg)
	}
}

// judgeLocked calls Admit for reg and reports whether its answer has changed.
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
