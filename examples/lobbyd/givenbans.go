package main

import (
	"encoding/json"
	"time"

	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/bans"
)

// bansFile is the name of the file of given bans in the data directory.
const bansFile = "bans.json"

// loadBans reads the bans that operators have given, if there is a data directory.
func (d *lobbyd) loadBans() {
	if d.data == nil {
		return
	}
	path := d.data.Path(bansFile)
	if kept, err := d.rules.given.Load(path); err != nil {
		d.logUnread("the bans of operators cannot be read, and are not in force", path, kept, err)
	}
}

// endBans stops to wait for the end of bans.
func (d *lobbyd) endBans() {
	d.enforcing.Lock()
	defer d.enforcing.Unlock()
	if d.nextEnd != nil {
		d.nextEnd.Stop()
	}
}

// giveBan puts a ban or its end into force, here and on the other nodes.
func (d *lobbyd) giveBan(r bans.Record) error {
	r.At = time.Now().UTC()
	if old, found := d.rules.given.Find(r.ID()); found && !r.At.After(old.At) {
		r.At = old.At.Add(1) // the clock of another node is ahead
	}
	isNew, err := d.rules.given.Merge(r)
	if isNew {
		d.enforce()
		d.shareBan(r)
	}
	return err
}

// shareBan sends a ban to the other nodes.
func (d *lobbyd) shareBan(r bans.Record) {
	node := d.node.Load()
	if node == nil {
		return
	}
	if body, err := json.Marshal(r); err == nil {
		node.PutBan(r.ID(), body)
	}
}

// joinBans shares the bans with the other nodes of the cluster, if there is one.
func (d *lobbyd) joinBans() {
	node := d.node.Load()
	if node == nil {
		return
	}
	for _, r := range d.rules.given.All() {
		d.shareBan(r)
	}
	node.WatchBans(d.takeBan, func(id string) {
		if r, found := d.rules.given.Find(id); found {
			d.shareBan(r)
		}
	})
}

// takeBan takes over a ban of another node, unless this node has a later one, which it
// then sends.
func (d *lobbyd) takeBan(id string, body []byte) {
	var r bans.Record
	if json.Unmarshal(body, &r) != nil || r.ID() != id {
		return
	}
	isNew, err := d.rules.given.Merge(r)
	if err != nil {
		d.log.Warn("a ban of another node", "kind", r.Kind, "value", r.Value, "error", err)
	}
	if isNew {
		d.log.Info("ban of another node", "kind", r.Kind, "value", r.Value, "ended", r.Ended)
		d.enforce()
		return
	}
	if mine, found := d.rules.given.Find(id); found && mine.At.After(r.At) {
		d.shareBan(mine)
	}
}
