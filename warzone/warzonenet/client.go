package warzonenet

import (
	"context"
	"net"
	"net/http"
	"slices"
	"time"

	"github.com/lobbywire/lobbywire/internal/listcache"
	"github.com/lobbywire/lobbywire/warzone"
	"github.com/lobbywire/lobbywire/warzone/wzhttp"
)

// A Client gets the lists of lobbies. Its zero value is ready. It holds no
// connection, and many goroutines may use it at once; fields must not change then.
type Client struct {
	// Timeout limits connecting, and each silence before the end of a reply; 0
	// means 5 s. A List takes at most 10 times that.
	Timeout time.Duration

	// Silence is how long a reply may pause where it can end before it is
	// considered complete, because lobbies before 2020 do not mark the end; 0 means
	// 2.5 s, as in the game.
	Silence time.Duration

	// ListEvery is the shortest time between two requests to a lobby: meanwhile
	// List returns the last result. 0 means 2 s; a negative value disables caching.
	ListEvery time.Duration

	// Options are for reading replies. They limit the memory of a List: by default
	// to less than 4 MB, as long as it is cached.
	Options warzone.Options

	// Dial connects to lobbies, perhaps over TLS; nil means as the system does. For the
	// URL of a lobby TLS comes on top.
	Dial func(ctx context.Context, network, addr string) (net.Conn, error)

	// HTTP sends the requests to HTTP lobbies, in place of Dial. nil is a client
	// that, like the game, uses no proxy and follows no redirect.
	HTTP *http.Client

	// Identity signs what Join sends to one lobby; nil signs nothing.
	Identity *Identity

	lists listcache.Cache[Listing] // by lobby
}

// A Listing is a lobby's list.
type Listing struct {
	// Games are in the order of the wire. An empty Host is replaced by the address
	// of the lobby, as in the game. Texts are as hosts sent them and can be any
	// bytes, so escape them before you show them.
	//
	// Games of an HTTP lobby are as [GameOf] returns them. They have no Host, since
	// the lobby gives the address only to players who join.
	Games []warzone.Game

	// HTTPGames are the games as an HTTP lobby sent them, in the same order as Games.
	// Join takes their ID. It is nil for other lobbies.
	HTTPGames []wzhttp.Game

	// Skipped is the number of lines of an HTTP lobby that are not valid.
	Skipped int

	// Status holds the greeting of the lobby. It is nil for lobbies before 2012,
	// which send none.
	Status *warzone.Status

	// Legacy reports whether there was one batch, as from lobbies before 2020,
	// which may have left out games: some send 11 or 12 at most.
	Legacy bool

	// Partial reports whether the Status or the second batch is incomplete and left
	// out, or the list of an HTTP lobby has a line that ends it.
	Partial bool

	RTT time.Duration // from the request to the first bytes of the reply
}

// List gets the games of the lobby at addr. That is host:port of a lobby for the
// game before 4.7, or the URL of an HTTP lobby; "lobby.example/x" stands for a URL with
// https. An empty list is no error.
//
// A lobby gets a request at most every ListEvery. After a failure there is a
// back-off that doubles up to 60 s, with a random jitter of a quarter. Meanwhile,
// and for all callers at the same time, there is one result, be it a failure. If no
// caller waits for it any longer, the request is canceled; the next caller may have
// to wait for ListEvery to pass. The Listing is each caller's own.
//
// The error is [lobbywire.ErrTimeout], [io.ErrUnexpectedEOF] if the lobby closed
// the connection too early, an [*HTTPError] if an HTTP lobby refuses, or that of the
// codec or of the network.
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
		return Listing{}, timeoutOf(err)
	}
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { conn.Close() })()

	r.conn = conn
	start := time.Now()
	if err := r.ask(); err != nil {
		return Listing{}, timeoutOf(err)
	}
	b, partial, err := r.read()
	if err != nil {
		return Listing{}, timeoutOf(err)
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
