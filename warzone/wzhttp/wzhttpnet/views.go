package wzhttpnet

import (
	"context"
	"strings"

	"github.com/lobbywire/lobbywire"
)

// ListViews is [Client.List] with a result in the same form for all protocols; see
// [lobbywire.Lister]. Each Entry is a [wzhttp.Game], or a [warzone.Game] if Earlier fetched
// the list.
func (c *Client) ListViews(ctx context.Context, addr string) lobbywire.ListResult {
	if c.Earlier != nil && !strings.Contains(addr, "/") {
		return c.Earlier.ListViews(ctx, addr)
	}
	l, err := c.List(ctx, addr)
	r := lobbywire.ListResult{Protocol: "wzhttp", Master: addr, Skipped: l.Skipped, Partial: l.Partial,
		RTT: l.RTT, Err: err}
	for _, g := range l.Games {
		r.Servers = append(r.Servers, lobbywire.Listed{View: g.View(), ID: g.ID, Entry: g})
	}
	return r
}
