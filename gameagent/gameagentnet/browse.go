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

// List asks the native master at addr, host:port, for its servers. The answer
// is as many datagrams as it takes, and nothing tells the last: what has come
// when none has for Client.Silence is the list. An empty list is no error.
//
// A master is asked again only after Client.ListEvery. After a failure that is
// longer or shorter by up to a quarter at random, and twice as long with each
// further failure, up to 60 s. Before, and for all who ask at the same time, there
// is one outcome, the failure if it was one. If nobody waits for it any longer,
// the master's answer is not awaited either; who asks next may have to wait for
// ListEvery to pass. The slice is each caller's own.
func (c *Client) List(ctx context.Context, addr string) (Listing, error) {
	return c.listOnce(ctx, addr, func(ctx context.Context) (Listing, error) { return c.fetch(ctx, addr) })
}

// listOnce returns what fetch returns, or returned a short while ago under the
// same key.
func (c *Client) listOnce(ctx context.Context, key string, fetch func(context.Context) (Listing, error)) (Listing, error) {
	listing, err := c.lists.Get(ctx, key, c.ListEvery, fetch)
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

// Browse gets the list of the master at addr as List does and asks every server
// on it, at the port above that of its game, as Scan does. Results come with the
// addresses of games. If the list cannot be had, or ctx is done, the last result
// tells and has no address. A server whose port has none above is an error of
// its own.
func (c *Client) Browse(ctx context.Context, addr string) iter.Seq2[netip.AddrPort, Result] {
	return func(yield func(netip.AddrPort, Result) bool) {
		l, err := c.List(ctx, addr)
		if err != nil {
			yield(netip.AddrPort{}, Result{Err: err})
			return
		}
		targets := make([]netip.AddrPort, 0, len(l.Servers))
		for _, game := range l.Servers {
			target, err := gameagent.QueryAddr(game)
			if err == nil {
				targets = append(targets, target)
			} else if !yield(game, Result{Err: err}) {
				return
			}
		}
		for target, r := range c.Scan(ctx, slices.Values(targets)) {
			game := target
			if target.IsValid() {
				game = netip.AddrPortFrom(target.Addr(), target.Port()-1)
			}
			if !yield(game, r) {
				return
			}
		}
	}
}
