package gameagentnet

import (
	"context"
	"errors"
	"slices"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/internal/scan"
)

// List fetches the servers of the native master at addr, host:port. The answer is
// any number of datagrams without an end mark, so it is complete when no datagram
// has arrived for Client.Silence. An empty list is not an error.
//
// List queries a master at most every Client.ListEvery, with a random back-off of
// up to 75 s after failures. Until then, calls return the last result or error.
// Concurrent calls share one request, which ends if the contexts of all of them
// end; the next call may then have to wait for ListEvery. Each caller gets its own
// copy of the slice.
func (c *Client) List(ctx context.Context, addr string) (Listing, error) {
	return c.listOnce(ctx, addr, "", func(ctx context.Context) (Listing, error) { return c.fetch(ctx, addr) })
}

// listOnce returns the result of fetch, or a recent one for the same list of the
// master at addr.
func (c *Client) listOnce(
	ctx context.Context, addr, list string, fetch func(context.Context) (Listing, error),
) (Listing, error) {
	listing, err := c.lists.Get(ctx, addr, list, c.ListEvery, fetch)
	listing.Servers = slices.Clone(listing.Servers)
	return listing, err
}

func (c *Client) fetch(ctx context.Context, addr string) (Listing, error) {
	s := scanner(c, newListExchange, gameagent.MaxPacket)
	r, err := s.Ask(ctx, addr)
	l := Listing{MasterIP: r.Target.Addr(), RTT: r.RTT, Attempts: r.Attempts}
	e, ok := r.Exchange.(*exchange[*listParts])
	if !ok {
		return l, err
	}
	if err != nil {
		return l, err
	}
	list, err := e.message.ServerList()
	if err != nil {
		return l, err
	}
	l.Servers = list.Servers
	l.Partial = e.message.full || r.RTT+s.Settle > s.Timeout
	return l, nil
}

// listParts are the datagrams of a list.
type listParts struct {
	gameagent.ListAssembler
	full bool
}

func newListExchange(decodeText) *exchange[*listParts] {
	e := &exchange[*listParts]{request: gameagent.ListRequest{}, message: new(listParts)}
	e.receive = func(b []byte) (scan.Verdict, error) {
		_, err := e.message.Add(b)
		switch {
		case errors.Is(err, lobbywire.ErrTooLarge):
			e.message.full = true
			return scan.Done, nil
		case err != nil:
			return scan.Stray, err
		}
		return scan.Maybe, nil
	}
	return e
}
