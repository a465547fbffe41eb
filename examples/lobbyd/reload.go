package main

import (
	"errors"
	"slices"
	"time"

	"github.com/coreos/go-systemd/v22/daemon"
)

// reload reads the configuration again and applies the settings with the tag reload. The
// log names the others that have changed, which need a restart.
func (d *lobbyd) reload() error {
	d.reloading.Lock()
	defer d.reloading.Unlock()
	if d.masters == nil {
		return errors.New("lobbyd is still starting")
	}
	notify(d.log, daemon.SdNotifyReloading+"\n"+daemon.SdNotifyMonotonicUsec())
	defer notify(d.log, daemon.SdNotifyReady)
	c, err := d.again()
	if err != nil {
		return err
	}
	if err := c.checkWorkable(d.runs); err != nil {
		return err
	}
	if err := d.masters.setMOTD(c.Warzone.MOTD); err != nil {
		return err
	}
	d.level.Set(c.Log)
	d.masters.configure(c)
	c.Web.limitDoor(d.public)
	c.Web.limitDoor(d.operators)
	d.conns.Set(c.Web.http())
	d.judge.SetTexts(c.texts())
	d.rules.setFile(c.Bans)
	d.enforce()
	if keys := d.config.waiting(c); len(keys) > 0 {
		d.log.Warn("some of what has changed takes effect at a restart", "settings", keys)
	}
	d.log.Info("reloaded")
	return nil
}

// runs reports whether a server runs.
func (d *lobbyd) runs(name string, _ address) bool {
	for _, s := range slices.Concat(d.fronts, d.listing) {
		if s.name == name {
			return len(s.sockets) > 0
		}
	}
	return false
}

// enforce applies the rules. The watcher applies them to listed servers when it next
// looks. After several concurrent calls, all rules are in force.
func (d *lobbyd) enforce() {
	d.enforcing.Lock()
	defer d.enforcing.Unlock()
	bans := d.rules.all()
	d.judge.SetRules(bans.forJudge())
	if err := d.gate.Set(bans.Prefixes); err != nil {
		d.log.Warn("not all bans hold for datagrams", "error", err)
	}
	if d.nextEnd != nil {
		d.nextEnd.Stop()
		d.nextEnd = nil
	}
	if !bans.next.IsZero() {
		d.nextEnd = time.AfterFunc(time.Until(bans.next), d.enforce)
	}
}
