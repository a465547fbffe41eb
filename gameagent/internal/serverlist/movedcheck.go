package serverlist

import (
	"context"
	"math"
	"time"

	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/internal/registry"
	"github.com/lobbywire/lobbywire/internal/udp"
)

// movedWaits are the times after each challenge to a server of GameAgent that may have moved.
var movedWaits = [...]time.Duration{time.Second, time.Second, 2 * time.Second}

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

// ignoresChallenges reports whether a server has been sent all challenges of GameAgent; its
// answer keeps it listed. They come from the socket of the master, because routers may let
// only these pass, and servers answer only challenges from there.
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
