package serverlist

import (
	"hash/maphash"
	"slices"
	"strings"
	"time"

	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/internal/registry"
)

// A server that returns at another port does not name its old port, and would be listed
// twice until Expiry. After a server is listed, servers of its address that may be the same
// are therefore checked, and removed if they are silent. The others answer and stay.

// Limits of such checks.
const (
	maxMoved   = 4                // servers, those with the oldest last heartbeats
	movedEvery = 10 * time.Second // minimum for each server
)

// checkMoved checks the servers that server i, which has just been listed, may replace.
func (l *List) checkMoved(t *Locked, i int, now time.Time) {
	s, clock := t.Value(i), l.Servers.Clock(now)
	named := hostNameIn(s.status)
	var moved []int
	for j := range t.Siblings(i) {
		other := t.Value(j)
		if t.IsElsewhere(j) || t.State(j) == registry.Hidden || clock-other.asked < movedEvery {
			continue
		}
		byChallenge := s.identity != 0 && other.identity == s.identity && other.status == ""
		byQuery := named != "" && other.heartbeat == "" && other.game == s.game && strings.Contains(other.status, named)
		if byChallenge || byQuery {
			moved = append(moved, j)
		}
	}
	slices.SortFunc(moved, func(a, b int) int { return t.Deadline(a).Compare(t.Deadline(b)) })
	for _, j := range moved[:min(len(moved), maxMoved)] {
		other := t.Value(j)
		if l.moved.add(Check{Query: t.Key(j), Game: other.game, Local: other.local, at: clock,
			isNative: other.heartbeat != ""}) {
			other.asked = clock
		}
	}
}

// identityOf returns a hash of the parts of heartbeats that do not change while a server
// runs, or 0 if the heartbeat is invalid.
func (l *List) identityOf(heartbeat string) uint64 {
	h, err := gameagent.ParseHeartbeat([]byte(heartbeat))
	if err != nil {
		return 0
	}
	type identity struct {
		product, version, gameType string
		most                       int
	}
	of := identity{product: h.Product, version: h.Version, gameType: h.GameType}
	if h.MaxPlayers != nil {
		of.most = *h.MaxPlayers
	}
	return maphash.Comparable(l.seed, of)
}

// hostNameIn returns the name in the status of a server, in the form of the wire, or "" if
// there is none.
func hostNameIn(status string) string {
	const key = `\hostname\`
	at := strings.Index(status, key)
	if at < 0 {
		return ""
	}
	n := strings.IndexByte(status[at+len(key):], '\\')
	if n <= 0 {
		return ""
	}
	return status[at : at+len(key)+n+1]
}
