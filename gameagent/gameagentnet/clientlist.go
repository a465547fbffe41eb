package gameagentnet

import (
	"context"
	"errors"
	"net/netip"
	"slices"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/gameagent/internal/exchange"
	"github.com/lobbywire/lobbywire/internal/scan"
)

// List fetches the servers of the GameAgent master at addr, host:port. The answer consists
// of any number of datagrams without an end mark, so it is complete when no datagram has
// arrived for Client.Silence. An empty list is not an error.
//
// List queries a master at most every Client.ListEvery, with a random back-off of
// up to 75 s after failures. Until then, calls return the last result or error.
// Concurrent calls share one request, which ends if the contexts of all of them
// end; the next call may then have to wait for ListEvery. Each caller gets its own
// copy of the slice.
func (c *Client) List(ctx context.Context, addr string) (Listing, error) {
	l, err := c.lists.Get(ctx, addr, "", c.ListEvery, func(ctx context.Context) (Listing, error) {
		return c.fetch(ctx, addr)
	})
	l.Queries = slices.Clone(l.Queries)
	return l, err
}

func (c *Client) fetch(ctx context.Context, addr string) (Listing, error) {
	s := scanner(c, newListExchange, gameagent.MaxPacket)
	r, err := s.Ask(ctx, addr)
	l := Listing{MasterIP: r.Target.Addr(), RTT: r.RTT}
	e, ok := r.Exchange.(*exchange.Exchange[*listParts])
	if !ok || err != nil {
		return l, err
	}
	list, err := e.Message.ServerList()
	if err != nil {
		return l, err
	}
	l.Queries = make([]netip.AddrPort, 0, len(list.Servers))
	for _, game := range list.Servers {
		if query, err := gameagent.QueryAddr(game); err == nil {
			l.Queries = append(l.Queries, query)
		} else {
			l.Skipped++
		}
	}
	l.Partial = e.Message.full || r.RTT+s.Settle > s.Timeout
	return l, nil
}

// listParts are the datagrams of a list.
type listParts struct {
	gameagent.ListAssembler
	full bool
}

func newListExchange(gameagent.Options) *exchange.Exchange[*listParts] {
	e := &exchange.Exchange[*listParts]{Sends: gameagent.ListRequest{}, Message: new(listParts)}
	e.Hear = func(b []byte) (scan.Verdict, error) {
		_, err := e.Message.Add(b)
		switch {
		case errors.Is(err, lobbywire.ErrTooLarge):
			e.Message.full = true
			return scan.Done, nil
		case err != nil:
			return scan.Stray, err
		}
		return scan.Maybe, nil
	}
	return e
}
