package main

import (
	"context"
	"io"
	"os"
	"sync"
	"time"

	"github.com/coreos/go-systemd/v22/daemon"
)

// A lobbyd is the whole program: its life, the rules for its lists, the lists, and the fronts
// that show them. Each part knows only the parts before it.
type lobbyd struct {
	*life
	rules  *rules
	lists  *lists
	fronts *fronts

	again     func() (config, error) // reads the configuration again
	reloading sync.Mutex
}

func newLobbyd(c config, logs io.Writer) *lobbyd {
	d := &lobbyd{life: newLife(c, logs)}
	d.rules = newRules(d.life)
	d.lists = newLists(d.life, d.rules)
	d.fronts = newFronts(d.life, d.rules, d.lists, d.reload)
	return d
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
	checked := d.lists.checked
	enough := time.NewTimer(longestCheck)
	defer enough.Stop()
	if !isClosed(d.lists.whole()) {
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
	d.lists.freeze()
	d.lists.freezeConns()
	d.lists.unwatch()
	d.rules.end()
	d.shutdown(ctx, d.lists.servers)
	d.lists.unkeep()
	d.lists.leave(ctx)
	d.shutdown(ctx, d.fronts.servers)
	d.serving.Wait()
	d.lists.closeData()
	d.log.Info("stopped")
}
