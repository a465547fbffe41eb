package warzone

import (
	"strconv"

	"github.com/lobbywire/lobbywire/internal/wire"
)

// A GameType is the kind of a game.
type GameType uint32

// The kinds.
const (
	GameTypeCampaign GameType = 12
	GameTypeSkirmish GameType = 14
)

var gameTypeNames = [...]string{GameTypeCampaign: "campaign", GameTypeSkirmish: "skirmish"}

// String returns "campaign", "skirmish" or a form such as "gameType(7)".
func (t GameType) String() string {
	return wire.EnumName(t, "gameType", gameTypeNames[:]...)
}

// Settings are the rules that a host of 4.6 has chosen, as the game numbers
// them.
type Settings struct {
	Alliances  uint8
	TechLevel  uint8
	PowerLevel uint8
	BasesLevel uint8
}

// Flags returns the settings as [Game.Flags].
func (s Settings) Flags() uint32 {
	return uint32(s.Alliances)<<24 | uint32(s.TechLevel)<<16 | uint32(s.PowerLevel)<<8 | uint32(s.BasesLevel)
}

// Limits is a set of units that players cannot build, one bit each.
type Limits uint32

// The limits.
const (
	LimitVTOLs   Limits = 1 << 0
	LimitTanks   Limits = 1 << 1
	LimitCyborgs Limits = 1 << 2
)

// limitNames are in the order of the bits.
var limitNames = [...]string{"vtols", "tanks", "cyborgs"}

// Has reports whether l contains all of x. Filler+2 contains nothing.
func (l Limits) Has(x Limits) bool { return l != Filler+2 && l&x == x }

// String returns the names joined by |, such as "vtols|tanks". Other bits and
// Filler+2 are a hexadecimal number, and the empty set is "0x0".
func (l Limits) String() string {
	if l == Filler+2 {
		return wire.BitNames(l, nil, 16, "")
	}
	return wire.BitNames(l, limitNames[:], 16, "0x0")
}

// An OS is the operating system of a host: three letters in the low bytes.
type OS uint32

// The systems that the game names.
const (
	OSWindows OS = 0x77696e
	OSMac     OS = 0x6d6163
	OSLinux   OS = 0x6c696e
)

// String returns the letters, "win", "mac" or "lin", or a form such as "os(0xbad03)".
func (s OS) String() string {
	switch s {
	case OSWindows:
		return "win"
	case OSMac:
		return "mac"
	case OSLinux:
		return "lin"
	}
	return "os(0x" + strconv.FormatUint(uint64(s), 16) + ")"
}
