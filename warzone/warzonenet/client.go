package warzonenet

import (
	"cmp"
	"context"
	"net"
	"slices"
	"time"

	"github.com/lobbywire/lobbywire/internal/listcache"
	"github.com/lobbywire/lobbywire/warzone"
)

// A Client asks lobbies for their games. Its zero value is ready. It holds no
// connection, and may be used by many goroutines at once; fields must not change
// then.
type Client struct {
	// Timeout is how long connecting, and each silence before the end of a reply,
	// may take; 0 means 5 s. A List takes 10 times that at most.
	Timeout time.Duration

	// Silence is how long nothing more must come where a reply may end before it
	// is taken as whole, because lobbies before 2020 do not tell; 0 means 2.5 s,
	// as the game waits.
	Silence time.Duration

	// ListEvery is how often a lobby is asked: meanwhile List returns what it
	// returned before. 0 means 2 s; it is always if negative.
	ListEvery time.Duration

	// Options are for reading replies. They limit what a lobby can make a List
	// take: with those of 0 less than 4 MB, as long as it is kept.
	Options warzone.Options

	// Dial connects to lobbies, over TLS as it may be; nil is the system's.
	Dial func(ctx context.Context, network, addr string) (net.Conn, error)

	lists listcache.Cache[Listing] // by lobby
}

// A Listing is a lobby's list.
type Listing struct {
	// Games are in the order of the wire. An empty Host was replaced by the
	// address of the lobby, as the game does. Texts are as hosts sent them: any
	// bytes, so they need care before they are shown.
	Games []warzone.Game

	// Status holds the greeting of the lobby, and how it took the request. It is
	// nil from lobbies before 2012, which have none.
	Status *warzone.Status

	// Legacy tells that there was one batch, as lobbies before 2020 send it, which
	// may have left out games: some send 11 or 12 at most.
	Legacy bool

	// Partial tells that the lobby began to send more, the Status or a second
	// batch, and not its end.
	Partial bool

	RTT time.Duration // from the request to the first bytes of the reply
}

// List asks the lobby at addr, host:port, for its games. An empty list is no
// error.
//
// A lobby is asked again only after Client.ListEvery. After a failure that is
// longer or shorter by up to a quarter at random, and twice as long with each
// further failure, up to 60 s. Before, and for all who ask at the same time, there
// is one outcome, the failure if it was one. If nobody waits for it any longer,
// the lobby's answer is not awaited either; who asks next may have to wait for
// ListEvery to pass. The Listing is each caller's own.
//
// The error is [lobbywire.ErrTimeout], [io.ErrUnexpectedEOF] if the lobby closed the
// connection before anything could be told, or tells what was wrong with the
// reply.
func (c *Client) List(ctx context.Context, addr string) (Listing, error) {
	l, err := c.lists.Get(ctx, addr, c.ListEvery, func(ctx context.Context) (Listing, error) {
		return c.fetch(ctx, addr)
	})
	l.Games = slices.Clone(l.Games)
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
		timeout: cmp.Or(c.Timeout, clientTimeout),
		silence: cmp.Or(c.Silence, clientSilence),
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

// fillHosts gives games without a host that of the lobby.
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
