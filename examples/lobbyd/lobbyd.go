package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"time"

	"github.com/coreos/go-systemd/v22/daemon"
	"github.com/prometheus/client_golang/prometheus"

	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/ban"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/catalogue"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/health"
)

// Lobbyd is all that runs.
type lobbyd struct {
	config config
	again  func() (config, error) // reads the configuration again
	log    *slog.Logger
	level  slog.LevelVar

	gate      ban.Gate
	judge     health.Judge
	rules     rules
	ready     readiness
	registry  *prometheus.Registry
	masters   *masters // nil at first
	catalogue catalogue.Catalogue
	unwatch   func() // ends the watcher

	inherited map[string][]*os.File
	fronts    []*server // for people and their programs
	listing   []*server // those of masters
	serving   sync.WaitGroup
	failed    chan error // of servers that end by themselves
	reloading sync.Mutex
}

// start opens all sockets and serves them. What it has started ends with stop,
// also if it fails.
func (d *lobbyd) start(ctx context.Context) error {
	d.enforce()
	d.registry = newRegistry()
	d.fronts = d.newFronts()
	masters := newMasters(d.config, sharing{}, &d.judge, d.log)
	d.listing = masters.servers(d.config)
	if err := unknown(d.inherited, append(d.listing, d.fronts...)); err != nil {
		return err
	}
	for _, s := range d.fronts {
		if err := d.serve(ctx, s); err != nil {
			return err
		}
	}
	for _, s := range d.listing {
		if err := d.serve(ctx, s); err != nil {
			return err
		}
	}
	d.masters = masters
	d.watch()
	return d.registry.Register(collector{d})
}

// watch fills the catalogue with what masters list, until unwatch.
func (d *lobbyd) watch() {
	ctx, cancel := context.WithCancel(context.Background())
	d.unwatch = cancel
	w := &health.Watcher{
		Catalogue: &d.catalogue,
		Judge:     &d.judge,
		GameAgent: d.masters.gameagent,
		Bomberman: d.masters.bomberman,
		Warzone:   d.masters.games,
	}
	d.serving.Go(func() { w.Run(ctx) })
}

// serve opens the sockets of s and serves each.
func (d *lobbyd) serve(ctx context.Context, s *server) error {
	if err := s.open(ctx, d.inherited[s.name]); err != nil {
		for _, at := range s.sockets {
			at.close()
		}
		return err
	}
	for _, at := range s.sockets {
		if err := at.guard(&d.gate); err != nil {
			d.log.Warn("not all bans hold for datagrams", "server", s.name, "error", err)
		}
		d.log.Info("listening", "server", s.name, "network", at.addr().Network(), "address", at.addr().String())
		d.serving.Go(func() {
			err := s.serve(at)
			if d.ready.get() != stopping {
				d.failed <- fmt.Errorf("%s: %w", s.name, err)
			}
		})
	}
	return nil
}

// run is all of it, until ctx is done or a server fails.
func (d *lobbyd) run(ctx context.Context, reload <-chan os.Signal) error {
	err := d.start(ctx)
	if err == nil {
		d.ready.move(starting, ready)
		notify(d.log, daemon.SdNotifyReady)
		d.log.Info("ready")
		err = d.wait(ctx, reload)
	}
	if ctx.Err() != nil {
		err = nil // whatever could not be finished because of that
	}
	d.stop()
	return err
}

func (d *lobbyd) wait(ctx context.Context, reload <-chan os.Signal) error {
	for {
		select {
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

// stop ends everything, those who list first: meanwhile balancers can see that
// no more clients should come.
func (d *lobbyd) stop() {
	d.ready.set(stopping)
	notify(d.log, daemon.SdNotifyStopping)
	d.log.Info("stopping", "grace", time.Duration(d.config.Grace).String())
	ctx, cancel := context.WithTimeout(context.Background(), time.Duration(d.config.Grace))
	defer cancel()
	d.unwatch()
	d.shutdown(ctx, d.listing)
	d.shutdown(ctx, d.fronts)
	d.serving.Wait()
	d.log.Info("stopped")
}

// shutdown ends servers at the same time.
func (d *lobbyd) shutdown(ctx context.Context, servers []*server) {
	var ended sync.WaitGroup
	for _, s := range servers {
		ended.Go(func() {
			switch err := s.shutdown(ctx); {
			case errors.Is(err, context.DeadlineExceeded):
				d.log.Warn("connections were closed at the end of the grace", "server", s.name)
			case err != nil:
				d.log.Warn("ended badly", "server", s.name, "error", err)
			}
		})
	}
	ended.Wait()
}
