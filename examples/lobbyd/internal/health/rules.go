package health

import (
	"cmp"
	"fmt"
	"net/netip"
	"regexp"
	"strings"
	"time"

	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/ban"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/catalogue"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/colour"
)

// Rules are the rules of a Judge. They must not be changed after SetRules. The zero
// Rules ban nobody.
type Rules struct {
	Banned   *ban.Set         // addresses whose servers are banned
	Patterns []*regexp.Regexp // banned names, with or without colour codes; a match of a part suffices

	// Reasons contains why names are banned, if that is known.
	Reasons map[*regexp.Regexp]string

	// Hidden contains the reasons for hiding servers, by the address and port of their
	// hosts.
	Hidden map[netip.AddrPort]string

	// Official contains the servers that are marked as official, by the address and port of
	// their hosts.
	Official map[netip.AddrPort]bool

	// SameName is the number of servers of a family with the same name that one source
	// may list, an IPv4 address or an IPv6 /64. A prefix, a /24 or a /48, may list four
	// times as many. Later ones are hidden. 0 means 16.
	SameName int

	// MaxPlayers is the largest number of places that a server may claim. 0 means
	// 1024.
	MaxPlayers int

	// Unstarted is how long a game may wait for its start until it is hidden. 0 means for ever.
	Unstarted time.Duration
}

// The defaults of Rules.
const (
	defaultSameName   = 16
	defaultMaxPlayers = 1024
)

// A claim holds the values of a server that the rules check.
type claim struct {
	key           string         // the same on all nodes: host:port for GameAgent, otherwise the ID in decimal
	from          netip.Addr     // of its host
	at            netip.AddrPort // where its host is
	name          string
	codes         colour.Codes // in name
	players, most int          // -1 is unknown
	silent        bool         // it does not answer any more
	waiting       time.Time    // since when a game waits for its start; zero if none does
}

// plain returns the name as players see it, without colours.
func (c *claim) plain() string { return c.codes.Plain(c.name) }

// host returns the address of the host, in the form of rules.
func (c *claim) host() netip.AddrPort {
	return netip.AddrPortFrom(c.at.Addr().Unmap().WithZone(""), c.at.Port())
}

// A fault is a reason to hide a server, with a text. The zero fault is none.
type fault struct {
	cause   catalogue.Cause
	text    string
	pattern string // that bans the name
}

// fault returns the reason to hide a server. A few players too many are fine: some games
// count spectators and bots.
func (r *Rules) fault(c claim) fault {
	if p, banned := r.Banned.Find(c.from); banned {
		return fault{cause: catalogue.BannedAddress, text: "banned address, " + p.String()}
	}
	if reason, hidden := r.Hidden[c.host()]; hidden {
		return fault{cause: catalogue.HiddenServer, text: withReason("hidden by the operator", reason)}
	}
	plain := c.plain()
	for _, p := range r.Patterns {
		if p.MatchString(c.name) || plain != c.name && p.MatchString(plain) {
			return fault{catalogue.BannedName, withReason("banned name", r.Reasons[p]), p.String()}
		}
	}
	most := cmp.Or(r.MaxPlayers, defaultMaxPlayers)
	switch {
	case c.most > most:
		return fault{cause: catalogue.TooLarge, text: fmt.Sprintf("claims %d places", c.most)}
	case c.players > most && c.most < 0:
		return fault{cause: catalogue.TooLarge, text: fmt.Sprintf("claims %d players", c.players)}
	case c.players > 2*c.most+8 && c.most >= 0:
		return fault{cause: catalogue.TooLarge, text: fmt.Sprintf("claims %d players of %d", c.players, c.most)}
	case c.silent:
		return fault{cause: catalogue.Silent, text: "does not answer at its port"}
	case r.waitsTooLong(c, time.Now()):
		return fault{cause: catalogue.Unstarted, text: fmt.Sprintf("has not started for %v", r.Unstarted)}
	}
	return fault{}
}

// withReason adds the reason to a text, if there is one.
func withReason(text, reason string) string { return strings.TrimSuffix(text+": "+reason, ": ") }

// waitsTooLong reports whether a game should have started.
func (r *Rules) waitsTooLong(c claim, now time.Time) bool {
	return r.Unstarted > 0 && !c.waiting.IsZero() && now.Sub(c.waiting) >= r.Unstarted
}

// mostOfName returns how many servers of a source may share a name.
func (r *Rules) mostOfName() int { return cmp.Or(r.SameName, defaultSameName) }
