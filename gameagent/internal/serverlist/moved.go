package serverlist

import (
	"context"
	"hash/maphash"
	"math"
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

// movedWaits are the times after each challenge to a server of GameAgent that may have moved.
var movedWaits = [...]time.Duration{time.Second, time.Second, 2 * time.Second}

// checkMoved checks the servers whose place server i, which has just been listed, may have taken.
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

// identityOf returns a hash of what does not change in the heartbeats of a server while it runs,
// or 0 if the heartbeat is invalid.
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

// hostNameIn returns the name in the status of a server, as it is written there, or "" if it has
// none.
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
func (k *Checker) checkMoved(ctx context.Context, c Check) {
	isSilent := k.ignoresQueries
	if c.isNative {
		isSilent = k.ignoresChallenges
	}
	if !isSilent(ctx, c) || ctx.Err() != nil {
		return
	}
	k.List.Servers.Update(c.Query, time.Now(), false, func(t *Locked, i int) registry.Outcome {
		s := t.Value(i)
		heard := k.List.Servers.Clock(t.Deadline(i).Add(-Expiry))
		if heard > c.at || s.heard > c.at || t.IsElsewhere(i) || (s.heartbeat != "") != c.isNative {
			return registry.Ignore
		}
		return registry.Remove
	})
}

// ignoresQueries reports whether a server does not answer queries of GameSpy.
func (k *Checker) ignoresQueries(ctx context.Context, c Check) bool {
	_, did, _ := k.query(ctx, c, checkAttempts)
	return did == silent
}

// ignoresChallenges reports whether a server has been sent all challenges of GameAgent; its answer
// keeps it listed. They come from the socket of the master: routers let only that pass, and servers answer
// challenges only from there.
func (k *Checker) ignoresChallenges(ctx context.Context, c Check) bool {
	for _, wait := range movedWaits {
		challenge := gameagent.Challenge{Challenge: Number(k.Socket.Minter.Token(c.Query, time.Now()))}
		b := udp.AppendMessage(nil, challenge) // cannot fail
		if !k.Socket.Send(c.Local, c.Query, b[0]) {
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

// Number converts a token to a challenge of GameAgent. It is positive, so it has 31 bits, because
// some servers may not return a sign.
func Number(token uint32) int32 { return max(int32(token&math.MaxInt32), 1) }
