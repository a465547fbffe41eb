package warzone

import "github.com/lobbywire/lobbywire/internal/wire"

// The version words of a [Game].
const (
	Version2 = 2 // 2.2
	Version3 = 3 // 2.3 to 3.3
	Version4 = 4 // 4.0 to 4.6
)

// A Layout is the arrangement of the fields of a [Game]. The version word of the game
// identifies it, except for games of early clients.
type Layout uint8

// The layouts.
const (
	LayoutVersioned Layout = 0 // as the version word says
	Layout20        Layout = 1 // clients 2.0: no version word, little-endian
	Layout21        Layout = 2 // clients 2.1: no version word, big-endian
	Layout23        Layout = 3 // clients 2.3.0 to 2.3.4: version 3 without MapName and HostName
)

// The layouts that LayoutVersioned stands for.
const (
	layout22 Layout = iota + Layout23 + 1 // Version2
	layout30                              // Version3, since 2.3.5
	layout40                              // Version4
)

// String returns "versioned", "2.0", "2.1", "2.3" or a form such as "layout(7)".
func (l Layout) String() string {
	return wire.EnumName(l, "layout", "versioned", "2.0", "2.1", "2.3")
}

// Values of [Game.Size]. Clients send the size of a structure in their memory.
const (
	SizeOfRecord = 48 // clients 2.0 and 2.1; 2.0 accepts no other value
	SizeOfGame   = 72 // clients since 2.2
)

// Filler plus 1 to 4 takes the place of the fields GameID, Limits, OS and NetcodeWord, in
// this order, before they were introduced: all four in version 2, the last three in version
// 3 before 3.1, and the last two in 3.1. Clients ignore them, and AppendBinary writes the
// fields as they are.
const Filler = 0xBAD00
