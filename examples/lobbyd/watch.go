package main

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net"
	"net/netip"
	"time"

	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/catalogue"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/data"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/health"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/refusals"
	"github.com/lobbywire/lobbywire/internal/lifecycle"
)

// watch fills the catalogue from the masters until unwatch is called.
func (l *lists) watch() {
	ctx, cancel := context.WithCancel(context.Background())
	l.unwatch = cancel
	w := &health.Watcher{
		Catalogue: &l.catalogue,
		Judge:     &l.rules.judge,
		Public:    l.config.public(),
		GameAgent: l.masters.gameagent,
		GameSpy:   l.masters.gamespy,
		Bomberman: l.masters.bomberman,
		Warzone:   l.masters.games,
		Filled:    func() { close(l.filled) },
	}
	w.IsPublic, w.OnLocal = l.isOnInternet(), l.warnLocal
	w.OnLeft = func(e *catalogue.Entry, heard time.Time, why string) {
		l.refusals.Left(refusals.Departure{Entry: e, Heard: heard, Until: time.Now(), Why: why})
	}
	if l.saved == nil {
		close(l.checked)
	} else {
		w.Saved, w.Restored = l.saved, func() { close(l.checked) }
		if l.config.Warzone.NoVerify {
			w.Saved = unverified{l.saved}
		}
	}
	if node := l.node.Load(); node != nil {
		w.Node, w.Origin = node.Node(), node.Origin
	}
	l.serving.Go(func() { w.Run(ctx) })
	l.serving.Go(func() { l.keepHistory(ctx.Done()) })
	l.serving.Go(func() { l.warnCut(ctx) })
}

// isOnInternet reports whether a master listens at a public address of this machine.
func (l *lists) isOnInternet() bool {
	var sockets, own []netip.Addr
	for _, s := range l.servers {
		for _, at := range s.sockets {
			if on, err := netip.ParseAddrPort(at.addr().String()); err == nil {
				sockets = append(sockets, on.Addr())
			}
		}
	}
	all, _ := net.InterfaceAddrs() // none on error
	for _, one := range all {
		if p, err := netip.ParsePrefix(one.String()); err == nil {
			own = append(own, p.Addr())
		}
	}
	return health.IsInternet(sockets, own)
}

// warnLocal warns about a server that is listed at an address that players cannot use.
func (l *lists) warnLocal(e catalogue.Entry) {
	l.warnings.Warn("players elsewhere cannot use a listed address: -map lists another in its place", "local",
		e.At.Addr(), "id", e.ID, "address", cmp.Or(e.Address, e.At.String()))
}

// cutEvery is the time between two checks for lists that lack servers.
const cutEvery = 10 * time.Second

// warnCut warns while lists lack servers, because they have no room for all, until ctx is done.
func (l *lists) warnCut(ctx context.Context) {
	var troubles [3]lifecycle.Trouble
	tick := time.NewTicker(cutEvery)
	defer tick.Stop()
	for {
		m := l.masters
		for i, list := range [...]struct {
			family catalogue.Family
			isCut  bool
		}{
			{catalogue.GameAgent, m.gameagent.Stats().Cut},
			{catalogue.Bomberman, m.bomberman.Stats().Cut},
			{catalogue.Warzone, m.lacksGames()},
		} {
			family := slog.String("family", string(list.family))
			if list.isCut {
				troubles[i].Failed(ctx, l.log, "a list has no room for all servers", errCut, family)
			} else {
				troubles[i].Over(ctx, l.log, "the lists have all servers again", family)
			}
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}

var errCut = errors.New("clients get a part of them at a time")

// unverified are saved lists whose restored Warzone games need not answer, like new games.
type unverified struct{ *data.Lists }

func (u unverified) Silent(f catalogue.Family, key string) {
	if f != catalogue.Warzone {
		u.Lists.Silent(f, key)
	}
}
