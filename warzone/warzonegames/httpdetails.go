package warzonegames

import (
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/lobbywire/lobbywire/warzone/wzhttp"
)

// HTTPDetails has the fields that only the HTTP lobby has. It is zero in games
// of other sources.
type HTTPDetails struct {
	Session   uint64         // random; the tokens of the game are derived from it
	Second    netip.AddrPort // the verified address of the other address family than Key, if there is one
	PublicKey string         // the host's Ed25519 key in base64, unverified
	MapHash   string         // of the map file; empty for maps that come with the game
	Mods      []wzhttp.Mod   // with their hashes, without Extra

	// Announced has the addresses that the host has announced, at the node that checks
	// them. In the Store, only games that are not published have it.
	Announced []AnnouncedAddress

	// Joins has the tokens that players have used, until they expire, at most 128.
	Joins []UsedToken
}

// An AnnouncedAddress is an address at which a host says that it can be reached.
type AnnouncedAddress struct {
	Kind   wzhttp.ConnectionType
	At     netip.AddrPort
	Status wzhttp.Validation // of the check by the lobby
}

// mergeAnnounced returns our addresses with the results of another node, whose checks
// replace all but successful ones, and its other addresses.
func mergeAnnounced(ours, theirs []AnnouncedAddress) []AnnouncedAddress {
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

// equal reports whether all fields are the same. Mods have no Extra.
func (d *HTTPDetails) equal(other *HTTPDetails) bool {
	return d.Session == other.Session && d.Second == other.Second &&
		d.PublicKey == other.PublicKey && d.MapHash == other.MapHash &&
		slices.EqualFunc(d.Mods, other.Mods, isSameMod) &&
		slices.Equal(d.Announced, other.Announced) && slices.Equal(d.Joins, other.Joins)
}

func isSameMod(m, n wzhttp.Mod) bool { return m.Name == n.Name && m.Hash == n.Hash }

// UseToken adds a token to Joins. It returns false if another player has used the token.
func (d *HTTPDetails) UseToken(t UsedToken, now time.Time) (ok bool) {
	if i := slices.IndexFunc(d.Joins, t.isSameToken); i >= 0 {
		return d.Joins[i].Player == t.Player
	}
	d.Joins = mergeJoins(d.Joins, []UsedToken{t}, now)
	return true
}

// Clone returns a copy that shares no memory with others. It has no Extra of Mods, and no
// more of Joins than a game remembers.
func (d HTTPDetails) Clone() HTTPDetails {
	d.PublicKey, d.MapHash = strings.Clone(d.PublicKey), strings.Clone(d.MapHash)
	d.Mods = slices.Clone(d.Mods)
	for i, m := range d.Mods {
		d.Mods[i] = wzhttp.Mod{Name: strings.Clone(m.Name), Hash: strings.Clone(m.Hash)}
	}
	d.Announced = slices.Clone(d.Announced)
	d.Joins = latestJoins(d.Joins)
	return d
}
