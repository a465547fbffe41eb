package main

import (
	"context"
	"fmt"
	"net/http"

	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/certificate"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/fdstore"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/metrics"
)

// start opens and serves all sockets. Call stop afterwards, even on error. The state
// of lobbyd can be queried while it starts.
func (d *lobbyd) start(ctx context.Context) error {
	lists, fronts := d.lists, d.fronts
	if err := lists.openData(ctx); err != nil {
		return err
	}
	d.rules.load(lists.data, lists.saved)
	d.rules.judge.SetTexts(d.config.texts())
	d.rules.enforce()
	c, err := lists.withSecrets()
	if err != nil {
		return err
	}
	lists.kept, err = fdstore.Open(d.log)
	if err != nil {
		return err
	}
	kept := lists.takeKept()
	fronts.registry = metrics.NewRegistry()
	fronts.servers = fronts.newServers()
	if err := d.open(ctx, fronts.servers, &d.rules.gate); err != nil {
		return err
	}
	d.serve(fronts.servers)
	if err := lists.join(ctx); err != nil {
		return err
	}
	d.rules.join(lists.node.Load())
	d.reloading.Lock()
	lists.masters = newMasters(c, lists.shared(), &d.rules.judge, d.log)
	d.reloading.Unlock()
	lists.masters.report(&lists.refusals)
	lists.certificates, err = certificate.New(certificate.Source(d.config.Warzone.TLS), d.log)
	if err != nil {
		return fmt.Errorf("certificate of -warzone-http: %w", err)
	}
	lists.servers = lists.masters.servers(d.config, lists.certificates, fronts.public,
		fronts.misplaced(http.NotFoundHandler()))
	if err := d.open(ctx, lists.servers, &d.rules.gate); err != nil {
		return err
	}
	for name := range d.inherited {
		return fmt.Errorf("inherited socket %q: there is no such server; see FileDescriptorName in OPERATING.md", name)
	}
	if err := fronts.registry.Register(metrics.Collector{Counts: fronts.counts}); err != nil {
		return err
	}
	lists.awaitFirstCopy(ctx)
	if err := lists.masters.http.Start(); err != nil { // restores the games of all Warzone lobbies
		return err
	}
	lists.keepConns()
	lists.resume(kept)
	lists.watch()
	d.serve(lists.servers)
	lists.certificates.Start(ctx)
	fronts.http.open(lists.masters.http)
	return nil
}
