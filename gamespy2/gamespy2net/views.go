package gamespy2net

import (
	"context"
	"iter"
	"net/netip"

	"github.com/lobbywire/lobbywire"
)

// ScanViews is [Client.Scan] with results in the same form for all protocols; see
// [lobbywire.Scanner].
func (c *Client) ScanViews(ctx context.Context, targets iter.Seq[netip.AddrPort]) iter.Seq[lobbywire.ScanResult] {
	return func(yield func(lobbywire.ScanResult) bool) {
		for addr, r := range c.Scan(ctx, targets) {
			result := lobbywire.ScanResult{Protocol: "gamespy2", Query: addr, RTT: r.RTT, Attempts: r.Attempts, Err: r.Err}
			if r.Err == nil {
				result.View, result.Answer, result.Partial = r.View(), r.Response, r.Partial
			}
			if !yield(result) {
				return
			}
		}
	}
}
