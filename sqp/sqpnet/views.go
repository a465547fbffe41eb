package sqpnet

import (
	"cmp"
	"context"
	"iter"
	"net/netip"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/scan"
	"github.com/lobbywire/lobbywire/sqp"
)

// ScanViews is [Client.Scan] for Client.ViewChunks, with results in the same form for
// all protocols; see [lobbywire.Scanner].
func (c *Client) ScanViews(ctx context.Context, targets iter.Seq[netip.AddrPort]) iter.Seq[lobbywire.ScanResult] {
	results := c.Scan(ctx, targets, cmp.Or(c.ViewChunks, sqp.ChunkServerInfo))
	return scan.Views(results, func(_ netip.AddrPort, r Result) lobbywire.ScanResult {
		v := lobbywire.ScanResult{Protocol: "sqp", RTT: r.RTT, Attempts: r.Attempts, Err: r.Err}
		if r.Err == nil {
			v.View, v.Answer, v.Partial = r.Message.View(), r.Message, r.Missing != 0
		}
		return v
	})
}
