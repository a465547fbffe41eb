package gameagentnet

import (
	"context"
	"iter"
	"net/netip"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/internal/scan"
)

// ScanViews is [Client.Scan], or [Client.FullScan] if Client.ViewPlayers is set, with results
// in the same form for all protocols; see [lobbywire.Scanner].
func (c *Client) ScanViews(ctx context.Context, targets iter.Seq[netip.AddrPort]) iter.Seq[lobbywire.ScanResult] {
	if c.ViewPlayers {
		return viewsOf(c.FullScan(ctx, targets))
	}
	return viewsOf(c.Scan(ctx, targets))
}

func viewsOf[M interface{ View() lobbywire.View }](
	results iter.Seq2[netip.AddrPort, Result[M]],
) iter.Seq[lobbywire.ScanResult] {
	return scan.Views(results, func(query netip.AddrPort, r Result[M]) lobbywire.ScanResult {
		v := lobbywire.ScanResult{Protocol: "gameagent", RTT: r.RTT, Attempts: r.Attempts, Err: r.Err}
		if r.Err == nil {
			v.View, v.Answer, v.Partial = r.Message.View(), r.Message, r.Partial
			if v.View.Port == 0 {
				v.View.Port = gameagent.GameAddr(query).Port()
			}
		}
		return v
	})
}

// ListViews is [Client.List] with a result in the same form for all protocols; see
// [lobbywire.Lister]. Each Entry is the [netip.AddrPort] of a game.
func (c *Client) ListViews(ctx context.Context, addr string) lobbywire.ListResult {
	l, err := c.List(ctx, addr)
	return lobbywire.ListResult{
		Protocol: "gameagent", Master: addr, MasterIP: l.MasterIP, Servers: l.listed(),
		Skipped: l.Skipped, Partial: l.Partial, RTT: l.RTT, Err: err,
	}
}
