package gameagentnet

import (
	"context"
	"iter"
	"net/netip"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/internal/scan"
)

// ScanViews is [Client.Scan], [Client.FullScan] if Client.ViewPlayers is set, or
// [Client.LegacyScan] if Client.Legacy is set, with results in the same form for all
// protocols; see [lobbywire.Scanner].
func (c *Client) ScanViews(ctx context.Context, targets iter.Seq[netip.AddrPort]) iter.Seq[lobbywire.ScanResult] {
	switch {
	case c.Legacy:
		return viewsOf(c.LegacyScan(ctx, targets))
	case c.ViewPlayers:
		return viewsOf(c.FullScan(ctx, targets))
	}
	return viewsOf(c.Scan(ctx, targets))
}

func viewsOf[M interface{ View() lobbywire.View }](
	results iter.Seq2[netip.AddrPort, Result[M]],
) iter.Seq[lobbywire.ScanResult] {
	return scan.Views(results, func(addr netip.AddrPort, r Result[M]) lobbywire.ScanResult {
		v := lobbywire.ScanResult{Protocol: "gameagent", RTT: r.RTT, Attempts: r.Attempts, Err: r.Err}
		if r.Err == nil {
			v.View, v.Answer, v.Partial = r.Message.View(), r.Message, r.Partial
			if v.View.Port == 0 {
				v.View.Port = gameagent.GameAddr(addr).Port()
			}
		}
		return v
	})
}
