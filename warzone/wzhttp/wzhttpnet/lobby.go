package wzhttpnet

import (
	"context"
	"log/slog"
	"net"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/stream"
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
// A host of Warzone 4.7 ends its listing permanently after an error other than 429. A lobby
// therefore needs its Key and its games again after a restart: keep both, for example the
// games through a Store, and let Ready return false until the games have been restored.
type Lobby struct {
	// Games holds the games of the lobby and its hosts. Other servers may share it. nil
	// means an empty list of its own.
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
	// refuses, and is the answer to the player, for example with wzhttp.CodeCaptchaRequired
	// and a captcha as Data. A Status that is not an error status is replaced by 403.
	// AdmitJoin may be called concurrently. nil admits everybody.
	AdmitJoin func(ctx context.Context, attempt JoinAttempt) *Error

	// NoVerify lists games without checking that they can be reached.
	NoVerify bool

	// NoRates answers requests at any rate, for example behind a proxy that limits it. The
	// package documentation lists the limits.
	NoRates bool

	// Dial connects to hosts; nil means [net.Dialer.DialContext].
	Dial func(ctx context.Context, network, addr string) (net.Conn, error)

	// Limits are for Limit and Server. Frame is for a whole request, and Write for an
	// answer.
	Limits lobbywire.ConnLimits

	// Refused is called for a game that is not listed, as package lobbywire describes. nil
	// does nothing.
	Refused func(r lobbywire.Refusal)

	// Logger logs refused games and the reasons, one line a minute. nil is silent.
	Logger *slog.Logger

	once     sync.Once // of lobbyParts
	counts   stream.Counts[LobbyStats]
	conns    atomic.Pointer[lobbywire.ConnLimits]
	motd     atomic.Pointer[greeting]
	refusals serving.Refusals
	lobbyParts
}

// lobbyParts are the parts that init creates.
type lobbyParts struct {
	games   *warzonegames.Games
	tokens  tokens
	rows    *lines
	rates   requestLimits
	checks  *checks
	started time.Time
	stop    func() // see Close
}

// A JoinAttempt is a player's request to join a game.
type JoinAttempt struct {
	Game    warzonegames.Entry
	From    netip.Addr
	Request wzhttp.JoinRequest
}

// SetMOTD replaces MOTD. It fails if the text is longer than [wzhttp.MaxMOTD]. On error,
// MOTD is unchanged.
func (l *Lobby) SetMOTD(text string) error {
	m, err := newGreeting(text)
	if err == nil {
		l.motd.Store(m)
	}
	return err
}

// noteRefusal counts, reports and logs a game that is not listed.
func (l *Lobby) noteRefusal(at netip.AddrPort, err error) {
	l.counts.Add(&l.counts.Stats.Refused)
	l.refusals.Refused(at, err)
}

// LobbyStats counts the work of a Lobby since its creation.
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
}

// Stats returns a snapshot of the counters.
func (l *Lobby) Stats() LobbyStats { return l.counts.Snapshot() }
