package gamespy2net

import (
	"context"
	"errors"
	"fmt"
	"iter"
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
// The error is a [*MasterError] if the master refuses the query, and [io.ErrUnexpectedEOF]
// if it closes the connection without a list, as masters do for unknown games. If a list
// makes no sense, the error suggests that it is encrypted with another key than the
// query's.
func (c *Client) List(ctx context.Context, addr string, q ListQuery) (Listing, error) {
	l, err := c.lists.Get(ctx, addr, fmt.Sprintf("%#v", q), c.ListEvery, func(ctx context.Context) (Listing, error) {
		return c.fetchList(ctx, addr, q)
	})
	l.Servers = slices.Clone(l.Servers)
	return l, err
}

func (c *Client) fetchList(ctx context.Context, addr string, q ListQuery) (Listing, error) {
	conn, err := c.dialMaster(ctx, addr, q, 0)
	if err != nil {
		return Listing{}, err
	}
	defer conn.close()
	start := time.Now()
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
	reachesMax := q.Max > 0 && uint64(len(servers)) >= uint64(q.Max)
	l, err := conn.listing()
	l.Servers, l.Partial, l.RTT = servers, partial || reachesMax, conn.Heard().Sub(start)
	return l, err
}

// Subscribe fetches a list as List does and yields each server as it arrives. After the
// list it yields a Change with a List and then, if push is set, the changes that the master
// pushes, until ctx is done. If the list or the connection fails, the last pair contains
// the error.
//
// Each call opens a connection. Client.ListEvery does not apply, nor does the limit on
// the number of servers, because Subscribe keeps no servers. If the connection fails,
// wait before the next call.
func (c *Client) Subscribe(ctx context.Context, addr string, q ListQuery, push bool) iter.Seq2[Change, error] {
	return func(yield func(Change, error) bool) {
		var options sb2.RequestOptions
		if push {
			options = sb2.OptionPush
		}
		conn, err := c.dialMaster(ctx, addr, q, options)
		if err == nil {
			defer conn.close()
			err = conn.follow(push, func(change Change) bool { return yield(change, nil) })
		}
		if ctx.Err() != nil && err != nil {
			err = context.Cause(ctx)
		}
		if err != nil {
			yield(Change{}, err)
		}
	}
}
