package gameagentnet

import (
	"context"
	"errors"
	"iter"
	"net/netip"
	"slices"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/internal/scan"
)

// A Listing is a master's list.
type Listing struct {
	// Servers are addresses of games, each once, in the order of the wire:
	// queries go to the port above, see [gameagent.QueryAddr]. The port is as it
	// was sent, and may be one that has no port above.
	Servers []netip.AddrPort

	// Partial reports that the list may have more servers: the time ran out, or
	// there were more than gameagent.MaxServers. A lost datagram goes unnoticed.
	Partial bool

	RTT      time.Duration // from the request to the last datagram
	Attempts int
}

// List fetches the servers of the native master at addr, host:port. The answer is
// any number of datagrams without an end mark: it is complete when none has
// arrived for Client.Silence. An empty list is not an error.
//
// A master is queried at most every Client.ListEvery, with a random back-off of up
// to 75 s after failures. Until then, calls return the last outcome, also an error;
// concurrent calls share one request. If the contexts of all of them end, so does
// the request, and the next call may have to wait for ListEvery to pass. The slice
// is the caller's own.
func (c *Client) List(ctx context.Context, addr string) (Listing, error) {
	return c.listOnce(ctx, addr, "", func(ctx context.Context) (Listing, error) { return c.fetch(ctx, addr) })
}

// listOnce returns the outcome of fetch, or the last one for the same list of the
// master at addr if it is recent.
func (c *Client) listOnce(ctx context.Context, addr, list string, fetch func(context.Context) (Listing, error)) (Listing, error) {
	listing, err := c.lists.Get(ctx, addr, list, c.ListEvery, fetch)
	listing.Servers = slices.Clone(listing.Servers)
	return listing, err
}

func (c *Client) fetch(ctx context.Context, addr string) (Listing, error) {
	s := c.scanner(func() exchange { return new(listExchange) }, gameagent.MaxPacket)
	r, err := s.Ask(ctx, addr)
	l := Listing{RTT: r.RTT, Attempts: r.Attempts}
	e, ok := r.Exchange.(*listExchange)
	if !ok {
		return l, err
	}
	if err != nil {
		return l, because(err, e)
	}
	list, err := e.packets.ServerList()
	if err != nil {
		return l, err
	}
	l.Servers = list.Servers
	l.Partial = e.full || r.RTT+s.Settle > s.Timeout
	return l, nil
}

type listExchange struct {
	refusal
	packets gameagent.ListAssembler
	full    bool
}

func (e *listExchange) Request(dst []byte) []byte {
	dst, _ = gameagent.ListRequest{}.AppendBinary(dst)
	return dst
}

func (e *listExchange) Receive(b []byte) scan.Verdict {
	_, err := e.packets.Add(b)
	switch {
	case errors.Is(err, lobbywire.ErrTooLarge):
		e.full = true
		return scan.Done
	case err != nil:
		return e.stray(err)
	}
	return scan.Maybe
}

// Browse fetches the list of the master at addr as List does and queries every
// server on it as Scan does, at the port above that of the game. It yields results
// with the addresses of games. If the list cannot be fetched, or ctx is done, the
// last result has that error and no address. A server whose port has no port above
// yields an error.
func (c *Client) Browse(ctx context.Context, addr string) iter.Seq2[netip.AddrPort, Result[gameagent.Status]] {
	return func(yield func(netip.AddrPort, Result[gameagent.Status]) bool) {
		l, err := c.List(ctx, addr)
		if err != nil {
			yield(netip.AddrPort{}, Result[gameagent.Status]{Err: err})
			return
		}
		targets := make([]netip.AddrPort, 0, len(l.Servers))
		for _, game := range l.Servers {
			target, err := gameagent.QueryAddr(game)
			if err == nil {
				targets = append(targets, target)
			} else if !yield(game, Result[gameagent.Status]{Err: err}) {
				return
			}
		}
		for target, r := range c.Scan(ctx, slices.Values(targets)) {
			game := target
			if target.IsValid() {
				game = gameagent.GameAddr(target)
			}
			if !yield(game, r) {
				return
			}
		}
	}
}
