package main

import (
	"errors"
	"slices"

	"github.com/coreos/go-systemd/v22/daemon"
)

// reload reads the configuration again and applies the settings with the tag reload. The
// log names other changed settings, which need a restart.
func (d *lobbyd) reload() error {
	d.reloading.Lock()
	defer d.reloading.Unlock()
	if d.lists.masters == nil {
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
	if err := d.lists.masters.setMOTD(c.Warzone.MOTD); err != nil {
		return err
	}
	d.level.Set(c.Log)
	d.lists.masters.configure(c)
	c.Web.setLimits(d.fronts.public)
	c.Web.setLimits(d.fronts.operators)
	d.fronts.conns.Set(c.Web.http())
	d.rules.judge.SetTexts(c.texts())
	d.rules.setFile(c.Bans)
	d.rules.enforce()
	if keys := d.config.waiting(c); len(keys) > 0 {
		d.log.Warn("some of what has changed takes effect at a restart", "settings", keys)
	}
	d.log.Info("reloaded")
	return nil
}

// runs reports whether a server runs.
func (d *lobbyd) runs(name string, _ address) bool {
	for _, s := range slices.Concat(d.fronts.servers, d.lists.servers) {
		if s.name == name {
			return len(s.sockets) > 0
		}
	}
	return false
}
