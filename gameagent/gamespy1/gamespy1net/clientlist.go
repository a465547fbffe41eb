package gamespy1net

import (
	"cmp"
	"context"
	"encoding"
	"errors"
	"slices"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1"
	"github.com/lobbywire/lobbywire/gameagent/internal/exchange"
	"github.com/lobbywire/lobbywire/internal/scan"
	"github.com/lobbywire/lobbywire/internal/stream"
)

// List fetches the servers of Client.Game from the master at addr, host:port of a TCP port. It
// waits up to Timeout for each step and up to 10 times that in total, and does not retry.
//
// The list may also be text, which some masters send to all clients. For other text, the
// error is [lobbywire.ErrUnreadable].
//
// The error is a [*MasterError] if the master gives a reason for refusing the request. Most
// masters close the connection instead, for example if they do not know the game; the error
// is then [io.ErrUnexpectedEOF].
//
// List queries a master at most every Client.ListEvery, with a random back-off of up to 75 s
// after failures. Until then, calls return the last result or error, and a request for
// another game waits. Concurrent calls share one request, which ends if the contexts of all
// of them end; the next call may then have to wait for ListEvery. Each caller gets its own
// copy of the slice.
func (c *Client) List(ctx context.Context, addr string) (Listing, error) {
	game := cmp.Or(c.Game, "serioussamse")
	l, err := c.lists.Get(ctx, addr, game, c.ListEvery, func(ctx context.Context) (Listing, error) {
		return c.fetch(ctx, addr, game)
	})
	l.Queries = slices.Clone(l.Queries)
	return l, err
}

func (c *Client) fetch(ctx context.Context, addr, game string) (Listing, error) {
	s := scan.Scanner{Timeout: c.Timeout}
	s.SetDefaults()
	var asked time.Time
	b, master, err := exchange.AskMaster(ctx, c.Dial, addr, s.Timeout, 10*s.Timeout,
		func(secure string) encoding.BinaryAppender {
			asked = time.Now()
			return gamespy1.ListRequest{
				GameName:    game,
				Validate:    gamespy1.Validate(secure, cmp.Or(c.Key, gamespy1.SeriousSamKey)),
				QueryID:     gamespy1.QueryBasic.ID(),
				List:        gamespy1.ListCompact,
				ListName:    game,
				GameVersion: "1.05",
			}
		}, isComplete)
	if b == nil {
		return Listing{}, stream.Outcome(err)
	}
	l, err := parseList(b, err, game)
	l.Game, l.MasterIP, l.RTT = game, master, time.Since(asked)
	return l, err
}

// parseList parses a list. It is partial if it is too long, or if the connection ended or
// the deadline passed before its end, with the error err.
func parseList(b []byte, err error, game string) (Listing, error) {
	if l, textErr, ok := parseText(b); ok {
		return l, textErr
	}
	m, parseErr := gamespy1.ParseServerList(b)
	if !errors.Is(parseErr, lobbywire.ErrTruncated) && !errors.Is(parseErr, lobbywire.ErrTooLarge) {
		full := len(m.Servers) == gamespy1.MaxServers // the master may have more
		return Listing{Queries: unique(m.Servers), Partial: full}, stream.Outcome(parseErr)
	}
	m, parseErr = gamespy1.Options{Part: true}.ParseServerList(b)
	switch {
	case len(b) == 0:
		return Listing{}, stream.NoList(stream.Incomplete(err), game, ", or its key is wrong")
	case len(m.Servers) == 0 && parseErr == nil:
		return Listing{}, stream.Incomplete(err)
	}
	return Listing{Queries: unique(m.Servers), Partial: true}, parseErr
}
