package warzonenet

// Review calls Admit again for every game. Call it when the rules of Admit have
// changed. It blocks the servers only for a few hundred calls of Admit at a time.
func (g *Games) Review() {
	g.table.Each(g.locked, func(i int) { g.reviewLocked(*g.table.Value(i)) })
}

func (g *Games) reviewLocked(reg *registration) {
	// This cannot fail, because it has been written before.
	if g.judgeLocked(reg) && g.encodeLocked(&reg.entry) == nil {
		g.presentLocked(reg)
	}
}

// judgeLocked calls Admit for reg and reports whether its result has changed.
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
