package gamespy2

import "github.com/lobbywire/lobbywire/internal/wire"

// Sections is a set of sections of a response, one bit each.
type Sections uint8

// The sections.
const (
	SectionInfo    Sections = 1 << 0
	SectionPlayers Sections = 1 << 1
	SectionTeams   Sections = 1 << 2

	AllSections = SectionInfo | SectionPlayers | SectionTeams
)

// String returns names joined by |, such as "info|teams", or "none".
func (s Sections) String() string { return wire.BitNames(s, sectionNames[:], 0, "none") }

// Section numbers on the wire. The bit of section n in Sections is 1<<n.
const (
	info = iota
	players
	teams
)

// Names of sections and, in errors, of their parts.
var (
	sectionNames = [...]string{"info", "players", "teams"}
	columnNames  = [...]string{"info", "players.columns", "teams.columns"}
	rowNames     = [...]string{"info", "players.rows", "teams.rows"}
)

// has reports whether a response contains a section, by a guess if requested is 0.
func has(requested Sections, section int, guess bool) bool {
	if requested&AllSections == 0 {
		return guess
	}
	return requested&(1<<section) != 0
}
