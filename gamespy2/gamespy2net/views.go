package gamespy2net

import (
	"context"
	"iter"
	"net/netip"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/scan"
)

// ScanViews is [Client.Scan] with results in the same form for all protocols; see
// [lobbywire.Scanner].
func (c *Client) ScanViews(ctx context.Context, targets iter.Seq[netip.AddrPort]) iter.Seq[lobbywire.ScanResult] {
	return scan.Views(c.Scan(ctx, targets), func(_ netip.AddrPort, r Result) lobbywire.ScanResult {
		v := lobbywire.ScanResult{Protocol: "gamespy2", RTT: r.RTT, Attempts: r.Attempts, Err: r.Err}
		if r.Err == nil {
			v.View, v.Answer, v.Partial = r.View(), r.Response, r.Partial
		}
		return v
	})
}
