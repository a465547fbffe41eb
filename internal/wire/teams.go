package wire

import (
	"math"

	"github.com/lobbywire/lobbywire"
)

// NameTeams replaces the numbers of teams in Roster by the names of these teams in Teams;
// first is the number of the first team. If first is negative, it is unknown: it is 0 if
// a player has team 0, and 1 if a player has the number of the last team. Numbers are
// kept if both or neither is the case, if a number belongs to no team, or if a player
// already has a name in Teams. A team without a name keeps its number.
func NameTeams(v *lobbywire.View, first int) {
	low, high := math.MaxInt, math.MinInt
	for i := range v.Roster {
		team := v.Roster[i].Team
		for j := range v.Teams {
			if team != "" && v.Teams[j].Name == team {
				return
			}
		}
		if n := Number(team); n != nil {
			low, high = min(low, *n), max(high, *n)
		}
	}
	switch {
	case first >= 0:
	case low == 0:
		first = 0
	case high == len(v.Teams):
		first = 1
	default:
		return
	}
	if low < first || high >= first+len(v.Teams) {
		return
	}
	for i := range v.Roster {
		p := &v.Roster[i]
		if n := Number(p.Team); n != nil && v.Teams[*n-first].Name != "" {
			p.Team = v.Teams[*n-first].Name
		}
	}
}
