package soak

import (
	"context"
	"errors"
	"math/rand/v2"
	"net"
	"net/netip"
	"time"

	"github.com/lobbywire/lobbywire/examples/internal/cli"
	"github.com/lobbywire/lobbywire/warzone/wzhttp"
	"github.com/lobbywire/lobbywire/warzone/wzhttp/wzhttpnet"
)

// Keys of players, of 32 bytes in base64.
const (
	somebody = "AISvCVmVREY6hfgWZRpHqAjGVfi+3dF8zDRJmqd6Po4="
	another  = "rsVZ0JsrDuLsqoFYRj0KkPAQgSiUy7nI/8SxF0UEzqA="
)

// joinEvery is how often a player joins a game, within the rates of lobbyd.
const joinEvery = 400 * time.Millisecond

// player returns an address for a client of the HTTP lobby. There are many, because
// each has a rate limit.
func player() netip.Addr { return netip.AddrFrom4([4]byte{127, 102, 0, byte(1 + rand.IntN(200))}) }

// asPlayer is a Dial that connects as one of the players.
func asPlayer(ctx context.Context, network, to string) (net.Conn, error) {
	return from(player(), false)(ctx, network, to)
}

// join lets players join games of the HTTP lobby, and lets the hosts check the
// players.
func (s *Soak) join(ctx context.Context) {
	c := &wzhttpnet.Client{Timeout: inTime, Dial: asPlayer}
	for cli.Pause(ctx, joinEvery) {
		if games := s.hosted.some(2); len(games) > 0 {
			s.joinOnce(ctx, c, games)
		}
		if id := s.hosted.last(); id != "" {
			_, err := c.Join(ctx, s.httpLobby(), id, wzhttp.JoinRequest{})
			var refused *wzhttpnet.Error
			if ctx.Err() == nil && (!errors.As(err, &refused) || refused.Code != wzhttp.CodeGameNotFound) {
				s.faults.add("join", "of a game that has ended: %v", err)
			}
		}
	}
}

// joinOnce lets a player join the first of some games. Its result does not count if
// the host has begun to leave.
func (s *Soak) joinOnce(ctx context.Context, c *wzhttpnet.Client, games []*httpVisit) {
	g := games[0]
	wrong := func(format string, args ...any) {
		if ctx.Err() == nil && s.hosted.has(g) {
			s.faults.add("join", format, args...)
		}
	}
	targets, err := c.Join(ctx, s.httpLobby(), g.host.Answer().GameID, wzhttp.JoinRequest{})
	if err != nil {
		wrong("fails: %v", err)
		return
	}
	t := targets[0]
	if len(targets) != 1 || t.Host != g.at.Addr().String() || t.Port != g.at.Port() {
		wrong("gets %+v, not %v", targets, g.at)
	}
	for _, check := range []struct {
		game   *httpVisit
		key    string
		passes bool
	}{{g, somebody, true}, {g, somebody, true}, {g, another, false}, {games[len(games)-1], somebody, len(games) == 1}} {
		m := wzhttp.JoinCheck{JoinToken: t.Token, IP: player(), Name: "player", PublicKey: check.key,
			Method: wzhttp.MethodTCP}
		verdict, err := check.game.host.CheckJoin(ctx, m)
		switch {
		case err != nil && s.hosted.has(check.game):
			wrong("is not checked: %v", err)
		case err == nil && verdict.Pass != check.passes:
			wrong("with the key %s at %v, with a token for %v: %+v", check.key, check.game.at, g.at, verdict)
		}
	}
	s.counts.players.Add(1)
}
