package warzonenet

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"log/slog"
	"net"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"github.com/lobbywire/lobbywire/internal/limit"
	"github.com/lobbywire/lobbywire/internal/registry"
	"github.com/lobbywire/lobbywire/warzone/wzhttp"
)

// An HTTPLobby lists games for the clients and hosts of Warzone 2100 since 4.7. It is
// an [net/http.Handler]: mount it where you like, as it takes any path that ends in one
// of the protocol's. Its method Server returns a server with the deadlines that it
// needs against slow peers. The zero value is ready; fields must not change after the
// first request.
//
// A host of the game gives up for good after an error, except 429, after which it waits.
// So a lobby that is restarted needs its Key and its games: keep both, for example by a
// Store, and let requests wait with Ready until the games are there.
type HTTPLobby struct {
	// Games are the games that it lists, and to which hosts add. Other servers may
	// share them. nil is an empty list of its own.
	Games *Games

	// MOTD is the text for clients and hosts. SetMOTD changes it later.
	MOTD string

	// Key is the secret from which tokens are derived. Nodes that share a Store need
	// the same one, and a lobby that is restarted the one that it had. It should have
	// 32 random bytes. nil is a key that lasts as long as this HTTPLobby.
	Key []byte

	// Ready reports whether the games are complete, for example because those of
	// other nodes have arrived. While it reports false, requests are answered with
	// 429. nil is always ready.
	Ready func() bool

	// TrustedProxies are the addresses of proxies in front of the lobby. A request
	// from one of them is taken as one from the last address in its X-Forwarded-For
	// that is not such a proxy.
	TrustedProxies []netip.Prefix

	// AdmitJoin decides whether a player may have the addresses of a game. An error is
	// the answer to the player: wzhttp.CodeCaptchaRequired with a captcha as Data, for
	// example. Its Status is 403 unless it is that of an error. nil admits everybody. It
	// may be called concurrently.
	AdmitJoin func(ctx context.Context, attempt HTTPJoinAttempt) *HTTPError

	// NoVerify lists games without checking that they can be reached.
	NoVerify bool

	// VerifyTimeout limits that check; 0 means 5 s.
	VerifyTimeout time.Duration

	// Life is how long a game stays listed after the last request of its host, which
	// sends one every 30 s; 0 means 90 s.
	Life time.Duration

	// Dial connects to hosts, in place of [net.Dialer.DialContext].
	Dial func(ctx context.Context, network, addr string) (net.Conn, error)

	Limits HTTPLobbyLimits

	// Logger logs games that are refused and why, with a rate limit. nil is silent.
	Logger *slog.Logger

	once    sync.Once
	games   *Games
	tokens  httpTokens
	rows    httpRows
	motd    atomic.Pointer[httpMOTD]
	started time.Time
	stats   httpCounters
	limits  [httpClasses]limit.Limiter
	log     limit.Limiter // of log lines
	context context.Context
	end     context.CancelFunc
	looking sync.WaitGroup
	looks   chan struct{} // has an element for each look

	mu       sync.Mutex
	closed   bool
	hostings registry.Table[*httpHosting] // by source and low half of the ID
	byID     map[uint32]*httpHosting
	joins    httpJoins
}

// An HTTPJoinAttempt is a player who wants to join a game.
type HTTPJoinAttempt struct {
	Game    Entry
	From    netip.Addr
	Request wzhttp.JoinRequest
}

// Defaults of an HTTPLobby.
const (
	httpLife          = wzhttp.Life
	httpVerifyTimeout = 5 * time.Second
)

func (l *HTTPLobby) init() {
	l.games = l.Games
	if l.games == nil {
		l.games = new(Games)
	}
	key := l.Key
	if key == nil {
		key = make([]byte, 32)
		rand.Read(key) // never fails
	}
	l.tokens = httpTokens{key}
	l.rows.games = l.games
	l.started = time.Now()
	l.byID = make(map[uint32]*httpHosting)
	l.initLimits()
	l.context, l.end = context.WithCancel(context.Background())
	if l.motd.Load() == nil {
		m, err := newHTTPMOTD(l.MOTD)
		if err != nil {
			m, _ = newHTTPMOTD("") // never fails
		}
		l.motd.Store(m)
	}
	l.games.join()
}

// Start begins to receive the games of other nodes from the Store of Games. It is
// part of the first request otherwise. It fails if MOTD is too long.
func (l *HTTPLobby) Start() error {
	_, err := newHTTPMOTD(l.MOTD)
	if err == nil {
		l.once.Do(l.init)
	}
	return err
}

// Close ends what the lobby does besides answering requests, and answers all later
// ones with 429. Games stay until they expire.
func (l *HTTPLobby) Close() error {
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
	l.rows.close()
	l.games.leave()
	return nil
}

// An httpMOTD is the text for all peers, and the first line of lists.
type httpMOTD struct {
	text string
	line []byte
}

func newHTTPMOTD(text string) (*httpMOTD, error) {
	line, err := wzhttp.AppendLine(nil, wzhttp.ListHeader{MOTD: text})
	if err != nil {
		return nil, err
	}
	return &httpMOTD{text, line}, nil
}

// SetMOTD replaces MOTD from now on. It fails, and changes nothing, if the text is
// longer than [wzhttp.MaxMOTD].
func (l *HTTPLobby) SetMOTD(text string) error {
	m, err := newHTTPMOTD(text)
	if err == nil {
		l.motd.Store(m)
	}
	return err
}

// HTTPLobbyStats count since an HTTPLobby was made.
type HTTPLobbyStats struct {
	Lists     uint64 // lists sent
	Added     uint64 // games published
	Updated   uint64 // changes and signs of life of published games
	Removed   uint64 // games that hosts removed
	Refused   uint64 // addresses of games that could not be reached, and games that Games refused
	Joins     uint64 // players who got the addresses of a game
	Checks    uint64 // players that hosts asked about
	Rejected  uint64 // of these, players with a wrong token
	Limited   uint64 // requests beyond the rate limits
	Malformed uint64 // requests that are malformed or lack a valid token
	Hosts     int    // hosts now whose games are not published yet, or whose addresses are being checked
}

// httpCounters are the counts behind HTTPLobbyStats.
type httpCounters struct {
	lists, added, updated, removed, refused, joins, checks, rejected, limited, malformed atomic.Uint64
}

// Stats returns a snapshot.
func (l *HTTPLobby) Stats() HTTPLobbyStats {
	l.once.Do(l.init)
	l.mu.Lock()
	l.expireLocked(time.Now())
	hosts := len(l.byID)
	l.mu.Unlock()
	c := &l.stats
	return HTTPLobbyStats{
		Lists:     c.lists.Load(),
		Added:     c.added.Load(),
		Updated:   c.updated.Load(),
		Removed:   c.removed.Load(),
		Refused:   c.refused.Load(),
		Joins:     c.joins.Load(),
		Checks:    c.checks.Load(),
		Rejected:  c.rejected.Load(),
		Limited:   c.limited.Load(),
		Malformed: c.malformed.Load(),
		Hosts:     hosts,
	}
}

// An HTTPError is the refusal of a lobby.
type HTTPError struct {
	Status     int             // of HTTP
	Code       string          // such as wzhttp.CodeGameNotFound
	Message    string          // for people; it can be any text, so escape it before you show it
	Data       json.RawMessage // with wzhttp.CodeCaptchaRequired, a wzhttp.Captcha
	RetryAfter time.Duration   // when to try again; 0 if the lobby does not say
}
