package wzhttp

import "github.com/lobbywire/lobbywire/internal/wire"

// Alliances is the rule for alliances between players.
type Alliances uint8

// The rules.
const (
	AlliancesNone     Alliances = 0 // free for all
	AlliancesFree     Alliances = 1 // players make alliances
	AlliancesTeams    Alliances = 2
	AlliancesUnshared Alliances = 3 // teams that do not share research
)

// String returns "free for all", "alliances", "teams", "teams without shared
// research" or, for an unknown rule, the like of "alliances(7)".
func (a Alliances) String() string {
	return wire.EnumName(a, "alliances", "free for all", "alliances", "teams", "teams without shared research")
}
