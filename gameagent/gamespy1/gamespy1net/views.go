package gamespy1net

import (
	"context"
	"iter"
	"net/netip"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1"
	"github.com/lobbywire/lobbywire/internal/scan"
)

// In results of the common form, this protocol is the older form of gameagent: servers of
// Serious Sam may answer in either, and a [lobbywire.Browser] merges the answers of a
// server.
const (
	family = "gameagent"
	form   = "legacy"
)

// ScanViews is [Client.Scan] with results in the same form for all protocols; see
// [lobbywire.Scanner]. Their Protocol is "gameagent", and their Form "legacy".
func (c *Client) ScanViews(ctx context.Context, targets iter.Seq[netip.AddrPort]) iter.Seq[lobbywire.ScanResult] {
	return scan.Views(c.Scan(ctx, targets), func(query netip.AddrPort, r Result) lobbywire.ScanResult {
		v := lobbywire.ScanResult{Protocol: family, Form: form, RTT: r.RTT, Attempts: r.Attempts, Err: r.Err}
		if r.Err == nil {
			v.View, v.Answer, v.Partial = r.Message.View(), r.Message, r.Partial
			if v.View.Port == 0 {
				v.View.Port = gamespy1.GamePort(r.Message.GameName, query.Port())
			}
		}
		return v
	})
}

// ListViews is [Client.List] with a result in the same form for all protocols; see
// [lobbywire.Lister]. Each Entry is a [netip.AddrPort] of Listing.Queries. The result has the
// Protocol and the Form of ScanViews.
func (c *Client) ListViews(ctx context.Context, addr string) lobbywire.ListResult {
	l, err := c.List(ctx, addr)
	return lobbywire.ListResult{
		Protocol: family, Form: form, Master: addr, MasterIP: l.MasterIP, Servers: l.listed(),
		Skipped: l.Skipped, Partial: l.Partial, RTT: l.RTT, Err: err,
	}
}
