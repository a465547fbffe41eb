package warzonenet

import (
	"context"
	"net"
	"net/http"
	"slices"
	"time"

	"github.com/lobbywire/lobbywire/internal/listcache"
	"github.com/lobbywire/lobbywire/internal/stream"
	"github.com/lobbywire/lobbywire/warzone"
	"github.com/lobbywire/lobbywire/warzone/wzhttp"
)

// A Client fetches the lists of lobbies. Its zero value is ready. It holds no
// connection between calls, and may be used by several goroutines at once; fields
// must not change while it is used.
type Client struct {
	// Timeout limits the time to connect, and each pause within a reply; 0
	// means 5 s. A List takes at most 10 times that.
	Timeout time.Duration

	// Silence ends replies that have no end mark, as those of lobbies before 2020:
	// at a place where a reply may end, it is complete after this long without a
	// byte. 0 means 2.5 s, as in the game.
	Silence time.Duration

	// ListEvery is the minimum time between two requests to a lobby. Until then,
	// List returns the last result. 0 means 2 s; a negative value disables caching.
	ListEvery time.Duration

	// Options are the options for decoding replies. They limit the memory of a
	// Listing; by default it takes less than 4 MB.
	Options warzone.Options

	// Dial connects to lobbies, for example over TLS; nil means plain TCP. If the URL
	// of a lobby has the scheme https, the Client itself adds TLS.
	Dial func(ctx context.Context, network, addr string) (net.Conn, error)

	// HTTP sends the requests to HTTP lobbies, instead of Dial. nil means a
	// client that, like the game, uses no proxy and follows no redirects. Join
	// connects over each address family with a copy of its Transport.
	HTTP *http.Client

	// Identity signs the requests of Join to one lobby; nil means no
	// signatures.
	Identity *Identity

	lists listcache.Cache[Listing] // by lobby
}

// A Listing is a lobby's list.
type Listing struct {
	// Games are in the order of the wire. An empty Host is replaced by the address
	// of the lobby, as in the game. Texts are as hosts sent them and can contain
	// any bytes, so quote them before showing them.
	//
	// Games of an HTTP lobby are converted by [GameOf]. They have no Host, because
	// the lobby gives the address only to players who join.
	Games []warzone.Game

	// HTTPGames are the games as an HTTP lobby sent them, in the same order as Games.
	// Join needs their IDs. HTTPGames is nil for other lobbies.
	HTTPGames []wzhttp.Game

	// Skipped is the number of invalid lines in the list of an HTTP lobby.
	Skipped int

	// Status has the greeting of the lobby. It is nil for lobbies before 2012,
	// which send none.
	Status *warzone.Status

	// Legacy reports that there was only one batch, as from lobbies before
	// 2020. The list may then lack games: some of these lobbies send at most 11
	// or 12.
	Legacy bool

	// Partial reports that the Status or the second batch is missing because it was
	// incomplete, or that an invalid line has ended the list of an HTTP lobby.
	Partial bool

	RTT time.Duration // from the request to the first bytes of the reply
}

// List fetches the games of the lobby at addr: the host:port of a lobby for the game
// before 4.7, or the URL of an HTTP lobby. An addr with a slash and no scheme, such as
// "lobby.example/x", means https. An empty list is not an error.
//
// List sends a lobby a request at most every ListEvery. After failures there is a
// back-off that doubles up to 60 s, with a random jitter of a quarter. Until then,
// calls return the last result or error. Concurrent calls share one request, which
// is canceled if the contexts of all of them end; the next call may then have to
// wait for ListEvery. Each caller gets its own copy of the Listing.
//
// The error is [lobbywire.ErrTimeout], [io.ErrUnexpectedEOF] if the lobby closed the
// connection too early, an [*HTTPError] if an HTTP lobby refuses the request, or an
// error of the codec or the network.
func (c *Client) List(ctx context.Context, addr string) (Listing, error) {
	l, err := c.lists.Get(ctx, addr, "", c.ListEvery, func(ctx context.Context) (Listing, error) {
		if isHTTP(addr) {
			return c.fetchHTTP(ctx, addr)
		}
		return c.fetch(ctx, addr)
	})
	l.Games = slices.Clone(l.Games)
	l.HTTPGames = cloneHTTPGames(l.HTTPGames)
	if l.Status != nil {
		status := *l.Status
		l.Status = &status
	}
	return l, err
}

// Defaults of a Client.
const (
	clientTimeout = 5 * time.Second
	clientSilence = 2500 * time.Millisecond
)

func (c *Client) fetch(ctx context.Context, addr string) (Listing, error) {
	r := listReader{
		options: c.Options,
		timeout: positiveOr(c.Timeout, clientTimeout),
		silence: positiveOr(c.Silence, clientSilence),
	}
	r.end = time.Now().Add(10 * r.timeout)
	dial := c.Dial
	if dial == nil {
		dial = new(net.Dialer).DialContext
	}
	dialing, cancel := context.WithTimeout(ctx, r.timeout)
	defer cancel()
	conn, err := dial(dialing, "tcp", addr)
	if err != nil {
		return Listing{}, stream.Outcome(err)
	}
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { conn.Close() })()

	r.conn = conn
	start := time.Now()
	if err := r.ask(); err != nil {
		return Listing{}, stream.Outcome(err)
	}
	b, partial, err := r.read()
	if err != nil {
		return Listing{}, stream.Outcome(err)
	}
	reply, err := c.Options.ParseListReply(b)
	if err != nil {
		return Listing{}, err
	}
	fillHosts(reply.Games, conn.RemoteAddr())
	return Listing{
		Games:   reply.Games,
		Status:  reply.Status,
		Legacy:  reply.Batches == nil,
		Partial: partial,
		RTT:     r.heard.Sub(start),
	}, nil
}

// fillHosts sets an empty Host to the address of the lobby.
func fillHosts(games []warzone.Game, lobby net.Addr) {
	addr, ok := lobby.(*net.TCPAddr)
	if !ok {
		return
	}
	host := addr.AddrPort().Addr().Unmap().WithZone("").String()
	for i := range games {
		if games[i].Host == "" {
			games[i].Host = host
		}
	}
}
