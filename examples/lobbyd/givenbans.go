package main

import (
	"encoding/json"
	"errors"
	"time"

	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/ban"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/cluster"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/data"
)

// bansFile is the name of the file of given bans in the data directory.
const bansFile = "bans.json"

// load reads the bans that operators have given, if there is a data directory. Changes that cannot
// be saved at once are saved later, together with the changes of the lists.
func (r *rules) load(dir *data.Dir, with *data.Lists) {
	if dir == nil {
		return
	}
	path := dir.Path(bansFile)
	if kept, err := r.given.Load(path); err != nil {
		r.logUnread("the bans of operators cannot be read, and are not in force", path, kept, err)
	}
	for _, one := range r.given.All() {
		r.warnForeign(one)
	}
	r.saved = with
	with.Include(r.given.Save)
}

// warnForeign warns if this version cannot enforce a ban, and keeps it for a later one.
func (r *rules) warnForeign(one ban.Record) {
	if _, err := one.Check(); err != nil {
		r.log.Warn("a ban of a later version is kept, but not in force", "kind", one.Kind, "error", err)
	}
}

// end stops waiting for the end of bans.
func (r *rules) end() {
	r.enforcing.Lock()
	defer r.enforcing.Unlock()
	if r.nextEnd != nil {
		r.nextEnd.Stop()
	}
}

// give puts a ban or its end into force, here and on the other nodes.
func (r *rules) give(one ban.Record) error {
	one.At = time.Now().UTC()
	if old, found := r.given.Find(one.ID()); found && !one.At.After(old.At) {
		one.At = old.At.Add(1) // the clock of another node is ahead
	}
	isNew, err := r.merge(one)
	if isNew {
		r.enforce()
		r.share(one)
	}
	return err
}

// merge adds a ban to the given ones.
func (r *rules) merge(one ban.Record) (isNew bool, err error) {
	isNew, err = r.given.Merge(one)
	if errors.Is(err, ban.ErrNotSaved) {
		r.saved.Changed()
	}
	return isNew, err
}

// share sends a ban to the other nodes.
func (r *rules) share(one ban.Record) {
	node := r.node.Load()
	if node == nil {
		return // join shares it, if there is a cluster
	}
	if body, err := json.Marshal(one); err == nil {
		node.PutBan(one.ID(), body)
	}
}

// join shares the bans with the other nodes of the cluster, if there is one.
func (r *rules) join(node *cluster.Cluster) {
	if node == nil {
		return
	}
	r.node.Store(node)
	for _, one := range r.given.All() {
		r.share(one)
	}
	node.WatchBans(r.take, func(id string) {
		if one, found := r.given.Find(id); found {
			r.share(one)
		}
	})
}

// take takes over a ban of another node, unless this node has a later one, which it then
// sends.
func (r *rules) take(id string, body []byte) {
	var one ban.Record
	if json.Unmarshal(body, &one) != nil || one.ID() != id {
		return
	}
	isNew, err := r.merge(one)
	if err != nil {
		r.log.Warn("a ban of another node", "kind", one.Kind, "value", one.Value, "error", err)
	}
	if isNew {
		r.log.Info("ban of another node", "kind", one.Kind, "value", one.Value, "ended", one.Ended)
		r.warnForeign(one)
		r.enforce()
		return
	}
	if mine, found := r.given.Find(id); found && mine.At.After(one.At) {
		r.share(mine)
	}
}
