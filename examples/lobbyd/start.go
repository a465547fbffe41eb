package main

import (
	"cmp"
	"context"
	"fmt"
	"net"
	"net/http"
	"net/netip"

	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/catalogue"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/certificate"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/data"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/fdstore"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/health"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/metrics"
)

// start opens and serves all sockets. Call stop afterwards, even on error. The state
// of lobbyd can be queried while it starts.
func (d *lobbyd) start(ctx context.Context) error {
	if err := d.openData(ctx); err != nil {
		return err
	}
	d.loadBans()
	d.judge.SetTexts(d.config.texts())
	d.enforce()
	c, err := d.withSecrets()
	if err != nil {
		return err
	}
	d.kept, err = fdstore.Open(d.log)
	if err != nil {
		return err
	}
	kept := d.takeKept()
	d.registry = metrics.NewRegistry()
	d.fronts = d.newFronts()
	if err := d.open(ctx, d.fronts); err != nil {
		return err
	}
	d.serve(d.fronts)
	if err := d.join(ctx); err != nil {
		return err
	}
	d.joinBans()
	d.reloading.Lock()
	d.masters = newMasters(c, d.shared(), &d.judge, d.log)
	d.reloading.Unlock()
	d.masters.report(&d.refusals)
	d.certificates, err = certificate.New(certificate.Source(d.config.Warzone.TLS), d.log)
	if err != nil {
		return fmt.Errorf("certificate of -warzone-http: %w", err)
	}
	d.listing = d.masters.servers(d.config, d.certificates, d.public, d.log, d.misplaced(http.NotFoundHandler()))
	if err := d.open(ctx, d.listing); err != nil {
		return err
	}
	for name := range d.inherited {
		return fmt.Errorf("inherited socket %q: there is no such server; see FileDescriptorName in README.md", name)
	}
	if err := d.registry.Register(metrics.Collector{Counts: d.counts}); err != nil {
		return err
	}
	d.awaitFirstCopy(ctx)
	if err := d.masters.http.Start(); err != nil { // restores the games of all Warzone lobbies
		return err
	}
	d.keepConns()
	d.resume(kept)
	d.watch()
	d.serve(d.listing)
	d.certificates.Start(ctx)
	d.http.open(d.masters.http)
	return nil
}

// open opens the sockets of servers.
func (d *lobbyd) open(ctx context.Context, servers []*server) error {
	for _, s := range servers {
		err := s.open(ctx, d.inherited[s.name])
		switch {
		case err != nil && s.optional:
			d.log.Warn("not listening", "server", s.name, "error", err)
		case err != nil:
			return err
		}
		delete(d.inherited, s.name)
		for i := range s.sockets {
			at := &s.sockets[i]
			if err := at.guard(&d.gate); err != nil {
				d.log.Warn("not all bans hold for datagrams", "server", s.name, "error", err)
			}
			d.log.Info("listening", "server", s.name, "network", at.addr().Network(), "address", at.addr().String())
		}
	}
	return nil
}

// serve serves all sockets of servers.
func (d *lobbyd) serve(servers []*server) {
	for _, s := range servers {
		for _, at := range s.sockets {
			d.serving.Go(func() {
				err := s.serve(at)
				if d.ready.get() == stopping {
					return
				}
				select {
				case d.failed <- fmt.Errorf("%s: %w", s.name, err):
				default: // one error is enough
				}
			})
		}
	}
}

// watch fills the catalogue from the masters until unwatch is called.
func (d *lobbyd) watch() {
	ctx, cancel := context.WithCancel(context.Background())
	d.unwatch = cancel
	w := &health.Watcher{
		Catalogue: &d.catalogue,
		Judge:     &d.judge,
		Public:    d.config.public(),
		GameAgent: d.masters.gameagent,
		GameSpy:   d.masters.gamespy,
		Bomberman: d.masters.bomberman,
		Warzone:   d.masters.games,
		Filled:    func() { close(d.filled) },
	}
	w.IsPublic, w.OnLocal = d.isOnInternet(), d.warnLocal
	if d.lists == nil {
		close(d.checked)
	} else {
		w.Saved, w.Restored = d.lists, func() { close(d.checked) }
		if d.config.Warzone.NoVerify {
			w.Saved = unverified{d.lists}
		}
	}
	if node := d.node.Load(); node != nil {
		w.Node, w.Origin = node.Node(), node.Origin
	}
	d.serving.Go(func() { w.Run(ctx) })
	d.serving.Go(func() { d.keepHistory(ctx.Done()) })
}

// isOnInternet reports whether a master listens at a public address of this machine.
func (d *lobbyd) isOnInternet() bool {
	var sockets, own []netip.Addr
	for _, s := range d.listing {
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
func (d *lobbyd) warnLocal(e catalogue.Entry) {
	d.warnings.Warn("players elsewhere cannot use a listed address: -map lists another in its place", "local",
		e.At.Addr(), "id", e.ID, "address", cmp.Or(e.Address, e.At.String()))
}

// unverified are saved lists whose restored Warzone games need not answer, as new ones need
// not.
type unverified struct{ *data.Lists }

func (u unverified) Silent(f catalogue.Family, key string) {
	if f != catalogue.Warzone {
		u.Lists.Silent(f, key)
	}
}
