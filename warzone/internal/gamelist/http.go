package gamelist

import (
	"net/netip"
	"slices"
	"time"

	"github.com/lobbywire/lobbywire/warzone/wzhttp"
)

// HTTP is the unlisted data of a game of a wzhttpnet.Lobby. It is zero in games of other
// sources. Entries share its slices, so replace a slice, and never change its elements.
type HTTP struct {
	Session uint64 // random; the tokens of the game are derived from it

	// Announced lists the addresses that the host has announced, at the node that checks
	// them. The Store receives it only for unpublished games.
	Announced []AnnouncedAddress

	// Joins lists the unexpired tokens that players have used, at most 128.
	Joins []UsedToken
}

// An AnnouncedAddress is an address that a host has announced.
type AnnouncedAddress struct {
	Kind   wzhttp.ConnectionType
	At     netip.AddrPort
	Status wzhttp.Validation // of the check by the lobby
}

// MergeAnnounced merges our addresses with those of another node, whose results replace all
// of ours except successes.
func MergeAnnounced(ours, theirs []AnnouncedAddress) []AnnouncedAddress {
	all := slices.Clone(ours)
	for _, a := range theirs {
		i := slices.IndexFunc(all, func(b AnnouncedAddress) bool { return b.Kind == a.Kind })
		switch {
		case i < 0:
			all = append(all, a)
		case all[i].Status != wzhttp.ValidationValidated:
			all[i] = a
		}
	}
	return all
}

// Equal reports whether all fields are the same.
func (h *HTTP) Equal(other *HTTP) bool {
	return h.Session == other.Session && slices.Equal(h.Announced, other.Announced) &&
		slices.Equal(h.Joins, other.Joins)
}

// UseToken adds a token to Joins. It returns false if another player has used the token.
func (h *HTTP) UseToken(t UsedToken, now time.Time) (ok bool) {
	if i := slices.IndexFunc(h.Joins, t.isSameToken); i >= 0 {
		return h.Joins[i].Player == t.Player
	}
	h.Joins = MergeJoins(h.Joins, []UsedToken{t}, now)
	return true
}

// Clone returns a copy that shares no memory, with Joins cut to their maximum number.
func (h HTTP) Clone() HTTP {
	h.Announced, h.Joins = slices.Clone(h.Announced), latestJoins(h.Joins)
	return h
}
