package gamespy2net

import (
	"context"
	"iter"
	"net/netip"

	"github.com/lobbywire/lobbywire/gamespy2/sb2"
)

// A Change is one step in the iteration of [Client.Subscribe].
type Change struct {
	// Addr is the address to query; see [Listing.Addrs]. It is not valid if List is
	// set.
	Addr netip.AddrPort

	// Server is a server of the list, or one that is new or has changed. It is zero if
	// Removed is set.
	Server  sb2.Server
	Removed bool

	// List is set once, when the list is complete; its Servers are nil. Changes
	// of the list follow.
	List *Listing
}

// Subscribe fetches a list as List does and yields each server as it arrives. After the
// list it yields a Change with a List and then, if push is set, the changes that the
// master pushes, until ctx is done. If the list or the connection fails, the last pair
// has the error.
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

// follow yields the list and then pushed changes. It returns nil if yield returns false,
// or after the list if push is false.
func (m *masterConn) follow(push bool, yield func(Change) bool) error {
	servers := 0
	for !m.listed {
		server, err := next(m, m.stream.NextServer)
		l, refusal := m.listing()
		change := Change{Addr: l.addr(server), Server: server}
		switch {
		case refusal != nil:
			return refusal
		case err == sb2.ErrEndOfList:
			change = Change{List: &l}
		case err != nil:
			return m.explain(err, servers)
		}
		servers++
		if !yield(change) {
			return nil
		}
	}
	l, _ := m.listing()
	for push {
		pushed, err := next(m, m.stream.NextPush)
		if err != nil {
			return err
		}
		change := Change{}
		switch pushed := pushed.(type) {
		case sb2.PushServer:
			change = Change{Addr: l.addr(pushed.Server), Server: pushed.Server}
		case sb2.DeleteServer:
			change = Change{Addr: pushed.Addr, Removed: true}
		case sb2.Keepalive:
			b, _ := pushed.MarshalBinary() // cannot fail
			if err := m.write(b); err != nil {
				return err
			}
			continue
		default:
			continue
		}
		if !yield(change) {
			return nil
		}
	}
	return nil
}
