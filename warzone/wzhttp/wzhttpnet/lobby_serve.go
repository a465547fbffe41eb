package wzhttpnet

import (
	"encoding"
	"errors"
	"net/http"
	"net/netip"
	"strconv"
	"sync"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/forwarded"
	"github.com/lobbywire/lobbywire/warzone/internal/refusal"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
	"github.com/lobbywire/lobbywire/warzone/wzhttp"
)

func (l *Lobby) init() {
	l.games = l.Games
	if l.games == nil {
		l.games = new(warzonegames.Games)
	}
	l.tokens = tokens{l.Key}
	if l.Key == nil {
		l.tokens = newTokens()
	}
	l.rows = newLines(l.games)
	l.started = time.Now()
	l.rates.init()
	l.conns.Store(&l.Limits)
	l.refusals.Init(l.Refused, l.Logger)
	m, err := newGreeting(l.MOTD)
	if err != nil {
		m, _ = newGreeting("") // cannot fail
	}
	l.motd.CompareAndSwap(nil, m) // unless SetMOTD was called
	l.checks = newChecks(l.games)
	unshare, uncheck := l.games.ForLobbies().Share(), l.games.ForLobbies().Check(l.checker())
	l.stop = sync.OnceFunc(func() {
		l.checks.close()
		uncheck()
		l.games.Flush() // unpublished games, for the next lobby
		l.rows.Close()
		unshare()
	})
}

// Start begins to receive the games of other nodes from the Store of Games.
// Without a call of Start, the first request does this. It fails if MOTD is too
// long.
func (l *Lobby) Start() error {
	_, err := newGreeting(l.MOTD)
	if err == nil {
		l.once.Do(l.init)
	}
	return err
}

// Close ends checks and sharing. All later requests are answered with 429. Games
// stay until they expire.
func (l *Lobby) Close() error {
	l.once.Do(l.init)
	l.stop()
	return nil
}

// SetLimits replaces Limits, except the deadlines of servers that Server has returned. It
// may be called while the Lobby serves.
func (l *Lobby) SetLimits(limits lobbywire.ConnLimits) {
	l.once.Do(l.init)
	l.conns.Store(&limits)
}

// ServeHTTP answers clients and hosts.
func (l *Lobby) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	l.once.Do(l.init)
	err := l.serve(w, r)
	if err == nil {
		return
	}
	refused := refusalOf(err)
	if refused.isMalformed() {
		l.counts.Add(&l.counts.Stats.Malformed)
	}
	refused.write(w)
}

// serve passes a request through the steps of the lobby: routing, the client, the limits,
// the game and the answer.
func (l *Lobby) serve(w http.ResponseWriter, r *http.Request) error {
	method := r.Method
	if method == http.MethodHead {
		method = http.MethodGet
	}
	endpoint, gameID, ok := wzhttp.EndpointOf(method, r.URL.Path)
	if !ok {
		l.refusePath(r)
		return errUnknownPath
	}
	from, ok := forwarded.Client(r, l.TrustedProxies)
	if !ok {
		peer, _ := forwarded.Peer(r)
		l.refusals.Report(lobbywire.Refusal{From: netip.AddrPortFrom(peer, 0), Reason: lobbywire.ReasonProxy})
		return errClient
	}
	if !l.isReady() {
		return errNotReady
	}
	request := &lobbyRequest{r, from, parseGameID(gameID), nil}
	if !l.NoRates && !l.rates.allow(endpoint, from) && !l.isGoodbye(request, endpoint) {
		l.counts.Add(&l.counts.Stats.Limited)
		l.refuseRequest(endpoint, from, errRate)
		return errRate
	}
	if endpoint == wzhttp.EndpointList {
		if l.rows.serve(w, r, l.motd.Load().line) {
			l.counts.Add(&l.counts.Stats.Lists)
		}
		return nil
	}
	var err error
	request.body, err = readBody(w, r)
	if err != nil {
		return err
	}
	answer, err := l.handle(request, endpoint)
	if err != nil {
		l.refuseRequest(endpoint, from, err)
		return err
	}
	body, _ := answer.AppendBinary(nil) // cannot fail
	write(w, statusOf(endpoint), body)
	return nil
}

// refusePath reports a host that sends an unknown method or path. It ignores GET and HEAD,
// which clients and browsers send.
func (l *Lobby) refusePath(r *http.Request) {
	from, ok := forwarded.Client(r, l.TrustedProxies)
	if !ok || r.Method == http.MethodGet || r.Method == http.MethodHead {
		return
	}
	const maxText = 80
	l.refusals.Report(lobbywire.Refusal{From: netip.AddrPortFrom(from, 0), Reason: lobbywire.ReasonProtocol,
		Err: errors.New(strconv.Quote(refusal.Shown(r.Method+" "+r.URL.Path, maxText)))})
}

// isGoodbye reports whether a request is the last one of a host, which does not repeat it.
func (l *Lobby) isGoodbye(r *lobbyRequest, e wzhttp.Endpoint) bool {
	if e != wzhttp.EndpointDelete {
		return false
	}
	token, _ := wzhttp.HostToken(r.Header.Get("Authorization"))
	_, _, ok := l.tokens.isHost(token, r.id)
	return ok
}

// refuseRequest reports a refused request of a host, whose game is therefore not listed.
// Refusals of Games are reported elsewhere, with the port of the game.
func (l *Lobby) refuseRequest(e wzhttp.Endpoint, from netip.Addr, err error) {
	if e != wzhttp.EndpointCreate && e != wzhttp.EndpointConnection && e != wzhttp.EndpointPatch {
		return
	}
	if _, reported := errors.AsType[*refusal.Error](err); reported {
		return
	}
	why := lobbywire.Refusal{From: netip.AddrPortFrom(from, 0), Reason: lobbywire.ReasonInvalid, Err: err}
	if refused, ok := errors.AsType[*Error](err); ok && refused.Status == http.StatusTooManyRequests {
		why.Reason = lobbywire.ReasonBusy
	}
	l.refusals.Report(why)
}

func (l *Lobby) isReady() bool { return !l.checks.closed() && (l.Ready == nil || l.Ready()) }

// handle carries out a request, and returns the answer.
func (l *Lobby) handle(r *lobbyRequest, endpoint wzhttp.Endpoint) (encoding.BinaryAppender, error) {
	switch endpoint {
	case wzhttp.EndpointCreate:
		return l.create(r)
	case wzhttp.EndpointJoin:
		return l.join(r)
	}
	e, err := l.authorized(r)
	if err != nil {
		return nil, err
	}
	switch endpoint {
	case wzhttp.EndpointConnection:
		return l.connect(r, e)
	case wzhttp.EndpointPatch:
		return l.patch(r, e)
	case wzhttp.EndpointDelete:
		return l.remove(e), nil
	}
	return l.checkJoin(r, e)
}
