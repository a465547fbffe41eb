package warzonenet

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"maps"
	"slices"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/warzone"
	"github.com/lobbywire/lobbywire/warzone/internal/request"
	"github.com/lobbywire/lobbywire/warzone/wzhttp"
)

// maxGameLine is the average size in bytes that a game in a list may have. Real ones
// have about 300.
const maxGameLine = 4 << 10

// call returns a request to an HTTP lobby over a network.
func (c *Client) call(addr, network string, endpoint wzhttp.Endpoint) *httpCall {
	timeout := cmp.Or(max(c.Timeout, 0), request.DefaultTimeout)
	return &httpCall{client: clientFor(c.HTTP, c.Dial, network, timeout), addr: addr, endpoint: endpoint, timeout: timeout}
}

// fetchHTTP fetches the list of an HTTP lobby.
func (c *Client) fetchHTTP(ctx context.Context, addr string) (Listing, error) {
	most := cmp.Or(max(c.Options.MaxGames, 0), warzone.MaxGames)
	lines := wzhttp.ListReader{Options: wzhttp.Options{Strict: c.Options.Strict, MaxList: most * maxGameLine}}
	l := Listing{HTTPGames: []wzhttp.Game{}}
	take := func(games iter.Seq2[wzhttp.Game, error]) error {
		for g, err := range games {
			switch {
			case errors.Is(err, lobbywire.ErrTooLarge):
				return err
			case err != nil:
				l.Skipped++
			case len(l.HTTPGames) >= most:
				return &lobbywire.Error{Proto: "warzonenet", Field: "games", Offset: -1, Err: lobbywire.ErrTooLarge}
			default:
				l.HTTPGames = append(l.HTTPGames, g)
				l.Games = append(l.Games, GameOf(g.Room))
			}
		}
		return nil
	}
	var err error
	l.RTT, err = c.call(addr, anyFamily, wzhttp.EndpointList).do(ctx, func(body io.Reader) error {
		buffer := make([]byte, 32<<10)
		for {
			n, failed := body.Read(buffer)
			if err := take(lines.Add(buffer[:n])); err != nil {
				return err
			}
			if failed == io.EOF {
				l.Partial = lines.Ended()
				return take(lines.End())
			}
			if failed != nil {
				return failed
			}
		}
	})
	if err != nil {
		return Listing{}, err
	}
	if h, ok := lines.Header(); ok {
		l.Status = &warzone.Status{Code: warzone.StatusOK, Text: h.MOTD}
	}
	return l, nil
}

// cloneHTTPGames returns a copy that shares no mutable memory.
func cloneHTTPGames(games []wzhttp.Game) []wzhttp.Game {
	games = slices.Clone(games)
	for i := range games {
		g := &games[i]
		g.Connections = slices.Clone(g.Connections)
		g.Room.Mods = slices.Clone(g.Room.Mods)
		for _, extra := range []*map[string]json.RawMessage{
			&g.Extra, &g.Room.Host.Extra, &g.Room.Players.Extra, &g.Room.Spectators.Extra,
		} {
			*extra = cloneExtra(*extra)
		}
		for j := range g.Room.Mods {
			g.Room.Mods[j].Extra = cloneExtra(g.Room.Mods[j].Extra)
		}
	}
	return games
}

func cloneExtra(extra map[string]json.RawMessage) map[string]json.RawMessage {
	extra = maps.Clone(extra)
	for k, v := range extra {
		extra[k] = bytes.Clone(v)
	}
	return extra
}

// A JoinTarget is an address at which a player can join a game, with the token for the
// host.
type JoinTarget struct {
	wzhttp.Address
	Token string // for the host; empty if the host does not use tokens
}

// Join fetches the addresses at which a player can join the game with an ID from the
// HTTP lobby at addr. Like the game it sends a request over IPv4 and one over IPv6, and
// succeeds if either does; IPv6 targets come first. If HTTP has a Transport other than
// an [http.Transport], it sends only one request.
//
// If the lobby refuses, the error is an [*HTTPError]. If its Code is
// [wzhttp.CodeCaptchaRequired], its Data is a [wzhttp.Captcha]: call Join again with
// the player's answer in request.Captcha.
func (c *Client) Join(ctx context.Context, addr, id string, request wzhttp.JoinRequest) ([]JoinTarget, error) {
	if request.Attestation != nil {
		return nil, errAttested
	}
	networks := networksOf(c.HTTP)
	answers := make([][]JoinTarget, len(networks))
	failures := overEach(networks, func(i int, network string) (err error) {
		answers[i], err = c.joinOver(ctx, addr, id, network, request)
		return err
	})
	var targets []JoinTarget
	for _, t := range slices.Concat(answers...) {
		isThere := func(u JoinTarget) bool { return u.Type == t.Type && u.Host == t.Host && u.Port == t.Port }
		if !slices.ContainsFunc(targets, isThere) {
			targets = append(targets, t)
		}
	}
	if len(targets) > 0 {
		return targets, nil
	}
	for _, err := range failures {
		if _, ok := errors.AsType[*HTTPError](err); ok {
			return nil, err // an answer of the lobby is the most informative failure
		}
	}
	return nil, cmp.Or(failures[len(failures)-1], failures[0], errNoTargets)
}

var (
	errAttested  = errors.New("warzonenet: the request has a signature: set Client.Identity instead")
	errNoTargets = errors.New("warzonenet: the lobby returned no address of the game")
)

// joinOver sends a request of Join over a network.
func (c *Client) joinOver(ctx context.Context, addr, id, network string, request wzhttp.JoinRequest) ([]JoinTarget, error) {
	attestation, err := c.Identity.attest(addr, id)
	if err != nil {
		return nil, err
	}
	request.Attestation = attestation
	call := c.call(addr, network, wzhttp.EndpointJoin)
	call.id, call.body = id, request
	b, err := call.persistent(ctx)
	if err != nil {
		return nil, err
	}
	reply, err := wzhttp.ParseJoinReply(b)
	if err != nil {
		return nil, err
	}
	var targets []JoinTarget
	for _, a := range reply.Connections {
		targets = append(targets, JoinTarget{a, reply.JoinToken})
	}
	return targets, nil
}
