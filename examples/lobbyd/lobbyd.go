package main

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/coreos/go-systemd/v22/daemon"
	"github.com/prometheus/client_golang/prometheus"

	"github.com/lobbywire/lobbywire/examples/internal/admission"
	"github.com/lobbywire/lobbywire/examples/internal/warnings"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/ban"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/catalogue"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/certificate"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/cluster"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/data"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/fdstore"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/health"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/refusals"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/roster"
)

// A lobbyd is the whole program.
type lobbyd struct {
	config  config
	again   func() (config, error) // reads the configuration again
	log     *slog.Logger
	started time.Time
	level   slog.LevelVar

	gate      ban.Gate
	public    *admission.Door // of the page, the API and the HTTP lobby
	operators *admission.Door // of the metrics and the admin actions
	conns     admission.Conns // of all servers over HTTP but the separate HTTP lobby
	judge     health.Judge
	rules     rules
	warnings  warnings.Log
	refusals  refusals.Book
	ready     readiness
	registry  *prometheus.Registry
	masters   *masters                        // nil until they are started
	node      atomic.Pointer[cluster.Cluster] // nil until it is started, and without a cluster
	data      *data.Dir                       // nil without a data directory
	lists     *data.Lists                     // nil without a data directory
	filled    chan struct{}                   // closed when the catalogue has the first lists
	checked   chan struct{}                   // closed when restored servers have been checked
	kept      *fdstore.Store                  // of connections; nil without systemd
	catalogue catalogue.Catalogue
	roster    roster.Asker

	certificates *certificate.Keeper // of -warzone-http; nil without TLS
	unwatch      func()              // stops the watcher
	unkeep       func()              // ends kept

	inherited map[string][]*os.File
	http      httpMount // of the HTTP lobby, at the port of the page
	fronts    []*server // servers of the page, the API and the admin actions
	listing   []*server // servers of the masters
	serving   sync.WaitGroup
	failed    chan error // errors of servers that stop by themselves
	reloading sync.Mutex
	enforcing sync.Mutex
	nextEnd   *time.Timer // enforces the rules when a ban ends; guarded by enforcing
}

// run runs everything until ctx is done or a server fails.
func (d *lobbyd) run(ctx context.Context, reload <-chan os.Signal) error {
	// Servers with inherited sockets run, whatever their address is.
	runs := func(name string, at address) bool { return !at.off() || len(d.inherited[name]) > 0 }
	if err := d.config.checkWorkable(runs); err != nil {
		return err
	}
	err := d.start(ctx)
	if err == nil {
		if err = d.wait(ctx, reload); err == nil {
			d.drain()
		}
	}
	if ctx.Err() != nil {
		err = nil // a consequence of the interrupt
	}
	d.stop(err)
	return err
}

// wait returns when ctx is done or a server fails.
func (d *lobbyd) wait(ctx context.Context, reload <-chan os.Signal) error {
	checked := d.checked
	enough := time.NewTimer(longestCheck)
	defer enough.Stop()
	if !isClosed(d.whole()) {
		d.log.Warn("the lists of other nodes have not arrived; serving without them")
	}
	if isClosed(checked) {
		d.becomeReady()
	}
	notify(d.log, daemon.SdNotifyReady)
	for {
		select {
		case <-checked:
			d.becomeReady()
			checked = nil
		case <-enough.C:
			d.becomeReady()
		case <-ctx.Done():
			return nil
		case err := <-d.failed:
			return err
		case <-reload:
			if err := d.reload(); err != nil {
				d.log.Error("not reloaded", "error", err)
			}
		}
	}
}

func isClosed[E any](c <-chan E) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

func (d *lobbyd) becomeReady() {
	if d.ready.move(starting, ready) {
		d.log.Info("ready")
	}
}

// drain keeps serving for a while, so that load balancers notice and send no more
// clients.
func (d *lobbyd) drain() {
	d.ready.set(stopping)
	notify(d.log, daemon.SdNotifyStopping)
	if d.config.Drain > 0 {
		d.log.Info("draining", "time", time.Duration(d.config.Drain).String())
		<-time.After(time.Duration(d.config.Drain))
	}
}

// stop stops everything, starting with the servers of lists. It is called with the error that
// made lobbyd stop, or nil.
func (d *lobbyd) stop(because error) {
	d.ready.set(stopping)
	if because != nil {
		d.log.Error("failed", "error", because)
	}
	d.log.Info("stopping", "grace", time.Duration(d.config.Grace).String())
	ctx, cancel := context.WithTimeout(context.Background(), time.Duration(d.config.Grace))
	defer cancel()
	d.freezeLists()
	d.freezeConns()
	d.unwatch()
	d.endBans()
	d.shutdown(ctx, d.listing)
	d.unkeep()
	d.leave(ctx)
	d.shutdown(ctx, d.fronts)
	d.serving.Wait()
	d.closeData()
	d.log.Info("stopped")
}

// shutdown shuts down several servers at the same time.
func (d *lobbyd) shutdown(ctx context.Context, servers []*server) {
	var ended sync.WaitGroup
	for _, s := range servers {
		ended.Go(func() {
			switch err := s.shutdown(ctx); {
			case errors.Is(err, context.DeadlineExceeded):
				d.log.Warn("connections were closed at the end of the grace period", "server", s.name)
			case err != nil:
				d.log.Warn("shutdown failed", "server", s.name, "error", err)
			}
			for _, at := range s.sockets {
				at.close() // it was never served
			}
		})
	}
	ended.Wait()
}
