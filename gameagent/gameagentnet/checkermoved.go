package gameagentnet

import (
	"context"
	"hash/maphash"
	"slices"
	"strings"
	"time"

	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/internal/registry"
	"github.com/lobbywire/lobbywire/internal/udp"
)

// A server that comes back at another port does not say where it was before, and would be listed
// twice until Expiry. So after a server is listed, those of its address that may be the same one
// are checked, and removed if they are silent. The others answer and stay.

// Limits of such checks.
const (
	maxMoved   = 4                // servers, of those whose last heartbeat is oldest
	movedEvery = 10 * time.Second // minimum for each server
)

// movedWaits are the times after each challenge to a native server that may have moved.
var movedWaits = [...]time.Duration{time.Second, time.Second, 2 * time.Second}

// checkMoved checks the servers whose place server i, which has just been listed, may have taken.
func (c *catalogue) checkMoved(t *locked, i int, now time.Time) {
	s, clock := t.Value(i), c.servers.Clock(now)
	named := hostNameIn(s.status)
	var moved []int
	for j := range t.Siblings(i) {
		other := t.Value(j)
		if t.IsElsewhere(j) || t.State(j) == registry.Hidden || clock-other.asked < movedEvery {
			continue
		}
		isNative := s.identity != 0 && other.identity == s.identity && other.status == ""
		isLegacy := named != "" && other.heartbeat == "" && other.game == s.game && strings.Contains(other.status, named)
		if isNative || isLegacy {
			moved = append(moved, j)
		}
	}
	slices.SortFunc(moved, func(a, b int) int { return t.Deadline(a).Compare(t.Deadline(b)) })
	for _, j := range moved[:min(len(moved), maxMoved)] {
		other := t.Value(j)
		if c.moved.add(check{query: t.Key(j), game: other.game, local: other.local, at: clock,
			isNative: other.heartbeat != ""}) {
			other.asked = clock
		}
	}
}

// identityOf returns a hash of what does not change while a native server runs, or 0 if its
// heartbeat is invalid.
func (c *catalogue) identityOf(heartbeat string) uint64 {
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
	return maphash.Comparable(c.seed, of)
}

// hostNameIn returns the name in the status of a server of the legacy form, as it is written there,
// or "" if it has none.
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

// checkMoved checks a server that may have moved to another port.
func (k *checker) checkMoved(ctx context.Context, c check) {
	isSilent := k.ignoresQueries
	if c.isNative {
		isSilent = k.ignoresChallenges
	}
	if !isSilent(ctx, c) || ctx.Err() != nil {
		return
	}
	k.catalogue.servers.Update(c.query, time.Now(), false, func(t *locked, i int) registry.Outcome {
		s := t.Value(i)
		heard := k.catalogue.servers.Clock(t.Deadline(i).Add(-Expiry))
		if heard > c.at || s.heard > c.at || t.IsElsewhere(i) || (s.heartbeat != "") != c.isNative {
			return registry.Ignore
		}
		return registry.Remove
	})
}

// ignoresQueries reports whether a server of the legacy form does not answer queries.
func (k *checker) ignoresQueries(ctx context.Context, c check) bool {
	_, did, _ := k.query(ctx, c, checkAttempts)
	return did == silent
}

// ignoresChallenges reports whether a native server has been sent all challenges; its answer keeps
// it listed. They come from the socket of the Master: routers let only that pass, and servers answer
// challenges only from there.
func (k *checker) ignoresChallenges(ctx context.Context, c check) bool {
	for _, wait := range movedWaits {
		challenge := gameagent.Challenge{Challenge: number(k.socket.Minter.Token(c.query, time.Now()))}
		b := udp.AppendMessage(nil, challenge) // cannot fail
		if !k.socket.Send(c.local, c.query, b[0]) {
			return false
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return false
		}
	}
	return true
}
