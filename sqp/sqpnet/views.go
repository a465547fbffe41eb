package sqpnet

import (
	"cmp"
	"context"
	"iter"
	"net/netip"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/sqp"
)

// ScanViews is [Client.Scan] for Client.ViewChunks, with results in the form that all
// protocols share: see [lobbywire.Scanner].
func (c *Client) ScanViews(ctx context.Context, targets iter.Seq[netip.AddrPort]) iter.Seq[lobbywire.ScanResult] {
	return func(yield func(lobbywire.ScanResult) bool) {
		for addr, r := range c.Scan(ctx, targets, cmp.Or(c.ViewChunks, sqp.ChunkServerInfo)) {
			result := lobbywire.ScanResult{Protocol: "sqp", Query: addr, RTT: r.RTT, Attempts: r.Attempts, Err: r.Err}
			if r.Err == nil {
				result.View, result.Answer, result.Partial = r.View(), r.QueryResponse, r.Missing != 0
			}
			if !yield(result) {
				return
			}
		}
	}
}
