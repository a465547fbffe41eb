package warzonenet

import (
	"context"

	"github.com/lobbywire/lobbywire"
)

// ListViews is [Client.List] with a result in the same form for all protocols; see
// [lobbywire.Lister]. Each Entry is a [warzone.Game].
func (c *Client) ListViews(ctx context.Context, addr string) lobbywire.ListResult {
	l, err := c.List(ctx, addr)
	r := lobbywire.ListResult{Protocol: "warzone", Master: addr, Skipped: l.Skipped, Partial: l.Partial,
		RTT: l.RTT, Err: err}
	for _, g := range l.Games {
		r.Servers = append(r.Servers, lobbywire.Listed{View: g.View(), Entry: g})
	}
	return r
}
