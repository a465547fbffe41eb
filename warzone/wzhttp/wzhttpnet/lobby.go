package wzhttpnet

import (
	"cmp"
	"context"
	"log/slog"
	"net"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/refusals"
	"github.com/lobbywire/lobbywire/warzone/internal/counts"
	"github.com/lobbywire/lobbywire/warzone/internal/refusal"
	"github.com/lobbywire/lobbywire/warzone/internal/serving"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
	"github.com/lobbywire/lobbywire/warzone/wzhttp"
)

// A Lobby lists games for the clients and hosts of Warzone 2100 4.7 and later. It
// is a [net/http.Handler]. Mount it at any path: it accepts every path that ends in one
// of the protocol's. The method Server returns a server with deadlines against slow
// peers; other servers need [Handler]. The zero value is ready; fields must not change
// after the first request.
//
// A host of Warzone 4.7 ends its listing permanently after an error other than 429. So a
// lobby needs its Key and its games again after a restart: keep both, for example the
// games through a Store, and let Ready return false until the games are there.
type Lobby struct {
	// Games are the games that the lobby lists and to which hosts add theirs.
	// Other servers may share them. nil means an empty list of its own.
	Games *warzonegames.Games

	// MOTD is the message of the day, for clients and hosts. SetMOTD changes it
	// later.
	MOTD string

	// Key is the secret that tokens are derived from. It should have 32 random
	// bytes. All nodes that share a Store need the same Key, and a lobby needs it
	// again after a restart. nil means a random key.
	Key []byte

	// Ready reports whether the games are complete, for example because the games of
	// other nodes have arrived. While it returns false, requests are answered with
	// 429. nil means always ready.
	Ready func() bool

	// TrustedProxies are the addresses of proxies in front of the lobby. The client
	// of a request from a proxy is the last address in X-Forwarded-For that is not
	// such a proxy.
	TrustedProxies []netip.Prefix

	// AdmitJoin decides whether a player gets the addresses of a game. A non-nil error
	// refuses and is the answer to the player, for example with
	// wzhttp.CodeCaptchaRequired and a captcha as Data. Its Status is replaced by 403 if
	// it is not an error status. AdmitJoin may be called concurrently. nil admits
	// everybody.
	AdmitJoin func(ctx context.Context, attempt JoinAttempt) *Error

	// NoVerify lists games without checking that they can be reached.
	NoVerify bool

	// VerifyTimeout limits the time of that check; 0 means 5 s.
	VerifyTimeout time.Duration

	// Life is how long a game stays listed after the last request of its host, which
	// sends one every 30 s; 0 means 90 s.
	Life time.Duration

	// Dial connects to hosts; nil means [net.Dialer.DialContext].
	Dial func(ctx context.Context, network, addr string) (net.Conn, error)

	Limits LobbyLimits

	// Refused is called for a game that is not listed, as package lobbywire describes. nil
	// does nothing.
	Refused func(r lobbywire.Refusal)

	// Logger logs refused games and the reasons, with a rate limit. nil is silent.
	Logger *slog.Logger

	counts  counts.Of[LobbyStats] // without Hosts
	once    sync.Once
	games   *warzonegames.Games
	unshare func() // stops the Store
	uncheck func() // stops the checks of published games
	tokens  tokens
	rows    *lines

	motd    atomic.Pointer[greeting]
	started time.Time
	context context.Context
	end     context.CancelFunc
	looking sync.WaitGroup

	limits   requestLimits
	conns    atomic.Pointer[lobbywire.ConnLimits]
	log      serving.GameLog
	refusals refusals.Reporter

	mu       sync.Mutex
	closed   bool
	hostings hostings
	checks   *checks
}

// A JoinAttempt is a player's request to join a game.
type JoinAttempt struct {
	Game    warzonegames.Entry
	From    netip.Addr
	Request wzhttp.JoinRequest
}

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
	l.refusals.To = l.Refused
	l.hostings.init()
	l.checks = newChecks(cmp.Or(l.Limits.MaxLooks, 256))
	l.setLimits(l.Limits)
	l.log.Init(l.Logger)
	l.context, l.end = context.WithCancel(context.Background())
	m, err := newGreeting(l.MOTD)
	if err != nil {
		m, _ = newGreeting("") // cannot fail
	}
	l.motd.CompareAndSwap(nil, m) // unless SetMOTD was called
	l.unshare = l.games.Share()
	l.uncheck = l.games.Check(l.checker())
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
	l.mu.Lock()
	was := l.closed
	l.closed = true
	l.mu.Unlock()
	if was {
		return nil
	}
	l.end()
	l.looking.Wait()
	l.uncheck()
	l.keepUnpublished()
	l.rows.Close()
	l.unshare()
	return nil
}

// keepUnpublished leaves unpublished games in Games, for the next Lobby with the same Games.
func (l *Lobby) keepUnpublished() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.hostings.expire(time.Now())
	for _, h := range l.hostings.byID {
		if !h.published {
			l.games.KeepAnnounced(h.unpublished(l.expires()))
		}
	}
}

// shareLocked shares the state of an unpublished game with the other nodes.
func (l *Lobby) shareLocked(h *hosted) {
	if l.games.Store != nil && !h.published && l.hostings.has(h) {
		h.shared = time.Now()
		l.games.Announce(h.unpublished(l.expires()))
	}
}

// expires returns when a game expires whose host has just sent a request.
func (l *Lobby) expires() time.Time { return time.Now().Add(cmp.Or(max(l.Life, 0), wzhttp.Life)) }

// verifyTimeout is the default of Lobby.VerifyTimeout.
const verifyTimeout = 5 * time.Second

// lookTime returns how long a check may take.
func (l *Lobby) lookTime() time.Duration { return cmp.Or(max(l.VerifyTimeout, 0), verifyTimeout) }

// SetMOTD replaces MOTD. It fails if the text is longer than [wzhttp.MaxMOTD]. On error,
// MOTD is unchanged.
func (l *Lobby) SetMOTD(text string) error {
	m, err := newGreeting(text)
	if err == nil {
		l.motd.Store(m)
	}
	return err
}

// SetLimits replaces Limits, except MaxLooks and the deadlines of servers that Server has
// returned. It may be called while the Lobby serves.
func (l *Lobby) SetLimits(limits LobbyLimits) {
	l.once.Do(l.init)
	l.setLimits(limits)
}

func (l *Lobby) setLimits(to LobbyLimits) {
	l.limits.set(to)
	l.conns.Store(&to.ConnLimits)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.hostings.table.Max = cmp.Or(to.MaxHosts, 4096)
}

// noteRefusal counts, reports and logs a game that is not listed.
func (l *Lobby) noteRefusal(at netip.AddrPort, err error) {
	l.counts.Add(&l.counts.Stats.Refused)
	l.refusals.Report(refusal.Of(at, err))
	l.log.Refused(at, err)
}

// LobbyStats has the counts of a Lobby since its creation.
type LobbyStats struct {
	Lists     uint64 // lists sent
	Added     uint64 // games published
	Updated   uint64 // patches of published games, including empty ones
	Removed   uint64 // games that hosts removed
	Refused   uint64 // addresses that could not be reached, and games that Games refused
	Joins     uint64 // players who got the addresses of a game
	Checks    uint64 // tokens of players that hosts have sent
	Rejected  uint64 // Checks with an invalid token
	Limited   uint64 // requests beyond the rate limits
	Malformed uint64 // requests that are malformed or lack a valid token
	Hosts     int    // hosts whose games are not published yet, or whose addresses are being checked
}

// Stats returns a snapshot.
func (l *Lobby) Stats() LobbyStats {
	l.once.Do(l.init)
	l.mu.Lock()
	l.hostings.expire(time.Now())
	hosts := len(l.hostings.byID)
	l.mu.Unlock()
	s := l.counts.Snapshot()
	s.Hosts = hosts
	return s
}
