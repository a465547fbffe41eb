package gamespy2net

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gamespy2/sb2"
)

// Limits of a Listing.
const (
	maxListed     = 1 << 16  // servers
	maxListedSize = 32 << 20 // bytes on the wire
)

// List fetches the servers of a game from the master at addr, a host:port for TCP,
// usually with port 28910. It waits up to Timeout for each step and up to 10 times
// that in total, and does not retry.
//
// List queries a master at most every Client.ListEvery, with a random back-off of up to
// 75 s after failures. Until then, calls return the last result or error of the same
// query, and calls with another query wait. Concurrent calls share one connection. Each
// caller gets its own copy of the slice.
//
// The error is a [*MasterError] if the master refuses the query. A list that makes no sense
// may have been encrypted with another key than that of the query; the error says so.
func (c *Client) List(ctx context.Context, addr string, q ListQuery) (Listing, error) {
	l, err := c.lists.Get(ctx, addr, fmt.Sprintf("%#v", q), c.ListEvery, func(ctx context.Context) (Listing, error) {
		return c.fetchList(ctx, addr, q)
	})
	l.Servers = slices.Clone(l.Servers)
	return l, err
}

func (c *Client) fetchList(ctx context.Context, addr string, q ListQuery) (Listing, error) {
	start := time.Now()
	conn, err := c.dialMaster(ctx, addr, q, 0)
	if err != nil {
		return Listing{}, err
	}
	defer conn.close()
	var servers []sb2.Server
	partial := true
	err = conn.follow(false, func(change Change) bool {
		partial = change.List == nil
		if partial {
			servers = append(servers, change.Server)
		}
		return len(servers) < maxListed && conn.received < maxListedSize
	})
	var malformed *lobbywire.Error
	if err != nil && (len(servers) == 0 || errors.As(err, &malformed)) {
		return Listing{}, err
	}
	l, err := conn.listing()
	l.Servers, l.Partial, l.RTT = servers, partial, time.Since(start)
	return l, err
}
