package gamespy2net

import (
	"context"
	"errors"
	"iter"
	"net/netip"
	"os"
	"time"

	"github.com/lobbywire/lobbywire/gamespy2"
	"github.com/lobbywire/lobbywire/internal/udp"
)

// Discover finds servers on the local network, as games do: it sends an echo
// request to all targets, which are broadcast addresses with the query port of a
// game, such as 255.255.255.255:29900, and yields each address from which a datagram
// arrives within Timeout, once. It ends early if ctx is done or no socket can be opened;
// the last pair then has that error and no address.
func (c *Client) Discover(ctx context.Context, targets ...netip.AddrPort) iter.Seq2[netip.AddrPort, error] {
	return func(yield func(netip.AddrPort, error) bool) {
		if err := c.discover(ctx, targets, func(from netip.AddrPort) bool { return yield(from, nil) }); err != nil {
			yield(netip.AddrPort{}, err)
		}
	}
}

const maxFound = 1 << 16 // addresses that one Discover yields

// discover returns nil after the timeout, or when found returns false.
func (c *Client) discover(ctx context.Context, targets []netip.AddrPort, found func(netip.AddrPort) bool) error {
	s := c.scanner()
	pc, err := s.Listen(ctx)
	if err != nil {
		return err
	}
	defer pc.Close()
	request := gamespy2.Request{Type: gamespy2.TypeEcho, Data: gamespy2.MakeEchoData([]byte{0})}
	echo, _ := request.MarshalBinary() // cannot fail
	conn := udp.NewConn(pc, maxDatagram)
	sent := 0
	for _, to := range targets {
		n, _ := conn.Send(to, echo)
		sent += n
	}
	n, _ := conn.Flush()
	if sent += n; sent == 0 && len(targets) > 0 {
		return errors.New("gamespy2net: cannot send to any of the addresses")
	}
	if err := pc.SetReadDeadline(time.Now().Add(s.Timeout)); err != nil {
		return err
	}
	stop := context.AfterFunc(ctx, func() { pc.SetReadDeadline(time.Unix(1, 0)) })
	defer stop()
	seen := make(map[netip.AddrPort]bool)
	for len(seen) < maxFound {
		n, err := conn.Read()
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case errors.Is(err, os.ErrDeadlineExceeded):
			return nil
		case err != nil:
			return err
		}
		for i := range n {
			from, _, _ := conn.Packet(i)
			if !seen[from] && !found(from) {
				return nil
			}
			seen[from] = true
		}
	}
	return nil
}
