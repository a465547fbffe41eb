package bombermannet

import (
	"context"

	"github.com/lobbywire/lobbywire"
)

// Views returns the game servers in the form that all protocols share.
func (l Listing) Views() []lobbywire.View {
	views := make([]lobbywire.View, len(l.Servers))
	for i, s := range l.Servers {
		views[i] = s.View()
	}
	return views
}

// ListViews is [Client.List] with a result in the same form for all protocols; see
// [lobbywire.Lister]. Each Entry is a [bomberman.Server].
func (c *Client) ListViews(ctx context.Context, addr string) lobbywire.ListResult {
	l, err := c.List(ctx, addr)
	r := lobbywire.ListResult{
		Protocol: "bomberman", Master: addr, Servers: make([]lobbywire.Listed, len(l.Servers)), Skipped: l.Skipped,
		Partial: l.Partial,
		RTT:     l.RTT, Err: err,
	}
	for i, v := range l.Views() {
		r.Servers[i] = lobbywire.Listed{View: v, Entry: l.Servers[i]}
	}
	return r
}
