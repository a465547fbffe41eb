package gameagentnet

import (
	"cmp"
	"context"
	"iter"
	"net/netip"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1"
	"github.com/lobbywire/lobbywire/internal/scan"
)

// ScanViews is [Client.Scan], [Client.FullScan] if Client.ViewPlayers is set, or
// [Client.LegacyScan] if Client.Legacy is set, with results in the same form for all
// protocols; see [lobbywire.Scanner].
func (c *Client) ScanViews(ctx context.Context, targets iter.Seq[netip.AddrPort]) iter.Seq[lobbywire.ScanResult] {
	switch {
	case c.Legacy:
		return viewsOf(c.LegacyScan(ctx, targets), formLegacy)
	case c.ViewPlayers:
		return viewsOf(c.FullScan(ctx, targets), "")
	}
	return viewsOf(c.Scan(ctx, targets), "")
}

// formLegacy is the Form of results in the legacy form.
const formLegacy = "legacy"

func viewsOf[M interface{ View() lobbywire.View }](
	results iter.Seq2[netip.AddrPort, Result[M]], form string,
) iter.Seq[lobbywire.ScanResult] {
	return scan.Views(results, func(addr netip.AddrPort, r Result[M]) lobbywire.ScanResult {
		v := lobbywire.ScanResult{
			Protocol: "gameagent", Form: form, RTT: r.RTT, Attempts: r.Attempts, Err: r.Err,
		}
		if r.Err == nil {
			v.View, v.Answer, v.Partial = r.Message.View(), r.Message, r.Partial
			if v.View.Port == 0 {
				v.View.Port = GamePort(r.Message, addr)
			}
		}
		return v
	})
}

// GamePort returns the port of the game whose server at a query address has sent m, for
// answers that do not contain it. In the native form it is one below; for a
// [gamespy1.Status] see [gamespy1.GamePort].
func GamePort(m any, query netip.AddrPort) uint16 {
	if status, ok := m.(gamespy1.Status); ok {
		return gamespy1.GamePort(status.GameName, query.Port())
	}
	return gameagent.GameAddr(query).Port()
}

// ListViews is [Client.List], or [Client.LegacyList] if Client.Legacy is set, with a result
// in the same form for all protocols; see [lobbywire.Lister]. Each Entry is a
// [netip.AddrPort] of Listing.Servers.
func (c *Client) ListViews(ctx context.Context, addr string) lobbywire.ListResult {
	r := lobbywire.ListResult{Protocol: "gameagent", Master: addr}
	var l Listing
	legacyGame := cmp.Or(c.LegacyGame, "serioussamse")
	if c.Legacy {
		r.Form = formLegacy
		l, r.Err = c.LegacyList(ctx, addr, legacyGame)
	} else {
		l, r.Err = c.List(ctx, addr)
	}
	r.Servers = make([]lobbywire.Listed, len(l.Servers))
	for i, v := range l.Views() {
		game := l.Servers[i]
		query, _ := gameagent.QueryAddr(game) // the zero value if the game has the last port
		if c.Legacy {
			v.Port = gamespy1.GamePort(legacyGame, query.Port())
		}
		r.Servers[i] = lobbywire.Listed{Query: query, View: v, Entry: game}
	}
	r.MasterIP, r.Skipped, r.Partial, r.RTT = l.MasterIP, l.Skipped, l.Partial, l.RTT
	return r
}
