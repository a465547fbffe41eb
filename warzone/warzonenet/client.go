package warzonenet

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"math"
	"net"
	"net/netip"
	"os"
	"slices"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/listcache"
	"github.com/lobbywire/lobbywire/internal/stream"
	"github.com/lobbywire/lobbywire/warzone"
)

// A Client fetches the lists of lobbies for the game before 4.7. Its zero value is ready,
// and may be used by several goroutines at once; fields must not change while it is used.
// It holds no connection between calls.
type Client struct {
	// Timeout limits the time to connect, and each pause within an answer; 0
	// means 5 s. A request takes at most 10 times that.
	Timeout time.Duration

	// Silence ends replies without an end mark, such as those of lobbies before 2020, after
	// this time without another byte. 0 means 2.5 s, as in the game.
	Silence time.Duration

	// ListEvery is the minimum time between two requests for a list. Until then,
	// List returns the last result. 0 means 2 s; a negative value disables caching.
	ListEvery time.Duration

	// Options are the options for decoding replies. They limit the memory of a Listing, by
	// default to less than 4 MB: a longer list is cut and Partial. The Client itself sets
	// Part.
	Options warzone.Options

	// Dial connects to lobbies, for example over TLS; nil means plain TCP.
	Dial func(ctx context.Context, network, addr string) (net.Conn, error)

	lists listcache.Cache[Listing] // by lobby
}

// A Listing is a lobby's list.
type Listing struct {
	// Games are in the order of the wire. An empty Host is replaced by the address of the
	// lobby, as in the game. Texts are unchanged and can contain any bytes, so quote them
	// before showing them.
	Games []warzone.Game

	// Skipped is the number of games that are left out because their version is unknown.
	Skipped int

	// Status contains the greeting of the lobby. It is nil for lobbies before 2012, which
	// send none.
	Status *warzone.Status

	// Legacy reports that there was only one batch, as from lobbies before 2020. The list
	// may then lack games: some of these lobbies send at most 11 or 12.
	Legacy bool

	// Partial reports that games, the Status or the second batch are missing because the
	// connection ended or was silent for too long; that the list contains more than
	// Options.MaxGames games, or [warzone.MaxGames], the most that lobbies list by default;
	// or that bytes arrived after its end, which means that a count or the length of the
	// Status is wrong.
	Partial bool

	RTT time.Duration // from the request to the end of the list
}

// List fetches the games of the lobby at addr, host:port. An empty list is not an error.
//
// List sends a lobby a request at most every ListEvery. After failures there is a
// back-off that doubles up to 60 s, with a random jitter of a quarter. Until then,
// calls return the last result or error. Concurrent calls share one request, which
// is canceled if the contexts of all of them end; the next call may then have to
// wait for ListEvery. Each caller gets its own copy of the Listing.
//
// The error is [lobbywire.ErrTimeout], [io.ErrUnexpectedEOF] if the lobby closed the
// connection too early, or an error of the codec or the network.
func (c *Client) List(ctx context.Context, addr string) (Listing, error) {
	l, err := c.lists.Get(ctx, addr, "", c.ListEvery, func(ctx context.Context) (Listing, error) {
		return c.fetch(ctx, addr)
	})
	l.Games = slices.Clone(l.Games)
	if l.Status != nil {
		status := *l.Status
		l.Status = &status
	}
	return l, err
}

// listBuffer is the initial size of the buffer for a list, which doubles when it is full.
// Doubling four times is enough for warzone.MaxGames.
const listBuffer = 58 << 10

// clientSilence is the default of Client.Silence.
const clientSilence = 2500 * time.Millisecond

func (c *Client) fetch(ctx context.Context, addr string) (l Listing, err error) {
	asked, err := warzone.ListRequest{}.AppendBinary(nil)
	if err != nil {
		return l, err
	}
	timeout := cmp.Or(max(c.Timeout, 0), stream.DefaultTimeout)
	r := stream.Requests{
		Timeout:  timeout,
		Dial:     c.Dial,
		MaxFrame: math.MaxInt,
		Frame:    stream.Whole * timeout,
		Buffer:   listBuffer,
	}
	l.RTT, err = r.Do(ctx, addr, asked, func(conn *stream.Conn) error {
		o := c.Options
		o.Part = true
		b, partial, failed := c.readReply(conn, timeout)
		if _, malformed := errors.AsType[*lobbywire.Error](failed); malformed {
			return failed
		}
		reply, err := o.ParseListReply(b)
		switch {
		case failed != nil && (err != nil || len(reply.Games) == 0):
			return failed
		case err != nil:
			return err
		case len(reply.Games) == 0 && reply.Skipped > 0:
			o.Strict = true // it fails at the first game
			_, err = o.ParseListReply(b)
			return err
		}
		fillHosts(reply.Games, conn.Remote().Addr())
		l.Games, l.Skipped, l.Status, l.Legacy, l.Partial = reply.Games, reply.Skipped, reply.Status, reply.Batches == nil,
			partial || len(reply.Games)+reply.Skipped == warzone.MaxGames
		return nil
	})
	return l, err
}

// readReply returns a reply, and whether it is incomplete or cut at the limit for games. If
// reading fails, it also returns the part that has arrived. ListReplyEnd limits the size,
// and its cost does not depend on the size of the input.
func (c *Client) readReply(conn *stream.Conn, timeout time.Duration) (reply []byte, partial bool, err error) {
	silence := cmp.Or(max(c.Silence, 0), clientSilence)
	pause := time.AfterFunc(timeout, func() { conn.End(os.ErrDeadlineExceeded) })
	defer pause.Stop()
	o := c.Options
	var end int
	var canEnd bool
	reply, err = stream.Next(conn, func(b []byte) (reply, rest []byte, err error) {
		var whole bool
		end, whole, err = o.ListReplyEnd(b)
		if errors.Is(err, lobbywire.ErrTooLarge) {
			o.Part = true // if the limit is for games, the error disappears
			end, whole, err = o.ListReplyEnd(b)
		}
		canEnd = err == nil
		switch {
		case whole:
			return b[:end], b[end:], nil
		case canEnd:
			pause.Reset(silence)
			return nil, b, lobbywire.ErrTruncated
		}
		pause.Reset(timeout)
		return nil, b, err
	})
	switch {
	case err == nil:
		return reply, o.Part || len(bytes.Trim(conn.Rest(), "\x00\r\n")) > 0, nil
	case canEnd:
		return conn.Rest()[:end], o.Part || end < len(conn.Rest()), nil
	}
	return conn.Rest(), true, err
}

// fillHosts sets an empty Host to the address of the lobby.
func fillHosts(games []warzone.Game, lobby netip.Addr) {
	if !lobby.IsValid() {
		return
	}
	host := lobby.WithZone("").String()
	for i := range games {
		if games[i].Host == "" {
			games[i].Host = host
		}
	}
}

// Views returns the games in the common form.
func (l Listing) Views() []lobbywire.View {
	views := make([]lobbywire.View, len(l.Games))
	for i, g := range l.Games {
		views[i] = g.View()
	}
	return views
}
