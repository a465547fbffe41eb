package wzhttpnet

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"maps"
	"net"
	"net/http"
	"slices"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/listcache"
	"github.com/lobbywire/lobbywire/internal/stream"
	"github.com/lobbywire/lobbywire/warzone"
	"github.com/lobbywire/lobbywire/warzone/warzonenet"
	"github.com/lobbywire/lobbywire/warzone/wzhttp"
)

// A Client fetches the lists of HTTP lobbies, and joins their games. Its zero value is ready,
// and may be used by several goroutines at once; fields must not change while it is used. It
// holds no connection between calls.
type Client struct {
	// Timeout limits the time to connect, and each pause within an answer; 0
	// means 5 s. A request takes at most 10 times that.
	Timeout time.Duration

	// ListEvery is the minimum time between two requests for a list. Until then,
	// List returns the last result. 0 means 2 s; a negative value disables caching.
	ListEvery time.Duration

	// Options are the options for decoding lists. MaxList also limits the games of a list,
	// to one for each 4 KiB; 0 means 4 KiB for each of [warzone.MaxGames]. A longer list is
	// cut and Partial.
	Options wzhttp.Options

	// Dial connects to lobbies; nil means plain TCP. If the URL of a lobby has the
	// scheme https, the Client itself adds TLS.
	Dial func(ctx context.Context, network, addr string) (net.Conn, error)

	// HTTP, if not nil, sends the requests instead of Dial. nil means a client that, like
	// the game, uses no proxy. Join connects over each address family with a copy of its
	// Transport. Redirects are not followed, whatever its CheckRedirect.
	HTTP *http.Client

	// Earlier fetches the lists of lobbies for versions before 4.7 in ListViews: those
	// whose address is host:port and not a URL. nil lists only HTTP lobbies.
	Earlier *warzonenet.Client

	// Identity signs the requests of Join to one lobby; nil means no
	// signatures.
	Identity *Identity

	lists listcache.Cache[Listing] // by lobby
}

// A Listing is a lobby's list.
type Listing struct {
	// Games are in the order of the list. They contain no addresses, because the lobby
	// gives these only to players who join.
	Games []wzhttp.Game

	// Header contains the message of the day. It is nil if the list has no header.
	Header *wzhttp.ListHeader

	Skipped int // lines that are invalid, too long, or cut

	// Partial reports that the lobby's list may contain more games: there are more than
	// Options allow, or [warzone.MaxGames], the most that lobbies list by default; the list
	// is too long; an invalid line has ended it; or the connection ended or was silent for
	// too long before its end.
	Partial bool

	RTT time.Duration // from the request to the end of the list
}

// Views returns the games in the common form.
func (l Listing) Views() []lobbywire.View {
	views := make([]lobbywire.View, len(l.Games))
	for i, g := range l.Games {
		views[i] = g.View()
	}
	return views
}

// List fetches the games of the lobby at a URL. The default scheme, as in
// "lobby.example/x", is https. Limits of requests and errors are as in
// [warzonenet.Client.List]. If a lobby refuses, the error is an [*Error]. If no game of a
// list can be read, it is the error of the last one.
func (c *Client) List(ctx context.Context, addr string) (Listing, error) {
	l, err := c.lists.Get(ctx, addr, "", c.ListEvery, func(ctx context.Context) (Listing, error) {
		return c.fetch(ctx, addr)
	})
	l.Games = cloneGames(l.Games)
	if l.Header != nil {
		header := *l.Header
		l.Header = &header
	}
	return l, err
}

// maxGameLine is the maximum average size of the games in a list, in bytes. Real ones have
// about 300.
const maxGameLine = 4 << 10

// call returns a request to a lobby over a network.
func (c *Client) call(addr, network string, endpoint wzhttp.Endpoint) *call {
	timeout := cmp.Or(max(c.Timeout, 0), stream.DefaultTimeout)
	return &call{
		client:   clientFor(c.HTTP, c.Dial, network, timeout),
		addr:     addr,
		endpoint: endpoint,
		timeout:  timeout,
	}
}

// fetch fetches a list.
func (c *Client) fetch(ctx context.Context, addr string) (Listing, error) {
	lines := wzhttp.ListReader{Options: c.Options}
	if lines.Options.MaxList == 0 {
		lines.Options.MaxList = warzone.MaxGames * maxGameLine
	}
	limit := lines.Options.MaxList / maxGameLine
	l := Listing{Games: []wzhttp.Game{}}
	var bad error // of the last skipped line
	take := func(games iter.Seq2[wzhttp.Game, error]) {
		for g, err := range games {
			switch {
			case err != nil:
				bad = err
				l.Skipped++
			case len(l.Games) >= limit:
				l.Partial = true
				return // which ends the list
			default:
				l.Games = append(l.Games, g)
			}
		}
	}
	var err error
	l.RTT, err = c.call(addr, anyFamily, wzhttp.EndpointList).do(ctx, func(body io.Reader) error {
		buffer := make([]byte, 32<<10)
		for {
			n, failed := body.Read(buffer)
			take(lines.Add(buffer[:n]))
			switch {
			case lines.Ended():
				l.Partial = true
				return nil
			case failed == nil:
				continue
			}
			take(lines.End())
			if failed == io.EOF {
				l.Partial = l.Partial || lines.Ended()
				return nil
			}
			l.Partial = true
			if len(l.Games) > 0 {
				return nil
			}
			return failed
		}
	})
	if err != nil {
		return Listing{}, err
	}
	h, ok := lines.Header()
	if ok {
		l.Header = &h
	}
	l.Partial = l.Partial || len(l.Games)+l.Skipped == warzone.MaxGames
	if len(l.Games) == 0 && bad != nil {
		return Listing{}, stream.Outcome(bad) // such as the page of a web server
	}
	return l, nil
}

// cloneGames returns a copy that shares no mutable memory.
func cloneGames(games []wzhttp.Game) []wzhttp.Game {
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
// If ctx ends, the error is its cause. If the lobby refuses, it is an [*Error]. If its Code
// is [wzhttp.CodeCaptchaRequired], its Data is a [wzhttp.Captcha]: call Join again with the
// player's answer in request.Captcha.
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
		known := func(u JoinTarget) bool { return u.Type == t.Type && u.Host == t.Host && u.Port == t.Port }
		if !slices.ContainsFunc(targets, known) {
			targets = append(targets, t)
		}
	}
	if len(targets) > 0 {
		return targets, nil
	}
	for _, err := range failures {
		if _, ok := errors.AsType[*Error](err); ok {
			return nil, err // an answer of the lobby is the most informative failure
		}
	}
	return nil, cmp.Or(failures[len(failures)-1], failures[0], errNoTargets)
}

var (
	errAttested  = errors.New("wzhttpnet: the request has a signature: set Client.Identity instead")
	errNoTargets = errors.New("wzhttpnet: the lobby returned no address of the game")
)

// joinOver sends a request of Join over a network.
func (c *Client) joinOver(ctx context.Context, addr, id, network string, request wzhttp.JoinRequest) ([]JoinTarget,
	error) {
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
