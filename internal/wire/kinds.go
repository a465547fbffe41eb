package wire

import (
	"strings"

	"github.com/lobbywire/lobbywire"
)

// CountKinds counts the spectators and bots in Roster, for protocols of GameSpy, by the rows
// that mark them:
//
//	mesh      Spectator in Unreal Tournament and other games of Unreal
//	team      255 there, which is none, if a row has no mesh and others have a team
//	ngsecret  Bot there
//	ping      0 of as many rows as Bots counts
//
// It marks the bots. Rows without a mark may be either, so a count of 0 is unknown. Both
// counts are unknown if the response is partial or Roster lacks players. Teams must still be
// numbers.
func CountKinds(v *lobbywire.View, partial bool) {
	whole := !partial && (v.Players == nil || *v.Players <= len(v.Roster))
	teams := hasTeams(v)
	spectators, bots := 0, 0
	var idle []*lobbywire.Player
	for i := range v.Roster {
		p := &v.Roster[i]
		switch {
		case isSpectator(p, teams):
			spectators++
		case strings.EqualFold(ruleOf(p, "ngsecret"), "bot"):
			p.Bot = new(true)
		case p.Bot == nil && p.Ping != nil && *p.Ping == 0:
			idle = append(idle, p)
		}
		if p.Bot != nil && *p.Bot {
			bots++
		}
	}
	if !whole {
		return
	}
	if bots == 0 && v.Bots != nil && len(idle) == *v.Bots {
		for _, p := range idle {
			p.Bot = new(true)
		}
	}
	if bots > 0 {
		v.Bots = &bots
	}
	if spectators > 0 {
		v.Spectators = &spectators
	}
}

// noTeam is the number that means no team.
const noTeam = 255

// hasTeams reports whether a player without a team is a spectator: if others have one, or if
// the server counts no players.
func hasTeams(v *lobbywire.View) bool {
	for _, p := range v.Roster {
		if n := Number(p.Team); n != nil && *n != noTeam {
			return true
		}
	}
	return v.Players != nil && *v.Players == 0
}

func isSpectator(p *lobbywire.Player, teams bool) bool {
	mesh := ruleOf(p, "mesh")
	if mesh != "" && !strings.EqualFold(mesh, "none") {
		return strings.EqualFold(mesh, "spectator")
	}
	n := Number(p.Team)
	return teams && n != nil && *n == noTeam
}

// ruleOf returns the value of a key or, with an underscore after it, of a column.
func ruleOf(p *lobbywire.Player, key string) string {
	for _, r := range p.Rules {
		if strings.EqualFold(strings.TrimSuffix(r.Key, "_"), key) {
			return strings.TrimSpace(r.Value)
		}
	}
	return ""
}
