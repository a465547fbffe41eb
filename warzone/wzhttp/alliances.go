package wzhttp

import "strconv"

// Alliances is the rule for alliances between players.
type Alliances uint8

// The rules.
const (
	AlliancesNone     Alliances = 0 // free for all
	AlliancesFree     Alliances = 1 // players make alliances
	AlliancesTeams    Alliances = 2
	AlliancesUnshared Alliances = 3 // teams that do not share research
)

// allianceNames are in the order of the numbers.
var allianceNames = [...]string{"free for all", "alliances", "teams", "teams without shared research"}

// String returns "free for all", "alliances", "teams", "teams without shared
// research" or, for an unknown rule, the like of "alliances(7)".
func (a Alliances) String() string {
	if int(a) < len(allianceNames) {
		return allianceNames[a]
	}
	return "alliances(" + strconv.Itoa(int(a)) + ")"
}
