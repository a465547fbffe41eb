package gamespy2net

import (
	"context"
	"iter"
	"net/netip"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gamespy2/sb2"
	"github.com/lobbywire/lobbywire/internal/scan"
)

// ScanViews is [Client.Scan] with results in the same form for all protocols; see
// [lobbywire.Scanner].
func (c *Client) ScanViews(ctx context.Context, targets iter.Seq[netip.AddrPort]) iter.Seq[lobbywire.ScanResult] {
	return scan.Views(c.Scan(ctx, targets), func(_ netip.AddrPort, r Result) lobbywire.ScanResult {
		v := lobbywire.ScanResult{Protocol: "gamespy2", RTT: r.RTT, Attempts: r.Attempts, Err: r.Err}
		if r.Err == nil {
			v.View, v.Answer, v.Partial = r.View(), r.Message, r.Partial
		}
		if r.Basic != nil {
			v.Answer = *r.Basic
		}
		return v
	})
}

// viewFields are the keys that a list needs for Views.
var viewFields = sb2.MakeFieldList(
	"hostname", "hostport", "gametype", "mapname", "gamever", "numplayers", "maxplayers", "password")

// ListViews is [Client.List] for Client.ViewQuery, with a result in the same form for all
// protocols; see [lobbywire.Lister]. Each Entry is an [sb2.Server]. Views contain the
// fields that ViewQuery requests, and the address of the server as Host.
func (c *Client) ListViews(ctx context.Context, addr string) lobbywire.ListResult {
	q := c.ViewQuery
	if q.Fields == "" {
		q.Fields, q.Options = viewFields, q.Options|sb2.OptionAllFields
	}
	l, err := c.List(ctx, addr, q)
	return lobbywire.ListResult{
		Protocol: "gamespy2", Master: addr, MasterIP: l.MasterIP, Servers: l.listed(),
		Partial: l.Partial, RTT: l.RTT, Err: err,
	}
}
