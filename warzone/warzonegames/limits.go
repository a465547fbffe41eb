package warzonegames

import "cmp"

// Limits are the limits on the number of games, as the fields of [Games] describe them. Zero
// and negative ones mean the default.
type Limits struct {
	MaxGames      int
	MaxPerAddress int
	MaxPerPrefix  int
}

// SetLimits replaces the limits on the number of games. Games beyond a lower one stay open.
func (g *Games) SetLimits(l Limits) {
	defer g.locked()()
	g.setLimitsLocked(l)
}

func (g *Games) setLimitsLocked(l Limits) {
	g.table.Max = cmp.Or(max(l.MaxGames, 0), 16_384)
	g.table.MaxPerAddress = cmp.Or(max(l.MaxPerAddress, 0), 64)
	g.table.MaxPerPrefix = cmp.Or(max(l.MaxPerPrefix, 0), 512)
}
