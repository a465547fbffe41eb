package main

import (
	"errors"
	"reflect"
	"time"

	"github.com/coreos/go-systemd/v22/daemon"
)

// reload reads the configuration again and applies bans, the MOTD and the log level.
// Other changes need a restart.
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
	if err := d.masters.setMOTD(c.Warzone.MOTD); err != nil {
		return err
	}
	d.level.Set(c.Log)
	d.rules.setFile(c.Bans)
	d.enforce()
	if d.config.needsRestart(c) {
		d.log.Warn("some of what has changed takes effect at a restart")
	}
	d.log.Info("reloaded")
	return nil
}

// needsRestart reports whether other differs in anything that a reload does not
// apply.
func (c config) needsRestart(other config) bool {
	other.Log, other.Bans, other.Warzone.MOTD = c.Log, c.Bans, c.Warzone.MOTD
	return !reflect.DeepEqual(c, other)
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
