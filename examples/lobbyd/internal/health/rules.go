package health

import (
	"cmp"
	"fmt"
	"net/netip"
	"regexp"

	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/ban"
)

// Rules are what servers are judged by. They must not change once a Judge has
// them. The zero Rules ban nobody.
type Rules struct {
	Banned   *ban.Set         // addresses whose servers are banned
	Patterns []*regexp.Regexp // banned names, of which a part matches

	// SameName is how many servers of one family may have the same name before
	// only the first of them is listed. 0 means 100.
	SameName int

	// MaxPlayers is the most places that a server may claim to have. 0 means
	// 1024.
	MaxPlayers int
}

// The defaults of Rules.
const (
	defaultSameName   = 100
	defaultMaxPlayers = 1024
)

// A claim is what a server says that can be judged.
type claim struct {
	key           string     // by which nodes know it: host:port of GameAgent, otherwise the ID in decimal
	from          netip.Addr // of its host
	name          string
	players, most int // -1 is unknown
}

// fault returns why a claim cannot stand, "" if it can. A few players too many
// are no fault: spectators and bots count in some games.
func (r *Rules) fault(c claim) string {
	if p, banned := r.Banned.Find(c.from); banned {
		return "banned address, " + p.String()
	}
	for _, p := range r.Patterns {
		if p.MatchString(c.name) {
			return fmt.Sprintf("banned name, %q", p)
		}
	}
	most := cmp.Or(r.MaxPlayers, defaultMaxPlayers)
	switch {
	case c.most > most:
		return fmt.Sprintf("claims %d places", c.most)
	case c.players > 2*max(c.most, 0)+8:
		return fmt.Sprintf("claims %d players of %d", c.players, c.most)
	}
	return ""
}

// mostOfName returns how many may share a name.
func (r *Rules) mostOfName() int { return cmp.Or(r.SameName, defaultSameName) }
