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

// String returns "free for all", "alliances", "teams", "teams without shared research" or,
// for an unknown rule, a form such as "alliances(7)".
func (a Alliances) String() string {
	return wire.EnumName(a, "alliances", "free for all", "alliances", "teams", "teams without shared research")
}

// A Blind states how long players are hidden from each other. The game shows the
// simple ones as matchmaking.
type Blind uint8

// The values.
const (
	BlindNone        Blind = 0
	BlindLobby       Blind = 1 // until the game starts
	BlindLobbySimple Blind = 2
	BlindGame        Blind = 3 // until the game ends
	BlindGameSimple  Blind = 4
)

// String returns "none", "blind lobby", "simple blind lobby", "blind game", "simple blind
// game" or, for an unknown value, a form such as "blind(7)".
func (b Blind) String() string {
	return wire.EnumName(b, "blind", "none", "blind lobby", "simple blind lobby", "blind game", "simple blind game")
}

// Limits is a set of units that players cannot build, one bit each. The binary protocol
// orders the bits differently.
type Limits uint8

// The limits.
const (
	LimitTanks   Limits = 1 << 0
	LimitCyborgs Limits = 1 << 1
	LimitVTOLs   Limits = 1 << 2
)

// limitNames are in the order of the bits.
var limitNames = [...]string{"tanks", "cyborgs", "vtols"}

// Has reports whether l contains all of x.
func (l Limits) Has(x Limits) bool { return l&x == x }

// String returns the names joined by |, such as "tanks|vtols". Unknown bits are
// a hexadecimal number, and the empty set is "0x0".
func (l Limits) String() string { return wire.BitNames(l, limitNames[:], 16, "0x0") }
