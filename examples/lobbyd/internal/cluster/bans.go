package cluster

import "time"

// bans is the family of the keys of bans.
const bans = "ban"

// banLife is how long this node repeats a ban, unless PutBan is called again.
const banLife = 365 * 24 * time.Hour

// PutBan queues a ban for writing. IDs have only letters and digits. Another node that
// writes the same ID takes it over.
func (c *Cluster) PutBan(id string, body []byte) {
	c.put(keyOf(bans, id), body, time.Now().Add(banLife))
}

// WatchBans calls put for the bans of other nodes, now and when they change, and lost for
// bans whose node is gone, so that another node writes them. Both may call PutBan.
func (c *Cluster) WatchBans(put func(id string, body []byte), lost func(id string)) (stop func()) {
	return c.listen(bans, &sink{
		put:    func(id string, body []byte, _ time.Time) { put(id, body) },
		remove: lost,
	})
}
