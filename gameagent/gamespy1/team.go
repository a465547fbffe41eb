package gamespy1

import (
	"strings"

	"github.com/lobbywire/lobbywire/gameagent/internal/pairs"
)

// A teamField is the field of a team that a key sets.
type teamField int

const (
	notTeam teamField = iota
	teamName
	teamScore
	teamOther
)

// fieldOfTeam returns the field for a key without its index: of Battlefield 1942 and
// Tactical Ops.
func fieldOfTeam(name string) teamField {
	switch name {
	case "teamname", "tname":
		return teamName
	case "teamscore", "tscore":
		return teamScore
	case "teamsize", "tsize":
		return teamOther
	}
	return notTeam
}

// cutTeam splits a key of a team, in lower case, into its field and the index of the
// team. GameSpy's own code puts a t before the index: team_t0 and score_t0.
func cutTeam(key string) (field teamField, index int) {
	name, index, ok := pairs.CutIndex(key)
	if ok {
		return fieldOfTeam(name), index
	}
	at := strings.LastIndexByte(key, '_') + 1
	rest, isTeam := strings.CutPrefix(key[at:], "t")
	if name, index, ok = pairs.CutIndex(key[:at] + rest); !isTeam || !ok {
		return notTeam, 0
	}
	switch name {
	case "team":
		return teamName, index
	case "score":
		return teamScore, index
	}
	return notTeam, 0
}
